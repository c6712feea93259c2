import { afterFile } from '../../cleanup.ts';
import { importFarmFile, importReadingsCsv } from '../../imported-data.ts';
import { copyStoreAt } from '../../stores/stores.ts';
import { templateStore } from '../../stores/template-stores.ts';
import { copyOfStore } from '../../temporary-places.ts';
import { DAY, HOUR, iso } from '../../time.ts';
import { CLOCK } from '../program.ts';
import type { RestService } from '../rest-service.ts';

export const NOW = Date.parse(CLOCK);
const HOURS = 8 * 24;

const COMPANY = { name: 'Mas Rouge', countryCode: 'FR', currency: 'EUR', timezone: 'Europe/Paris' };
const LOAM = [{ usdaClass: 'Loam', depthTopCm: 0, depthBottomCm: 80 }];
const SENSORS = [15, 45].map((depth) => ({ type: 'humidity', depth }));

const probe = (uid: string, name: string, parcel: string, more: object = {}) => ({
  uid,
  name,
  parcel,
  category: 'SOIL_PROBE',
  commissionedAt: '2025-01-11T09:00:00Z',
  sensors: SENSORS,
  ...more,
});

/** Drip of 3 mm/h on 2,000 m2: 40 min are 2 mm and 4 m3. */
const DRIP = { system: 'drip', flowMmPerH: 3, fractionWetted: 0.5, irrigatedAreaM2: 2000 };

/**
 * "North 1" in comfort, "North 2" under stress, "South 1" silent since two days; Ana owns it, Vera
 * reads.
 */
const FARM = {
  company: COMPANY,
  users: [
    { email: 'ana@example.org', name: 'Ana', role: 'OWNER' },
    { email: 'vera@example.org', name: 'Vera', role: 'VIEWER' },
  ],
  parcels: [
    { name: 'North block', type: 'olive', soilProfile: LOAM, installation: DRIP },
    { name: 'South block', type: 'peach', soilProfile: LOAM },
  ],
  modules: [
    probe('A1', 'North 1', 'North block'),
    probe('A2', 'North 2', 'North block'),
    probe('B1', 'South 1', 'South block'),
  ],
};

/** Falls from `wet` by `aDay` points, and rises again each third day. */
const moisture = (wet: number, aDay: number, hour: number): string =>
  (wet - ((hour % 72) / 24) * aDay).toFixed(2);

function readings(): string {
  const rows = ['module,type,depth,time,value'];
  const record = (uid: string, wet: number, aDay: number, ends = NOW): void => {
    for (let hour = 0; hour < HOURS; hour++)
      for (const depth of [15, 45])
        rows.push(
          `${uid},humidity,${depth},${iso(ends - (HOURS - hour) * HOUR)},${moisture(wet, aDay, hour)}`,
        );
  };
  record('A1', 26, 0.8);
  record('A2', 15, 0.9);
  record('B1', 24, 0.5, NOW - 2 * DAY);
  return `${rows.join('\n')}\n`;
}

async function addFarm(db: string, company: string): Promise<void> {
  await importFarmFile(db, { ...FARM, company: { ...COMPANY, name: company } }, { clock: CLOCK });
  await importReadingsCsv(db, readings(), { clock: CLOCK, company });
}

const farm = templateStore((db) => addFarm(db, COMPANY.name));

export async function pageFarmForFile(): Promise<string> {
  const { db, remove } = await copyStoreAt(await farm());
  afterFile(remove);
  return db;
}

let farmCount = 0;

/** The same farm once more in a served store, as a company of its own for one test. */
export async function addPageFarm(service: RestService) {
  farmCount += 1;
  const company = `Mas Rouge ${farmCount}`;
  await addFarm(service.db, company);
  const key = await service.newKey('--company', company);
  const { data } = (await service.request('GET', '/modules', { key })).body;
  const idOf = (probe: string): number =>
    data.find(({ name }: { name: string }) => name === probe).id;
  return { company, key, idOf };
}

/** The readings of "North 1", at each depth of the base farm. */
export const moistureOfNorth1 = (clock: string, value: number) => ({
  readings: [10, 20, 30].map((depth) => ({
    module: 'A1',
    type: 'humidity',
    depth,
    time: `2026-07-01T${clock}:00Z`,
    value,
  })),
});

const MANY = 200;

const manyProbes = templateStore(async (db) => {
  const modules = Array.from({ length: MANY }, (_, index) =>
    probe(`P${index}`, `Olivette, row ${index}`, `Terrace ${Math.floor(index / 10)}`, {
      sensors: [SENSORS[0]],
    }),
  );
  const parcels = Array.from({ length: MANY / 10 }, (_, index) => ({
    name: `Terrace ${index}`,
    type: 'olive, Picholine',
    soilProfile: LOAM,
    installation: DRIP,
  }));
  await importFarmFile(db, { ...FARM, parcels, modules }, { clock: CLOCK });
  const rows = ['module,type,depth,time,value'];
  for (const [index, { uid }] of modules.entries())
    for (let hour = 0; hour < 7 * 24; hour += 3)
      rows.push(
        `${uid},humidity,15,${iso(NOW - hour * HOUR)},${moisture(16 + (index % 12), 0.7, hour)}`,
      );
  await importReadingsCsv(db, `${rows.join('\n')}\n`, { clock: CLOCK });
});

export const newFarmOfManyProbes = async (): Promise<string> => copyOfStore(await manyProbes());
