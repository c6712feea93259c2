import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type Kysely, sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { cancellable } from '../../../src/store/scope/company-db.ts';
import {
  openSqliteConnection,
  type SqliteConnection,
} from '../../../src/store/sqlite/connection.ts';
import { QueuedConnection } from '../../../src/store/sqlite/queued-connection.ts';
import { inTemporaryFolder } from '../temporary-stores.ts';

interface Rows {
  rows: { id: number; body: string | Uint8Array | null };
}

const withTable = (
  body: (queued: QueuedConnection<Rows>, connection: SqliteConnection) => Promise<void>,
) =>
  inTemporaryFolder(async (folder) => {
    const connection = await openSqliteConnection(join(folder, 'rows.db'), 'writer');
    try {
      connection.exec('create table rows (id integer primary key, body)');
      await body(new QueuedConnection<Rows>(connection, 'writer'), connection);
    } finally {
      connection.close();
    }
  });

const thousand = Array.from({ length: 1000 }, (_, i) => ({ id: i + 1, body: `row ${i + 1}` }));

describe('a parameter', () => {
  const unsupported: Record<string, unknown> = {
    'a date': new Date(0),
    'an object': { id: 1 },
    'a list': [1],
    undefined: undefined,
    true: true,
    'not a number': Number.NaN,
    infinity: Number.POSITIVE_INFINITY,
    'a symbol': Symbol('x'),
  };
  for (const [kind, value] of Object.entries(unsupported))
    it(`that is ${kind} is refused, in every place`, () =>
      withTable(async (queued) => {
        await queued.transaction(async (trx) => {
          await expect(sql`select ${value}`.execute(trx)).rejects.toThrow(TypeError);
          await expect(sql`select ${1}, ${value}`.execute(trx)).rejects.toThrow(TypeError);
        });
      }));

  it('of bytes, text, a number, a bigint or null is stored exactly', () =>
    withTable(async (queued) => {
      await queued.transaction(async (trx) => {
        const { rows } =
          await sql`select ${Buffer.from([0, 255])} as a, ${'é'} as b, ${-0.5} as c, ${7n} as d, ${null} as e`.execute(
            trx,
          );
        expect(rows).toEqual([{ a: new Uint8Array([0, 255]), b: 'é', c: -0.5, d: 7, e: null }]);
      });
    }));
});

it('returns rows as plain objects', () =>
  withTable(async (queued) => {
    await queued.transaction(async (trx) => {
      const row = await trx
        .selectFrom('rows')
        .select((eb) => eb.fn.countAll<number>().as('n'))
        .executeTakeFirstOrThrow();
      expect(Object.getPrototypeOf(row)).toBe(Object.prototype);
    });
  }));

it('streams every row while the same query runs again', () =>
  withTable(async (queued) => {
    await queued.transaction(async (trx) => {
      await trx.insertInto('rows').values(thousand).execute();
      const query = trx.selectFrom('rows').selectAll().orderBy('id');
      const seen: number[] = [];
      for await (const { id } of query.stream(7)) {
        if (id === 500) expect(await query.execute()).toHaveLength(1000);
        seen.push(id);
      }
      expect(seen).toEqual(thousand.map(({ id }) => id));
    });
  }));

it('commits after a stream that was not read to its end', () =>
  withTable(async (queued) => {
    await queued.transaction(async (trx) => {
      await trx.insertInto('rows').values(thousand).execute();
      for await (const { id } of trx.selectFrom('rows').selectAll().stream()) if (id === 3) break;
    });
    const { n } = await queued.transaction((trx) =>
      trx
        .selectFrom('rows')
        .select((eb) => eb.fn.countAll<number>().as('n'))
        .executeTakeFirstOrThrow(),
    );
    expect(n).toBe(1000);
  }));

it('yields to the event loop during a long stream, and survives garbage collection meanwhile', () =>
  withTable(async (queued) => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    let turns = 0;
    let streaming = true;
    const watch = (async () => {
      for (; streaming; turns++) await nextTurn();
    })();
    await queued.transaction(async (trx) => {
      await trx.insertInto('rows').values(thousand).execute();
      turns = 0;
      // Far longer than the event loop may be held, and long enough for the code to be optimised.
      for (let round = 0; round < 2; round++) {
        let read = 0;
        const query = trx
          .selectFrom(['rows', 'rows as again'])
          .select('rows.id')
          .where('again.id', '<=', 250);
        for await (const _ of query.stream(100)) if (++read % 100_000 === 0) collect();
        expect(read).toBe(250_000);
      }
    });
    streaming = false;
    await watch;
    expect(turns).toBeGreaterThan(1);
  }));

it('runs more different queries than it caches statements for', () =>
  withTable(async (queued) => {
    await queued.transaction(async (trx) => {
      for (const round of [1, 2])
        for (let i = 0; i < 500; i++) {
          const { rows } = await sql<{ n: number }>`select ${sql.lit(i)} + ${round} as n`.execute(
            trx,
          );
          expect(rows).toEqual([{ n: i + round }]);
        }
    });
  }));

it('refuses a handle after its transaction', () =>
  withTable(async (queued) => {
    let stored: Kysely<Rows> | undefined;
    await queued.transaction(async (trx) => {
      stored = trx;
    });
    await expect(stored?.selectFrom('rows').selectAll().execute()).rejects.toThrow('ended');
    await expect(stored?.selectFrom('rows').selectAll().stream().next()).rejects.toThrow('ended');
    const wrapped = cancellable(stored!, new AbortController().signal);
    await expect(wrapped.selectFrom('rows').selectAll().execute()).rejects.toThrow('ended');
  }));

it('commits nothing of a transaction that SQLite has rolled back, even if its body continues', () =>
  withTable(async (queued, connection) => {
    await expect(
      queued.transaction(async (trx) => {
        await trx.insertInto('rows').values({ id: 1, body: 'first' }).execute();
        // What SQLite does by itself on a full disk.
        connection.exec('rollback');
        await trx.insertInto('rows').values({ id: 2, body: 'second' }).execute();
      }),
    ).rejects.toThrow('transaction');
    expect(await queued.transaction((trx) => trx.selectFrom('rows').selectAll().execute())).toEqual(
      [],
    );
  }));

it('returns the number of changed rows and the inserted id', () =>
  withTable(async (queued) => {
    await queued.transaction(async (trx) => {
      const inserted = await trx.insertInto('rows').values(thousand).executeTakeFirst();
      expect(inserted.insertId).toBe(1000n);
      const updated = await trx
        .updateTable('rows')
        .set({ body: null })
        .where('id', '<=', 10)
        .executeTakeFirst();
      expect(updated.numUpdatedRows).toBe(10n);
    });
  }));
