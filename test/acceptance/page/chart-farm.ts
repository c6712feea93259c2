import { afterFile } from '../../cleanup.ts';
import { importFarmFile, importReadingsCsv } from '../../imported-data.ts';
import { copyStoreAt } from '../../stores/stores.ts';
import { templateStore } from '../../stores/template-stores.ts';
import { DAY, HOUR } from '../../time.ts';

/** 12:00 in Madrid. */
export const CHART_CLOCK = '2026-07-01T10:00:00Z';
const NOW = Date.parse(CHART_CLOCK);

export const OLIVES = 'Olivar norte';

const FARM = {
  company: { name: 'Finca Alta', countryCode: 'ES', currency: 'EUR', timezone: 'Europe/Madrid' },
  users: [
    { email: 'ana@example.org', name: 'Ana', role: 'OWNER' },
    { email: 'vera@example.org', name: 'Vera', role: 'VIEWER' },
  ],
  parcels: [
    {
      name: 'Norte',
      type: 'olive',
      installation: { system: 'drip', emitterFlowLph: 1.6, emittersPerM2: 2 },
      soilProfile: [{ usdaClass: 'Loam', depthTopCm: 0, depthBottomCm: 90 }],
    },
  ],
  gateways: [],
  modules: [
    {
      uid: 'OLIVE1',
      name: OLIVES,
      category: 'SOIL_PROBE',
      parcel: 'Norte',
      commissionedAt: '2025-06-20T09:00:00Z',
      sensors: [15, 35, 60].map((depth) => ({ type: 'humidity', depth })),
    },
  ],
};

const READINGS_FROM = NOW - 365 * DAY;

/** A logger that was stolen: four days without readings. */
const GAP = { start: NOW - 20 * DAY, end: NOW - 16 * DAY } as const;

/**
 * The soil dries by day; every sixth day it is watered at six in the morning, and the deeper
 * sensors follow later.
 */
export function moistureAt(at: number, depth: number): number {
  const depthIndex = [15, 35, 60].indexOf(depth);
  const cycle = 6 * DAY;
  const since = (at - READINGS_FROM - depthIndex * 3 * HOUR + cycle) % cycle;
  const season = Math.cos(((at - Date.UTC(2026, 0, 15)) / (365 * DAY)) * 2 * Math.PI);
  const drop = (since / cycle) * (5.5 - 1.6 * depthIndex) * (1 - 0.45 * season);
  const daily = 0.25 * Math.sin((at / DAY) * 2 * Math.PI) * (3 - depthIndex);
  return 25 + depthIndex * 1.2 + 2.2 * season - drop + daily + 1.4 * Math.sin(at / (23 * DAY));
}

function readingsCsv(): string {
  const lines = ['module,type,depth,time,value'];
  for (let at = READINGS_FROM; at < NOW; at += HOUR) {
    if (at >= GAP.start && at < GAP.end) continue;
    const time = new Date(at).toISOString();
    for (const depth of [15, 35, 60])
      lines.push(`OLIVE1,humidity,${depth},${time},${moistureAt(at, depth).toFixed(2)}`);
  }
  return lines.join('\n');
}

const storeOfAYear = templateStore(async (db) => {
  await importFarmFile(db, FARM);
  await importReadingsCsv(db, readingsCsv(), { clock: CHART_CLOCK });
});

/** One probe with a reading every hour for a year. */
export async function chartFarm(): Promise<string> {
  const { db, remove } = await copyStoreAt(await storeOfAYear());
  afterFile(remove);
  return db;
}
