import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { lastReadings } from '../../../src/store/moisture/reading-lookup.ts';
import { PostgresConnection } from '../../../src/store/postgres/connection.ts';
import { queryWithPreamble } from '../../../src/store/postgres/pipelined-query.ts';
import { acquireClient, openReaders, openWriters } from '../../../src/store/postgres/pool.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import type { CompanyDb } from '../../../src/store/tables.ts';
import { server, withDatabase } from '../temporary-stores.ts';

const parcels = (db: CompanyDb) => db.selectFrom('parcels').select('name').execute();

/** A way to the server that counts how often it is asked something after it has answered. */
async function countingProxy(db: string) {
  const { hostname, port } = new URL(db);
  let asked = 0;
  let isAnswered = true;
  const way = createServer((socket) => {
    const through = connect(Number(port), hostname).setNoDelay();
    for (const [from, to] of [
      [socket, through],
      [through, socket],
    ] as const)
      from
        .on('data', (data) => {
          if (from === socket && isAnswered) asked++;
          isAnswered = from === through;
          to.write(data);
        })
        .on('error', () => undefined)
        .on('close', () => to.destroy());
  });
  way.listen(0, '127.0.0.1');
  await once(way, 'listening');
  const at = { hostname: '127.0.0.1', port: String((way.address() as AddressInfo).port) };
  return {
    db: Object.assign(new URL(db), at).href,
    /** How often the server is asked for what `body` does. */
    async during(body: () => Promise<unknown>): Promise<number> {
      const before = asked;
      await body();
      return asked - before;
    },
    close: () => way.close(),
  };
}

/** Runs `body` with a store that has one connection and is counted. */
const withCountedRoundTrips = (body: (store: Store, way: Awaited<ReturnType<typeof countingProxy>>) => Promise<void>) =>
  withDatabase(async (_, db) => {
    const way = await countingProxy(db);
    const store = await openStore({ db: way.db });
    try {
      await store.read(1, parcels);
      await body(store, way);
    } finally {
      await store.close();
      way.close();
    }
  });

/** Once what was done before has ended, which nobody waited for. */
const finishPending = (store: Store) => store.read(1, async () => undefined);

describe.skipIf(server === null)('a read', () => {
  it('of one query has its answer when the server has answered once', () =>
    withCountedRoundTrips(async (store, way) => {
      await finishPending(store);
      let within = 0;
      await store.read(1, async (db) => {
        within = await way.during(() => parcels(db));
      });
      expect(within).toBe(1);
    }));

  it('goes over to a company together with the first query for it', () =>
    withCountedRoundTrips(async (store, way) => {
      await store.readAll(async (all) => {
        await all.selectFrom('companies').select('id').execute();
        expect(await way.during(() => parcels(store.scopeToCompany(all, 1)))).toBe(1);
      });
    }));

  it('waits once for queries that are asked at once', () =>
    withCountedRoundTrips(async (store, way) => {
      await store.read(1, async (db) => {
        await parcels(db);
        expect(await way.during(() => lastReadings(db, [1, 2, 3, 4, 5], 0, 1))).toBe(1);
      });
    }));

  it('that asks nothing is still one that the server took part in', () =>
    withCountedRoundTrips(async (store, way) => {
      expect(await way.during(() => finishPending(store))).toBeGreaterThan(0);
    }));

  it('sees what stood when it began, also where it asks for that later', () =>
    withDatabase(async (store) => {
      const seen = await store.read(1, async (db) => {
        await new Promise(setImmediate);
        await store.write(1, (writing) => writing.insertInto('parcels').values({ name: 'North' }).execute());
        return parcels(db);
      });
      expect(seen).toEqual([]);
      expect(await store.read(1, parcels)).toEqual([{ name: 'North' }]);
    }));

  it('fails by the query that failed, whatever was asked at once with it, and the next one is answered', () =>
    withDatabase(async (store) => {
      const asked: Promise<unknown>[] = [];
      const failing = store.read(1, async (db) => {
        asked.push(db.selectFrom('parcels').select(sql`1 / 0`.as('never')).execute(), parcels(db));
        await Promise.all(asked);
      });
      await expect(failing).rejects.toThrow('division by zero');
      await expect(asked[1]).rejects.toThrow('ended by an earlier failure');
      expect(await store.read(1, parcels)).toEqual([]);
    }));
});

/** Runs `body` with a connection of the pool. */
const withClient = (
  open: typeof openReaders | typeof openWriters,
  body: (client: Awaited<ReturnType<typeof acquireClient>>) => Promise<void>,
) =>
  withDatabase(async (_, db) => {
    const pool = open(db, db);
    const client = await acquireClient(pool, db);
    try {
      await body(client);
    } finally {
      client.release();
      await pool.end();
    }
  });

const FAILING = ['begin', 'set local work_mem to nonsense'];

describe.skipIf(server === null)('a write', () => {
  it('takes its turn together with what it first asks, and waits once for all that it asks at once', () =>
    withCountedRoundTrips(async (store, way) => {
      await store.write(1, parcels);
      await finishPending(store);
      const asked = await way.during(() =>
        store.write(1, async (db) => {
          await Promise.all([parcels(db), parcels(db), parcels(db)]);
          await db.insertInto('parcels').values({ name: 'North' }).execute();
        }),
      );
      expect(asked).toBe(3);
    }));

  it('of which a query failed keeps nothing of what was asked behind it', () =>
    withDatabase(async (store) => {
      const failing = store.write(1, async (db) => {
        const asked = [
          db.selectFrom('parcels').select(sql`1 / 0`.as('never')).execute(),
          db.insertInto('parcels').values({ name: 'North' }).execute(),
        ];
        await Promise.all(asked);
      });
      await expect(failing).rejects.toThrow('division by zero');
      expect(await store.read(1, parcels)).toEqual([]);
    }));

  it('fails by the query that failed, though what was asked right behind it is heard of first', () =>
    withDatabase(async (store) => {
      const later = async (asked: Promise<unknown>) => await asked;
      const failing = store.write(1, (db) => {
        const failed = db.selectFrom('parcels').select(sql`1 / 0`.as('never')).execute();
        return Promise.all([later(later(later(failed))), parcels(db)]);
      });
      await expect(failing).rejects.toThrow('division by zero');
    }));

  it('tells that it has begun once its turn has come, though its first query is still being answered', () =>
    withDatabase(async (store) => {
      const heard: string[] = [];
      const observer = {
        onConnectionAcquired: () => heard.push('turn'),
        onBegin: () => heard.push('begun'),
        onQuery: () => heard.push('query'),
      };
      await store.write(1, parcels, observer);
      await store.write(1, async () => undefined, observer);
      expect(heard).toEqual(['turn', 'begun', 'query', 'turn', 'begun']);
    }));
});

describe.skipIf(server === null)('a beginning that fails', () => {
  it.each([
    ['reads', openReaders],
    ['writes', openWriters],
  ])('has nothing run that goes with it, and that is run as ever afterwards: %s', (_, open) =>
    withClient(open, async (client) => {
      await client.query('create temporary table marks (mark text)');
      const adding = { name: 'adding', text: 'insert into marks values ($1)', values: ['here'] };
      await expect(queryWithPreamble(client, { statements: FAILING }, adding)).rejects.toThrow('work_mem');
      await client.query('rollback');
      await queryWithPreamble(client, { statements: ['begin', 'savepoint here'] }, adding);
      await client.query(adding);
      await client.query('commit');
      expect((await client.query('select mark from marks')).rows).toEqual([{ mark: 'here' }, { mark: 'here' }]);
    }),
  );

  it('lets no answer count that was asked for right behind it', () =>
    withClient(openReaders, async (client) => {
      const connection = new PostgresConnection(client, 'all');
      // Without a transaction the second would be answered.
      connection.begin({ statements: ['begin isolation level nonsense'] });
      const query = (text: string) =>
        connection.executeQuery({ sql: text, parameters: [], query: { kind: 'RawNode' } } as never);
      const asked = ['select 1', 'select 2'].map(query);
      await expect(asked[0]).rejects.toThrow('nonsense');
      await expect(asked[1]).rejects.toThrow('ended by an earlier failure');
      await connection.end();
      expect(connection.failure).toMatchObject({ code: '42601' });
    }));

  it('lets nothing be kept that was asked for right behind it', () =>
    withClient(openWriters, async (client) => {
      await client.query('create temporary table marks (mark text)');
      const connection = new PostgresConnection(client, 1);
      connection.begin({ statements: ['begin isolation level nonsense', "set local acequia.company to '1'"] });
      const adding = { text: "insert into marks values ('here')" };
      const asked = [
        connection.query(1, { text: 'select 1' }),
        connection.query(1, adding),
        connection.query('all', adding),
      ];
      expect((await Promise.allSettled(asked)).map(({ status }) => status)).toEqual(asked.map(() => 'rejected'));
      await client.query('rollback');
      expect((await client.query('select mark from marks')).rows).toEqual([]);
    }));
});
