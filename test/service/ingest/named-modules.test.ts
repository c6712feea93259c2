import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  findModules,
  loadSensorIndex,
  loadSensorIndexOf,
} from '../../../src/service/ingest/sensor-index.ts';
import { insertCompany } from '../../../src/store/company/companies.ts';
import { openStore } from '../../../src/store/store.ts';
import { bareModule, NO_DETAILS } from '../../farm.ts';
import { newEmptyStore } from '../../stores/template-stores.ts';

/** Uids and names that are alike, ids that are names, and modules without a name. */
const MODULES = [
  { uid: 'A1', name: 'Probe 1' },
  { uid: 'a1', name: 'probe 1' },
  { uid: '7', name: 'A1' },
  { uid: '#8', name: '7' },
  { uid: 'Sonde été', name: null, number: 1 },
  { uid: 'E', name: null, number: 2 },
  { uid: 'F', name: 'Soil probe 2' },
  { uid: 'G', name: 'Sonde Été' },
  { uid: 'H', name: null, number: 3, category: 'WEATHER_STATION' },
];

const words = [
  ...MODULES.flatMap(({ uid, name }) => [uid, name ?? '']),
  ...['Soil probe 1', 'Sonde 1', 'soil PROBE 2', 'Soil probe 2', 'Weather station 3', 'PROBE 1'],
  ...['sonde ete', ' A1 ', '#1', '#4', '#12345678901234567', '', ' ', 'nothing', 'a\0b', '% _'],
];

it('finds the same modules among those it loads for some texts as among all', async () => {
  const empty = await newEmptyStore();
  const store = await openStore({ db: empty.db });
  const companyId = await store.writeAll(async (all) => {
    const id = await insertCompany(all, { name: 'Mas Rouge', timezone: 'UTC', ...NO_DETAILS });
    const db = store.scopeToCompany(all, id);
    for (const module of MODULES)
      await db.insertInto('modules').values(bareModule(module)).execute();
    return id;
  });
  const all = await store.read(companyId, loadSensorIndex);
  const found = new Set<number>();
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...words), { maxLength: 4 }), async (texts) => {
      const index = await store.read(companyId, (db) => loadSensorIndexOf(db, texts));
      for (const text of texts) {
        const ids = findModules(index, text).map(({ id }) => id);
        expect(ids).toEqual(findModules(all, text).map(({ id }) => id));
        for (const id of ids) found.add(id);
      }
    }),
    { numRuns: 200 },
  );
  expect(found.size).toBe(MODULES.length);
  await store.close();
  await empty.remove();
});
