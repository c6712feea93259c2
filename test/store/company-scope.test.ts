import fc from 'fast-check';
import { CompiledQuery, type Kysely, sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import type { CompanyDb, CompanyTables, Tables } from '../../src/store/tables.ts';
import { fillFarm, installationRow, wateringRow } from './sample-rows.ts';
import { onEachStore, tableNames } from './temporary-stores.ts';

const companyTableNames: readonly (keyof CompanyTables)[] = [
  'users',
  'parcels',
  'gateways',
  'modules',
  'sensors',
  'soil_layers',
  'installation_versions',
  'placements',
  'waterings',
  'readings',
  'reading_hours',
  'reading_days',
  'schedules',
  'idempotency',
  'annotations',
  'alerts',
  'alert_recipients',
  'alert_states',
  'alert_episodes',
  'outbox',
  'api_keys',
];

/** A column of each table that can be written over. */
const anyColumn: Record<keyof CompanyTables, string> = {
  users: 'name',
  parcels: 'type',
  gateways: 'firmware',
  modules: 'serial_hex',
  sensors: 'label',
  soil_layers: 'depth_bottom_cm',
  installation_versions: 'notes',
  placements: 'notes',
  waterings: 'note',
  readings: 'value',
  reading_hours: 'sum',
  reading_days: 'sum',
  schedules: 'label',
  idempotency: 'body',
  annotations: 'content',
  alerts: 'threshold',
  alert_recipients: 'user_id',
  alert_states: 'reminded_on',
  alert_episodes: 'lowest',
  outbox: 'subject',
  api_keys: 'scopes',
};

/** Everything that a company has, as text. */
const allRows = (store: Store, companyId: number) =>
  store.readAll(async (db) => {
    const rows = [];
    for (const table of companyTableNames)
      rows.push(await db.selectFrom(table).selectAll().where('company_id', '=', companyId).execute());
    return JSON.stringify(rows);
  });

/** The handle with its types off, for what the types would refuse already. */
const untyped = (db: unknown) => db as unknown as Kysely<Record<string, Record<string, unknown>>>;

onEachStore((withStore, isOnServer) => {
  const twoFarms = (body: (store: Store) => Promise<void>) =>
    withStore(async (store) => {
      await store.write(1, (db) => fillFarm(db, 'ours'));
      await store.write(2, (db) => fillFarm(db, 'theirs'));
      await body(store);
    });

  describe('a company sees its own rows alone', () => {
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
          .innerJoin('parcels as p', (join) => join.on(sql<boolean>`${sql.ref('p.id')} > 0 or ${sql.ref('p.id')} < 0`))
          .select('p.type')
          .execute(),
      'two tables in from': (db) => db.selectFrom(['waterings', 'modules']).select(['note', 'serial_hex']).execute(),
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
          .innerJoin('parcels as p', (join) => join.on((eb) => eb.or([eb('p.id', '>', 0), eb('p.id', '<', 0)])))
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
      'a subquery in from': (db) => db.selectFrom(db.selectFrom('waterings').selectAll().as('w')).selectAll().execute(),
      'a join with a subquery': (db) =>
        db
          .selectFrom('modules as m')
          .innerJoin(db.selectFrom('parcels').selectAll().as('p'), 'p.name', 'm.name')
          .selectAll()
          .execute(),
      'a scalar subquery': (db) =>
        db
          .selectFrom('parcels')
          .select((eb) => eb.selectFrom('waterings').select('note').orderBy('id', 'desc').limit(1).as('note'))
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
          .with('v', (q) => q.selectFrom('w').innerJoin('modules', 'serial_hex', 'w.note').select('w.note'))
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
      'what a handle without plugins reads': (db) => db.withoutPlugins().selectFrom('waterings').selectAll().execute(),
      'a query compiled for it': async (db) =>
        (await db.executeQuery(db.selectFrom('waterings').select('note').compile())).rows,
    };

    for (const [kind, read] of Object.entries(reads))
      it(`by ${kind}`, () =>
        twoFarms(async (store) => {
          const rows = JSON.stringify(await store.read(1, read));
          expect(rows).toContain('ours');
          expect(rows).not.toContain('theirs');
          expect(rows).not.toContain('company_id');
        }));

    it('in every table', () =>
      twoFarms(async (store) => {
        for (const table of companyTableNames) {
          const all = (await store.readAll((db) => db.selectFrom(table).selectAll().execute())) as unknown[];
          const seen = (await store.read(1, (db) => db.selectFrom(table).selectAll().execute())) as unknown[];
          expect(seen.length, table).toBe(all.length / 2);
          expect(seen.length, table).toBeGreaterThan(0);
        }
      }));

    it('and a left join keeps the row whose match is another company’s', () =>
      withStore(async (store) => {
        await store.write(1, (db) => db.insertInto('parcels').values({ name: 'North' }).execute());
        await store.write(2, (db) => db.insertInto('modules').values({ uid: 'A1', name: 'North' }).execute());
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

  describe('a company touches its own rows alone', () => {
    const writes: Record<string, (db: CompanyDb) => Promise<unknown>> = {
      'an update without a condition': (db) => db.updateTable('waterings').set({ note: 'changed' }).execute(),
      'an update with an alias': (db) => db.updateTable('waterings as w').set({ note: 'changed' }).execute(),
      'an update by the id of another’s row': (db) =>
        db.updateTable('waterings').set({ note: 'changed' }).where('id', '=', 3).execute(),
      'an update from another table': (db) =>
        db
          .updateTable('waterings')
          .from('modules')
          .set((eb) => ({ note: eb.ref('modules.uid') }))
          .where('modules.name', '=', 'North')
          .execute(),
      'an update from another’s row': (db) =>
        db
          .updateTable('waterings')
          .from('modules')
          .set((eb) => ({ note: eb.ref('modules.serial_hex') }))
          .where('modules.serial_hex', '=', 'theirs')
          .execute(),
      'an update whose condition is a raw or': (db) =>
        db
          .updateTable('waterings')
          .set({ note: 'changed' })
          .where(sql<boolean>`${sql.ref('id')} > 0 or ${sql.ref('id')} < 0`)
          .execute(),
      'an update whose condition has or': (db) =>
        db
          .updateTable('waterings')
          .set({ note: 'changed' })
          .where((eb) => eb.or([eb('id', '>', 0), eb('id', '<', 0)]))
          .execute(),
      'a delete without a condition': (db) => db.deleteFrom('waterings').execute(),
      'a delete with an alias and returning': (db) => db.deleteFrom('waterings as w').returningAll().execute(),
      'a delete by a subquery': (db) =>
        db.deleteFrom('waterings').where('id', 'in', db.selectFrom('waterings').select('id')).execute(),
      'an insert': (db) => db.insertInto('parcels').values({ name: 'South' }).execute(),
      'an insert of several rows, some with more columns': (db) =>
        db
          .insertInto('parcels')
          .values([{ name: 'South' }, { name: 'East', type: 'ours' }])
          .execute(),
      'an insert from a select': (db) =>
        db
          .insertInto('parcels')
          .columns(['name', 'type'])
          .expression(db.selectFrom('modules').select(['uid', 'serial_hex']))
          .execute(),
      'an insert from a union': (db) =>
        db
          .insertInto('parcels')
          .columns(['name'])
          .expression(
            db.selectFrom('modules').select('uid as name').unionAll(db.selectFrom('gateways').select('imei as name')),
          )
          .execute(),
      'an upsert on a natural key that another has too': (db) =>
        db
          .insertInto('parcels')
          .values({ name: 'North', type: 'changed' })
          .onConflict((conflict) => conflict.columns(['name']).doUpdateSet({ type: 'changed' }))
          .execute(),
      'an upsert on a partial index': (db) =>
        db
          .insertInto('sensors')
          .values({ module_id: 1, type: 'humidity', depth: 10, label: 'changed' })
          .onConflict((conflict) =>
            conflict
              .columns(['module_id', 'type', 'depth'])
              .where('depth', 'is not', null)
              .doUpdateSet({ label: 'changed' }),
          )
          .execute(),
      'an upsert on the id of another’s row': (db) =>
        db
          .insertInto('waterings')
          .values({ ...wateringRow(1, 'changed', 9), id: 3 })
          .onConflict((conflict) => conflict.column('id').doUpdateSet({ note: 'changed' }))
          .execute(),
      'an upsert on whatever conflicts': (db) =>
        db
          .insertInto('waterings')
          .values({ ...wateringRow(1, 'changed', 9), id: 3 })
          .onConflict((conflict) => conflict.doUpdateSet({ note: 'changed' } as never) as never)
          .execute(),
      'an insert that leaves what stands': (db) =>
        db
          .insertInto('parcels')
          .values({ name: 'North' })
          .onConflict((conflict) => conflict.doNothing())
          .execute(),
    };

    // PostgreSQL has no key by which such a row would be another's.
    const possible = Object.entries(writes).filter(
      ([kind]) => !isOnServer || !/^an upsert on (the id|whatever)/.test(kind),
    );
    for (const [kind, write] of possible)
      it(`by ${kind}`, () =>
        twoFarms(async (store) => {
          const [ours, theirs] = [await allRows(store, 1), await allRows(store, 2)];
          await store.write(1, write);
          expect(await allRows(store, 2)).toBe(theirs);
          expect(await allRows(store, 1)).not.toContain('theirs');
          if (!/another’s row|whatever|leaves/.test(kind)) expect(await allRows(store, 1)).not.toBe(ours);
        }));

    it('in every table, by update and delete', () =>
      twoFarms(async (store) => {
        const theirs = await allRows(store, 2);
        const order = [...companyTableNames].reverse();
        await store.write(1, async (db) => {
          await untyped(db).updateTable('modules').set({ parcel_id: null, gateway_id: null }).execute();
          for (const table of order) {
            const column = anyColumn[table];
            const updated = await untyped(db)
              .updateTable(table)
              .set({ [column]: sql.ref(column) })
              .executeTakeFirst();
            expect(Number(updated.numUpdatedRows), table).toBeGreaterThan(0);
          }
          for (const table of [...order.filter((t) => t !== 'modules' && t !== 'parcels'), 'modules', 'parcels'])
            await untyped(db).deleteFrom(table).execute();
        });
        expect(await allRows(store, 2)).toBe(theirs);
        expect(await allRows(store, 1)).toBe(JSON.stringify(companyTableNames.map(() => [])));
      }));

    it('and cannot refer to another company’s row', () =>
      twoFarms(async (store) => {
        // Module 2 is the other company's.
        await expect(
          store.write(1, (db) =>
            db
              .insertInto('waterings')
              .values(wateringRow(2, 'ours', 5))
              .execute(),
          ),
        ).rejects.toThrow(/foreign key/i);
        await expect(
          store.write(1, (db) => db.insertInto('installation_versions').values(installationRow(2, 'ours')).execute()),
        ).rejects.toThrow(/foreign key/i);
      }));
  });

  describe('what cannot be confined is refused', () => {
    const refused: Record<string, (db: CompanyDb) => Promise<unknown>> = {
      'the companies': (db) => untyped(db).selectFrom('companies').selectAll().execute(),
      'a join with the companies': (db) =>
        untyped(db).selectFrom('parcels').innerJoin('companies', 'companies.id', 'parcels.id').selectAll().execute(),
      'an insert of a company': (db) => untyped(db).insertInto('companies').values({ name: 'x' }).execute(),
      'an unknown table': (db) => untyped(db).selectFrom('secrets').selectAll().execute(),
      'the list of migrations': (db) => untyped(db).selectFrom('kysely_migration').selectAll().execute(),
      'a table of another schema': (db) => db.withSchema('main').selectFrom('waterings').selectAll().execute(),
      'the catalog of tables': (db) => untyped(db).selectFrom('sqlite_schema').selectAll().execute(),
      'a whole statement in raw SQL': (db) => sql`select 1`.execute(db),
      'a raw statement on a table': (db) => sql`delete from waterings`.execute(db),
      'a table named by raw SQL': (db) =>
        db.selectFrom(sql<{ note: string }>`waterings`.as('w')).select('w.note').execute(),
      'a table reference in raw SQL': (db) =>
        db
          .selectFrom(sql.table('waterings').as('w') as never)
          .selectAll()
          .execute(),
      'a subquery in raw SQL': (db) => db.selectFrom('modules').select(sql`(SELECT note FROM x)`.as('n')).execute(),
      'a table in place of a value': (db) =>
        db
          .selectFrom('modules')
          .select('uid')
          .where((eb) => eb('id', 'in', eb.table('waterings' as never) as never))
          .execute(),
      'a table name in a raw expression': (db) =>
        db.selectFrom('modules').select('uid').where(sql<boolean>`exists (values (Waterings.note))`).execute(),
      'the hidden column in a raw expression': (db) =>
        db.selectFrom('modules').select('uid').orderBy(sql`company_id`).execute(),
      'an expression called like a table': (db) =>
        db
          .with('waterings', (q) => q.selectFrom('modules').selectAll())
          .selectFrom('waterings')
          .selectAll()
          .execute(),
      'an expression used outside its query': (db) =>
        untyped(db)
          .selectFrom('parcels')
          .innerJoin('w', 'w.id', 'parcels.id')
          .where(
            'parcels.id',
            'in',
            untyped(db.with('w', (q) => q.selectFrom('waterings').select('id')))
              .selectFrom('w')
              .select('id'),
          )
          .selectAll()
          .execute(),
      'a right join': (db) =>
        db
          .selectFrom('modules')
          .rightJoin('parcels', 'parcels.id', 'modules.parcel_id')
          .select('parcels.name')
          .execute(),
      'a full join': (db) =>
        db
          .selectFrom('modules')
          .fullJoin('parcels', 'parcels.id', 'modules.parcel_id')
          .select('parcels.name')
          .execute(),
      'an insert with a company': (db) =>
        untyped(db).insertInto('parcels').values({ name: 'x', company_id: 2 }).execute(),
      'an update of the company': (db) => untyped(db).updateTable('parcels').set({ company_id: 2 }).execute(),
      'an upsert that changes the company': (db) =>
        untyped(db)
          .insertInto('parcels')
          .values({ name: 'North' })
          .onConflict((conflict) => conflict.column('name').doUpdateSet({ company_id: 2 }))
          .execute(),
      'an insert that replaces': (db) => db.replaceInto('parcels').values({ name: 'North' }).execute(),
      'an insert or replace': (db) => db.insertInto('parcels').orReplace().values({ name: 'North' }).execute(),
      'an insert of defaults': (db) => db.insertInto('parcels').defaultValues().execute(),
      'a merge': (db) =>
        db
          .mergeInto('parcels')
          .using('modules', 'modules.parcel_id', 'parcels.id')
          .whenMatched()
          .thenDelete()
          .execute(),
      'a change of the tables': (db) => db.schema.dropTable('waterings').execute(),
      'a query that nobody compiled for it': (db) => db.executeQuery(CompiledQuery.raw('select * from waterings')),
      'its connection': (db) =>
        db.getExecutor().provideConnection((connection) => connection.executeQuery(CompiledQuery.raw('select 1'))),
    };

    for (const [kind, ask] of Object.entries(refused))
      it(kind, () =>
        twoFarms(async (store) => {
          const [ours, theirs] = [await allRows(store, 1), await allRows(store, 2)];
          await expect(store.write(1, async (db) => await ask(db))).rejects.toMatchObject({ name: 'ScopeError' });
          expect(await allRows(store, 1)).toBe(ours);
          expect(await allRows(store, 2)).toBe(theirs);
        }),
      );

    it('a query that another company’s handle compiled', () =>
      twoFarms(async (store) => {
        const theirs = await store.read(2, async (db) => db.selectFrom('waterings').selectAll().compile());
        await expect(store.read(1, (db) => db.executeQuery(theirs))).rejects.toMatchObject({ name: 'ScopeError' });
      }));
  });

  it('knows every table but the companies and the leases, which belong to none', () =>
    withStore(async (store) => {
      const names = await tableNames(store, isOnServer);
      expect(names.filter((name) => name !== 'companies' && name !== 'leases').sort()).toEqual(
        [...companyTableNames].sort(),
      );
    }));

  it('confines a handle made within a transaction over all companies', () =>
    twoFarms(async (store) => {
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

  it('gives the rows of one company whatever tables are joined, and however', () =>
    twoFarms(async (store) => {
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
              let query = untyped(db).selectFrom(`${first} as t`).select(`t.${anyColumn[first]} as c`);
              for (const [i, { table, kind }] of joins.entries()) {
                const source =
                  kind === 'subquery'
                    ? untyped(db).selectFrom(table).selectAll().as(`t${i}`)
                    : (`${table} as t${i}` as const);
                if (kind === 'cross') query = query.crossJoin(source) as never;
                else if (kind === 'left') query = query.leftJoin(source, (on) => on.onTrue()) as never;
                else query = query.innerJoin(source, (on) => on.onTrue()) as never;
                query = query.select(`t${i}.${anyColumn[table]} as c${i}`) as never;
              }
              return query.execute();
            });
            // Every table has one row of ours, but for the two waterings.
            const ours = [first, ...joins.map(({ table }) => table)].reduce(
              (n, table) => n * (table === 'waterings' ? 2 : 1),
              1,
            );
            expect(rows).toHaveLength(ours);
            expect(JSON.stringify(rows)).not.toContain('theirs');
          },
        ),
        { numRuns: 60 },
      );
    }));
});
