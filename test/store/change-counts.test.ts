import { expect, it } from 'vitest';
import { COMPANY_TABLES } from '../../src/schema/tables/index.ts';
import { changeCount, probesVersion } from '../../src/store/changes/change-counts.ts';
import { deleteCompany, updateCompany } from '../../src/store/company/companies.ts';
import { deleteReadings } from '../../src/store/ingest/reading-writes.ts';
import { readingVersions } from '../../src/store/moisture/reading-versions.ts';
import { isCountedTable } from '../../src/store/scope/counted-changes.ts';
import type { Store } from '../../src/store/store.ts';
import {
  anyColumn,
  changeableTables,
  companyTableNames,
  untyped,
  withTwoFarms,
} from './company-scope/two-farms.ts';
import { record } from './stored-readings.ts';
import { addParcel, onEachStore } from './temporary-stores.ts';

const countOf = (store: Store, companyId = 1) => store.read(companyId, changeCount);

onEachStore((withStore) => {
  it('counts each transaction that changes rows of the company, once', () =>
    withStore(async (store) => {
      expect(await countOf(store)).toBe(0);
      await store.write(1, async (db) => {
        await addParcel('North')(db);
        await addParcel('South')(db);
      });
      expect(await countOf(store)).toBe(1);
      expect(await countOf(store, 2)).toBe(0);

      await store.writeAll((all) => updateCompany(all, 2, { timezone: 'Europe/Paris' }));
      expect(await countOf(store, 2)).toBe(1);
    }));

  it('counts neither reads nor what was rolled back', () =>
    withStore(async (store) => {
      await store.read(1, (db) => db.selectFrom('parcels').selectAll().execute());
      const failing = store.write(1, async (db) => {
        await addParcel('North')(db);
        throw new Error('on purpose');
      });
      await expect(failing).rejects.toThrow('on purpose');
      expect(await countOf(store)).toBe(0);
    }));

  it('counts writes to every table but those of keys, sessions and mail', () =>
    withTwoFarms(withStore, async (store) => {
      for (const table of changeableTables) {
        const before = await countOf(store);
        await store.write(1, async (db) => {
          const column = anyColumn[table];
          await untyped(db)
            .updateTable(table)
            .set((eb) => ({ [column]: eb.ref(column) }))
            .execute();
        });
        expect((await countOf(store)) - before, table).toBe(isCountedTable(table) ? 1 : 0);
      }
    }));

  it('gives probes a new version each time that a row changes that describes them', () =>
    withTwoFarms(withStore, async (store) => {
      const versionOf = (companyId: number) => store.read(companyId, probesVersion);
      const describing = companyTableNames.filter((name) => COMPANY_TABLES[name].describesProbes);
      const touch = (table: (typeof companyTableNames)[number]) =>
        store.write(1, async (db) => {
          const column = anyColumn[table];
          await untyped(db)
            .updateTable(table)
            .set((eb) => ({ [column]: eb.ref(column) }))
            .execute();
        });

      await touch('users');
      const versions = new Set([await versionOf(1)]);
      const ofOther = await versionOf(2);
      for (const table of changeableTables) {
        const before = await versionOf(1);
        await touch(table);
        const isNew = (await versionOf(1)) !== before;
        expect(isNew, table).toBe(describing.includes(table));
        versions.add(await versionOf(1));
      }

      expect(versions.size).toBe(1 + describing.length);
      expect(versions).not.toContain(null);
      expect(await versionOf(2)).toBe(ofOther);
    }));

  it('gives no version in a transaction that has changed modules itself', () =>
    withTwoFarms(withStore, (store) =>
      store.write(1, async (db) => {
        await db.updateTable('users').set({ name: 'Ana' }).execute();
        expect(await probesVersion(db)).not.toBeNull();
        await db.updateTable('modules').set({ name: 'Another' }).execute();
        expect(await probesVersion(db)).toBeNull();
      }),
    ));

  it('counts readings, however they are written', () =>
    withTwoFarms(withStore, async (store) => {
      const { id } = await store.read(1, (db) =>
        db.selectFrom('sensors').select('id').executeTakeFirstOrThrow(),
      );
      const before = await countOf(store);
      await record(store, [[id, 0, 20]]);
      expect(await countOf(store)).toBe(before + 1);
    }));

  it('gives the readings of a module a new version each time that some change', () =>
    withTwoFarms(withStore, async (store) => {
      const { id, module_id: moduleId } = await store.read(1, (db) =>
        db.selectFrom('sensors').select(['id', 'module_id']).executeTakeFirstOrThrow(),
      );
      const versionOf = async (companyId: number) =>
        (await store.read(companyId, (db) => readingVersions(db, [moduleId]))).get(moduleId);
      const ofOther = await versionOf(2);
      const versions = new Set<string | undefined>();

      for (const change of [
        () => record(store, [[id, 0, 20]]),
        () => record(store, [[id, 0, 21]]),
        () => store.write(1, (db) => deleteReadings(db, [{ sensorId: id, at: 0, value: 21 }])),
      ]) {
        await change();
        versions.add(await versionOf(1));
      }

      expect(versions.size).toBe(3);
      expect(versions).not.toContain(undefined);
      expect(await versionOf(2)).toBe(ofOther);
    }));

  it('is deleted with the company', () =>
    withStore(async (store) => {
      await store.writeUnscoped(2, async (all) => {
        await addParcel('North')(store.scopeToCompany(all, 2));
        await all.deleteFrom('parcels').where('company_id', '=', 2).execute();
        await deleteCompany(all, 2);
      });
      const rows = await store.readAll((all) =>
        all.selectFrom('change_counts').selectAll().execute(),
      );
      expect(rows).toEqual([]);
    }));
});
