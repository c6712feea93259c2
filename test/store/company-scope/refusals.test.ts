import { CompiledQuery, sql } from 'kysely';
import { expect, it } from 'vitest';
import type { CompanyDb } from '../../../src/store/tables.ts';
import { withStore } from '../temporary-stores.ts';
import { allRows, untyped, withTwoFarms } from './two-farms.ts';

const refused: Record<string, (db: CompanyDb) => Promise<unknown>> = {
  'the companies': (db) => untyped(db).selectFrom('companies').selectAll().execute(),
  'a join with the companies': (db) =>
    untyped(db)
      .selectFrom('parcels')
      .innerJoin('companies', 'companies.id', 'parcels.id')
      .selectAll()
      .execute(),
  'an insert of a company': (db) =>
    untyped(db).insertInto('companies').values({ name: 'x' }).execute(),
  'an unknown table': (db) => untyped(db).selectFrom('secrets').selectAll().execute(),
  'the list of migrations': (db) =>
    untyped(db).selectFrom('kysely_migration').selectAll().execute(),
  'a table of another schema': (db) =>
    db.withSchema('main').selectFrom('waterings').selectAll().execute(),
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
  'a subquery in raw SQL': (db) =>
    db.selectFrom('modules').select(sql`(SELECT note FROM x)`.as('n')).execute(),
  'a table in place of a value': (db) =>
    db
      .selectFrom('modules')
      .select('uid')
      .where((eb) => eb('id', 'in', eb.table('waterings' as never) as never))
      .execute(),
  'a table name in a raw expression': (db) =>
    db
      .selectFrom('modules')
      .select('uid')
      .where(sql<boolean>`exists (values (Waterings.note))`)
      .execute(),
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
  'an update of the company': (db) =>
    untyped(db).updateTable('parcels').set({ company_id: 2 }).execute(),
  'an upsert that changes the company': (db) =>
    untyped(db)
      .insertInto('parcels')
      .values({ name: 'North' })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ company_id: 2 }))
      .execute(),
  'an insert that replaces': (db) => db.replaceInto('parcels').values({ name: 'North' }).execute(),
  'an insert or replace': (db) =>
    db.insertInto('parcels').orReplace().values({ name: 'North' }).execute(),
  'an insert of defaults': (db) => db.insertInto('parcels').defaultValues().execute(),
  'a merge': (db) =>
    db
      .mergeInto('parcels')
      .using('modules', 'modules.parcel_id', 'parcels.id')
      .whenMatched()
      .thenDelete()
      .execute(),
  'an update of the audit log': (db) => db.updateTable('changes').set({ operation: 'x' }).execute(),
  'an update of the audit log by another name': (db) =>
    db.updateTable('changes as c').set({ operation: 'x' }).where('c.id', '=', 1).execute(),
  'a delete from the audit log': (db) => db.deleteFrom('changes').where('id', '=', 1).execute(),
  'a delete from the audit log by another name': (db) => db.deleteFrom('changes as c').execute(),
  'an upsert into the audit log': (db) =>
    untyped(db)
      .insertInto('changes')
      .values({ id: 1, operation: 'x' })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ operation: 'x' }))
      .execute(),
  'a change of the tables': (db) => db.schema.dropTable('waterings').execute(),
  'a query that another handle compiled': (db) =>
    db.executeQuery(CompiledQuery.raw('select * from waterings')),
  'its connection': (db) =>
    db
      .getExecutor()
      .provideConnection((connection) => connection.executeQuery(CompiledQuery.raw('select 1'))),
};

// The queries are refused before they reach a database, so one kind of store is enough.

it.each(Object.entries(refused))('refuses %s', (_, query) =>
  withTwoFarms(withStore, async (store) => {
    const [own, other] = [await allRows(store, 1), await allRows(store, 2)];
    await expect(store.write(1, async (db) => await query(db))).rejects.toMatchObject({
      name: 'ScopeError',
    });
    expect(await allRows(store, 1)).toBe(own);
    expect(await allRows(store, 2)).toBe(other);
  }),
);

it('refuses a query that the handle of another company compiled', () =>
  withTwoFarms(withStore, async (store) => {
    const other = await store.read(2, async (db) =>
      db.selectFrom('waterings').selectAll().compile(),
    );
    await expect(store.read(1, (db) => db.executeQuery(other))).rejects.toMatchObject({
      name: 'ScopeError',
    });
  }));
