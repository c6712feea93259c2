import { describe, expect, it } from 'vitest';
import { findModules, findSensor } from '../../../src/service/ingest/sensor-index.ts';
import { loadSensorIndex } from '../../../src/service/ingest/sensor-index-cache.ts';
import { insertCompany } from '../../../src/store/company/companies.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import type { CompanyDb } from '../../../src/store/tables.ts';
import { bareModule, NO_DETAILS } from '../../farm.ts';
import { withSecondStore } from '../../stores/stores.ts';
import { newEmptyStore } from '../../stores/template-stores.ts';

const addProbe = async (db: CompanyDb, name: string): Promise<number> => {
  const module = await db
    .insertInto('modules')
    .values(bareModule({ uid: name, name }))
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('sensors')
    .values({ module_id: module.id, type: 'humidity', depth: 10, label: null })
    .execute();
  return module.id;
};

async function withProbe(
  body: (farm: { store: Store; db: string; companyId: number; moduleId: number }) => Promise<void>,
): Promise<void> {
  const { db, remove } = await newEmptyStore();
  const store = await openStore({ db });
  try {
    const companyId = await store.writeAll((all) =>
      insertCompany(all, { name: 'Mas Rouge', timezone: 'UTC', ...NO_DETAILS }),
    );
    const moduleId = await store.write(companyId, (companyDb) => addProbe(companyDb, 'North'));
    await body({ store, db, companyId, moduleId });
  } finally {
    await store.close();
    await remove();
  }
}

const rename = (moduleId: number, name: string) => async (db: CompanyDb) => {
  await db.updateTable('modules').set({ name }).where('id', '=', moduleId).execute();
};

describe('the index of modules and sensors', () => {
  it('is the same until a row changes that describes probes', () =>
    withProbe(async ({ store, companyId }) => {
      const index = await store.read(companyId, loadSensorIndex);
      await store.write(companyId, async (db) => {
        await db
          .insertInto('users')
          .values({ name: 'Ana', email: 'ana@example.org', role: 'VIEWER' })
          .execute();
      });
      expect(await store.read(companyId, loadSensorIndex)).toBe(index);
    }));

  it('has what another process has just renamed and added', () =>
    withProbe(async ({ store, db, companyId, moduleId }) => {
      await store.read(companyId, loadSensorIndex);
      const added = await withSecondStore(db, (other) =>
        other.write(companyId, async (companyDb) => {
          await rename(moduleId, 'South')(companyDb);
          return addProbe(companyDb, 'West');
        }),
      );

      const index = await store.read(companyId, loadSensorIndex);
      expect(findModules(index, 'South')).toMatchObject([{ id: moduleId }]);
      expect(findModules(index, 'west')).toMatchObject([{ id: added }]);
      expect(findSensor(index, added, 'humidity', 10)).toBeDefined();
    }));

  it('has what the transaction itself has renamed, and no other sees it', () =>
    withProbe(async ({ store, companyId, moduleId }) => {
      await store.read(companyId, loadSensorIndex);
      const failing = store.write(companyId, async (db) => {
        await rename(moduleId, 'South')(db);
        expect(findModules(await loadSensorIndex(db), 'South')).toHaveLength(1);
        throw new Error('on purpose');
      });

      await expect(failing).rejects.toThrow('on purpose');
      const index = await store.read(companyId, loadSensorIndex);
      expect(findModules(index, 'South')).toEqual([]);
      expect(findModules(index, 'North')).toMatchObject([{ id: moduleId }]);
    }));

  it('is of its own company and store', () =>
    withProbe(({ store, companyId }) =>
      withProbe(async (other) => {
        expect(other.companyId).toBe(companyId);
        await other.store.write(companyId, rename(other.moduleId, 'Elsewhere'));
        for (let call = 0; call < 2; call++) {
          const indexes = [
            await store.read(companyId, loadSensorIndex),
            await other.store.read(companyId, loadSensorIndex),
          ];
          expect(indexes.map(({ modules }) => modules[0]?.name)).toEqual(['North', 'Elsewhere']);
        }
      }),
    ));
});
