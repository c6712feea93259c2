import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { CompanyDb } from '../../../src/store/tables.ts';
import { installationRow, wateringRow } from '../sample-rows.ts';
import { onEachStore } from '../temporary-stores.ts';
import {
  allRows,
  anyColumn,
  appendOnlyTables,
  changeableTables,
  companyTableNames,
  untyped,
  withTwoFarms,
} from './two-farms.ts';

const writes: Record<string, (db: CompanyDb) => Promise<unknown>> = {
  'an update without a condition': (db) =>
    db.updateTable('waterings').set({ note: 'changed' }).execute(),
  'an update with an alias': (db) =>
    db.updateTable('waterings as w').set({ note: 'changed' }).execute(),
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
  'a delete with an alias and returning': (db) =>
    db.deleteFrom('waterings as w').returningAll().execute(),
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
        db
          .selectFrom('modules')
          .select('uid as name')
          .unionAll(db.selectFrom('gateways').select('imei as name')),
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
  'an insert that leaves an existing row': (db) =>
    db
      .insertInto('parcels')
      .values({ name: 'North' })
      .onConflict((conflict) => conflict.doNothing())
      .execute(),
};

onEachStore((withStore, isOnServer) => {
  describe('a company changes only its own rows', () => {
    // On PostgreSQL the company is part of the key, so the row would not conflict with another
    // company's.
    const possible = Object.entries(writes).filter(
      ([kind]) => !isOnServer || !/^an upsert on (the id|whatever)/.test(kind),
    );
    it.each(possible)('by %s', (kind, write) =>
      withTwoFarms(withStore, async (store) => {
        const [own, other] = [await allRows(store, 1), await allRows(store, 2)];
        await store.write(1, write);
        expect(await allRows(store, 2)).toBe(other);
        expect(await allRows(store, 1)).not.toContain('theirs');
        if (!/another’s row|whatever|leaves/.test(kind))
          expect(await allRows(store, 1)).not.toBe(own);
      }),
    );

    it('in every table, by update and delete', () =>
      withTwoFarms(withStore, async (store) => {
        const other = await allRows(store, 2);
        const order = [...changeableTables].reverse();
        const keptTables = [...appendOnlyTables, 'change_counts'];
        const kept = companyTableNames.map((table) =>
          keptTables.includes(table) ? [expect.any(Object)] : [],
        );
        await store.write(1, async (db) => {
          await untyped(db)
            .updateTable('modules')
            .set({ parcel_id: null, gateway_id: null })
            .execute();
          for (const table of order) {
            const column = anyColumn[table];
            const updated = await untyped(db)
              .updateTable(table)
              .set({ [column]: sql.ref(column) })
              .executeTakeFirst();
            expect(Number(updated.numUpdatedRows), table).toBeGreaterThan(0);
          }
          for (const table of [
            ...order.filter((t) => t !== 'modules' && t !== 'parcels'),
            'modules',
            'parcels',
          ])
            await untyped(db).deleteFrom(table).execute();
        });
        expect(await allRows(store, 2)).toBe(other);
        expect(JSON.parse(await allRows(store, 1))).toEqual(kept);
      }));

    it('and cannot refer to another company’s row', () =>
      withTwoFarms(withStore, async (store) => {
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
          store.write(1, (db) =>
            db.insertInto('installation_versions').values(installationRow(2, 'ours')).execute(),
          ),
        ).rejects.toThrow(/foreign key/i);
      }));
  });
});
