import { afterFile } from './cleanup.ts';
import { importFarmFile } from './imported-data.ts';
import { copyStoreAt } from './stores/stores.ts';
import { templateStore } from './stores/template-stores.ts';
import { copyOfStore } from './temporary-places.ts';

/**
 * "North block" has the probes "North 1" (own drip, 3.2 mm/h) and "North 2" (the parcel's
 * sprinklers, 6 mm/h), "South block" the probe "South 1" without any equipment and the station
 * "Mast".
 */
const FARM = {
  company: { name: 'Mas Rouge', countryCode: 'FR', currency: 'EUR', timezone: 'Europe/Paris' },
  users: [{ email: 'ana@example.org', name: 'Ana', role: 'OWNER' }],
  parcels: [
    { name: 'North block', type: 'olive', installation: { system: 'sprinkler', flowMmPerH: 6 } },
    {
      name: 'South block',
      geometry: {
        type: 'Polygon',
        coordinates: [
          [
            [3.87, 43.61],
            [3.88, 43.61],
            [3.88, 43.62],
            [3.87, 43.61],
          ],
        ],
      },
    },
  ],
  gateways: [{ imei: '356938035643809', assignedAt: '2025-01-10T00:00:00Z' }],
  modules: [
    {
      uid: 'A1',
      name: 'North 1',
      category: 'SOIL_PROBE',
      parcel: 'North block',
      gateway: '356938035643809',
      commissionedAt: '2025-01-11T09:00:00Z',
      location: { lat: 43.61, lon: 3.87, source: 'manual' },
      sensors: [10, 20, 30].flatMap((depth) => [
        { type: 'humidity', depth },
        { type: 'temperature', depth, label: `T ${depth}` },
      ]),
      installation: { system: 'drip', emitterFlowLph: 1.6, emittersPerM2: 2 },
    },
    {
      uid: 'A2',
      name: 'North 2',
      category: 'SOIL_PROBE',
      parcel: 'North block',
      commissionedAt: '2025-01-11T09:00:00Z',
    },
    {
      uid: 'B1',
      name: 'South 1',
      category: 'SOIL_PROBE',
      parcel: 'South block',
      commissionedAt: '2025-01-11T09:00:00Z',
    },
    {
      uid: 'C1',
      name: 'Mast',
      category: 'WEATHER_STATION',
      parcel: 'South block',
      commissionedAt: '2025-01-11T09:00:00Z',
    },
  ],
};
export const importBaseFarm = (db: string): Promise<void> => importFarmFile(db, FARM);

const importedStore = templateStore(importBaseFarm);

export const newBaseFarm = async (): Promise<string> => copyOfStore(await importedStore());

export const baseFarmForFile = (): Promise<string> => copyForFile(importedStore);

const storeInUsUnits = templateStore((db) =>
  importFarmFile(db, { ...FARM, company: { ...FARM.company, units: 'us' } }),
);

/** The farm with other names, in the file of which `change` puts them. */
export const importChangedBaseFarm = (
  db: string,
  change: (farm: typeof FARM) => object,
): Promise<void> => importFarmFile(db, change(FARM));

/** The same farm with US units. */
export const usBaseFarmForFile = (): Promise<string> => copyForFile(storeInUsUnits);

async function copyForFile(template: () => Promise<string>): Promise<string> {
  const { db, remove } = await copyStoreAt(await template());
  afterFile(remove);
  return db;
}

/** Drip of 3.2 mm/h for 45 min: 2.4 mm. */
export const WATERING = {
  module: 'North 1',
  startedAt: 'today 6:00',
  inputMode: 'duration',
  durationMin: 45,
};
