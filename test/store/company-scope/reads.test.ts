import fc from 'fast-check';
import { type Kysely, sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { CompanyDb, Tables } from '../../../src/store/tables.ts';
import { propertyRuns } from '../../property-runs.ts';
import { fillFarm } from '../sample-rows.ts';
import { onEachStore, tableNames } from '../temporary-stores.ts';
import { anyColumn, companyTableNames, untyped, withTwoFarms } from './two-farms.ts';

const reads: Record<string, (db: CompanyDb) => Promise<unknown>> = {
  'a plain select': (db) => db.selectFrom('waterings').select('note').execute(),
  'an alias': (db) => db.selectFrom('waterings as w').select('w.note').execute(),
  'everything of a table': (db) => db.selectFrom('waterings').selectAll().execute(),
  'a condition with or': (db) =>
    db
      .selectFrom('waterings')
      .select('note')
      .where((eb) => eb.or([eb('id', '>', 0), eb('note', '=', 'theirs')]))
      .execute(),
  'a raw condition with or': (db) =>
    db
      .selectFrom('waterings')
      .select('note')
      .where(sql<boolean>`${sql.ref('id')} > 0 or ${sql.ref('id')} < 0`)
      .execute(),
  'a raw or in the condition of a join': (db) =>
    db
      .selectFrom('modules as m')
      .innerJoin('parcels as p', (join) =>
        join.on(sql<boolean>`${sql.ref('p.id')} > 0 or ${sql.ref('p.id')} < 0`),
      )
      .select('p.type')
      .execute(),
  'two tables in from': (db) =>
    db.selectFrom(['waterings', 'modules']).select(['note', 'serial_hex']).execute(),
  'an inner join': (db) =>
    db
      .selectFrom('modules as m')
      .innerJoin('parcels as p', 'p.name', 'm.name')
      .select(['m.serial_hex', 'p.type'])
      .execute(),
  'a left join': (db) =>
    db
      .selectFrom('modules as m')
      .leftJoin('parcels as p', 'p.name', 'm.name')
      .select(['m.serial_hex', 'p.type'])
      .execute(),
  'a join with or in its condition': (db) =>
    db
      .selectFrom('modules as m')
      .innerJoin('parcels as p', (join) =>
        join.on((eb) => eb.or([eb('p.id', '>', 0), eb('p.id', '<', 0)])),
      )
      .select('p.type')
      .execute(),
  'a cross join': (db) =>
    db.selectFrom('modules').crossJoin('parcels').select(['serial_hex', 'parcels.type']).execute(),
  'a table joined to itself': (db) =>
    db
      .selectFrom('waterings as a')
      .innerJoin('waterings as b', 'a.started_at', 'b.started_at')
      .select(['a.note', 'b.note as c'])
      .execute(),
  'a subquery in from': (db) =>
    db.selectFrom(db.selectFrom('waterings').selectAll().as('w')).selectAll().execute(),
  'a join with a subquery': (db) =>
    db
      .selectFrom('modules as m')
      .innerJoin(db.selectFrom('parcels').selectAll().as('p'), 'p.name', 'm.name')
      .selectAll()
      .execute(),
  'a scalar subquery': (db) =>
    db
      .selectFrom('parcels')
      .select((eb) =>
        eb.selectFrom('waterings').select('note').orderBy('id', 'desc').limit(1).as('note'),
      )
      .execute(),
  'a subquery in where': (db) =>
    db
      .selectFrom('waterings')
      .select('note')
      .where('started_at', 'in', db.selectFrom('waterings').select('started_at'))
      .execute(),
  'a common table expression': (db) =>
    db
      .with('w', (q) => q.selectFrom('waterings').selectAll())
      .selectFrom('w')
      .selectAll()
      .execute(),
  'a common table expression used by another': (db) =>
    db
      .with('w', (q) => q.selectFrom('waterings').select('note'))
      .with('v', (q) =>
        q.selectFrom('w').innerJoin('modules', 'serial_hex', 'w.note').select('w.note'),
      )
      .selectFrom('v')
      .selectAll()
      .execute(),
  'a recursive expression': (db) =>
    db
      .withRecursive('n(note, i)', (q) =>
        q
          .selectFrom('waterings')
          .select(['note', sql<number>`1`.as('i')])
          .unionAll(
            q
              .selectFrom('n')
              .innerJoin('waterings as w', 'w.id', 'n.i')
              .select(['w.note', sql<number>`i + 1`.as('i')])
              .where('i', '<', 9),
          ),
      )
      .selectFrom('n')
      .selectAll()
      .execute(),
  'a union': (db) =>
    db
      .selectFrom('waterings')
      .select('note')
      .unionAll(db.selectFrom('modules').select('serial_hex as note'))
      .union(db.selectFrom('parcels').select('type as note'))
      .execute(),
  'an aggregate over raw SQL': (db) =>
    db
      .selectFrom('waterings')
      .select([
        (eb) => eb.fn.max('note').as('note'),
        sql<number>`sum(${sql.ref('duration_min')} * 2)`.as('minutes'),
      ])
      .execute(),
  'grouping, having, order and limit': (db) =>
    db
      .selectFrom('waterings')
      .select(['note', (eb) => eb.fn.countAll().as('n')])
      .groupBy('note')
      .having((eb) => eb.fn.countAll(), '>', 0)
      .orderBy('note', 'desc')
      .limit(5)
      .offset(0)
      .execute(),
  'a stream': async (db) => {
    const rows = [];
    for await (const row of db.selectFrom('waterings').selectAll().stream()) rows.push(row);
    return rows;
  },
  'a handle without plugins': (db) =>
    db.withoutPlugins().selectFrom('waterings').selectAll().execute(),
  'a query compiled for it': async (db) =>
    (await db.executeQuery(db.selectFrom('waterings').select('note').compile())).rows,
};

onEachStore((withStore, isOnServer) => {
  describe('a company reads only its own rows', () => {
    it('by any kind of query', () =>
      withTwoFarms(withStore, async (store) => {
        for (const [kind, read] of Object.entries(reads)) {
          const rows = JSON.stringify(await store.read(1, read));
          expect(rows, kind).toContain('ours');
          expect(rows, kind).not.toContain('theirs');
          expect(rows, kind).not.toContain('company_id');
        }
      }));

    it('in every table', () =>
      withTwoFarms(withStore, async (store) => {
        for (const table of companyTableNames) {
          const all = (await store.readAll((db) =>
            db.selectFrom(table).selectAll().execute(),
          )) as unknown[];
          const seen = (await store.read(1, (db) =>
            db.selectFrom(table).selectAll().execute(),
          )) as unknown[];
          expect(seen.length, table).toBe(all.length / 2);
          expect(seen.length, table).toBeGreaterThan(0);
        }
      }));

    it('by a left join, which keeps rows that match only another company’s', () =>
      withStore(async (store) => {
        await store.write(1, (db) => db.insertInto('parcels').values({ name: 'North' }).execute());
        await store.write(2, (db) =>
          db.insertInto('modules').values({ uid: 'A1', name: 'North' }).execute(),
        );
        const rows = await store.read(1, (db) =>
          db
            .selectFrom('parcels as p')
            .leftJoin('modules as m', 'm.name', 'p.name')
            .select(['p.name', 'm.uid'])
            .execute(),
        );
        expect(rows).toEqual([{ name: 'North', uid: null }]);
      }));
  });

  it('confines every table except companies, rounds of jobs, leases and secrets', () =>
    withStore(async (store) => {
      const names = await tableNames(store, isOnServer);
      const ofAll = ['backup_folders', 'companies', 'job_rounds', 'leases', 'secrets'];
      expect(names.filter((name) => !ofAll.includes(name)).sort()).toEqual(
        [...companyTableNames].sort(),
      );
    }));

  it('confines a handle within a transaction over all companies', () =>
    withTwoFarms(withStore, async (store) => {
      const notes = await store.writeAll(async (all: Kysely<Tables>) => {
        const { id } = await all
          .insertInto('companies')
          .values({ name: 'Mas Vert' })
          .returning('id')
          .executeTakeFirstOrThrow();
        const db = store.scopeToCompany(all, id);
        await fillFarm(db, 'third');
        return db.selectFrom('waterings').select('note').distinct().execute();
      });
      expect(notes).toEqual([{ note: 'third' }]);
    }));

  it('confines any join of any tables', () =>
    withTwoFarms(withStore, async (store) => {
      const join = fc.record({
        table: fc.constantFrom(...companyTableNames),
        kind: fc.constantFrom('inner', 'left', 'cross', 'subquery'),
      });
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...companyTableNames),
          fc.array(join, { maxLength: 4 }),
          async (first, joins) => {
            const rows = await store.read(1, (db) => {
              let query = untyped(db)
                .selectFrom(`${first} as t`)
                .select(`t.${anyColumn[first]} as c`);
              for (const [i, { table, kind }] of joins.entries()) {
                const source =
                  kind === 'subquery'
                    ? untyped(db).selectFrom(table).selectAll().as(`t${i}`)
                    : (`${table} as t${i}` as const);
                if (kind === 'cross') query = query.crossJoin(source) as never;
                else if (kind === 'left')
                  query = query.leftJoin(source, (on) => on.onTrue()) as never;
                else query = query.innerJoin(source, (on) => on.onTrue()) as never;
                query = query.select(`t${i}.${anyColumn[table]} as c${i}`) as never;
              }
              return query.execute();
            });
            // Every table has one row of this company, except for the two waterings.
            const own = [first, ...joins.map(({ table }) => table)].reduce(
              (n, table) => n * (table === 'waterings' ? 2 : 1),
              1,
            );
            expect(rows).toHaveLength(own);
            expect(JSON.stringify(rows)).not.toContain('theirs');
          },
        ),
        { numRuns: propertyRuns(60) },
      );
    }));
});
