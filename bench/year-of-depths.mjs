/** Years of readings of one probe every 15 minutes: with five depths, 175,200 a year. */
import { importFarm, importReadings } from './program.mjs';
import { sized } from './sizes.mjs';

export const DEPTHS = [10, 20, 30, 45, 60];
const STEP_MS = sized(900_000, 3_600_000);
export const DAY_MS = 86_400_000;
export const END = Date.UTC(2026, 0, 1);

const farmOf = (depths) => ({
  company: { name: 'Mas Rouge', timezone: 'Europe/Paris' },
  users: [{ email: 'ana@example.org', name: 'Ana', role: 'OWNER' }],
  parcels: [
    { name: 'North block', soilProfile: [{ usdaClass: 'Loam', depthTopCm: 0, depthBottomCm: 60 }] },
  ],
  modules: [
    {
      uid: 'A1',
      name: 'North 1',
      category: 'SOIL_PROBE',
      parcel: 'North block',
      commissionedAt: '2015-01-01T00:00:00Z',
      sensors: depths.map((depth) => ({ type: 'humidity', depth })),
      settings: { rootDepthCm: 60 },
    },
  ],
});

function* csvOf(years, depths) {
  yield `time,${depths.map((depth) => `humidity_${depth}`).join(',')}\n`;
  const rows = (years * 365 * DAY_MS) / STEP_MS;
  let block = '';
  for (let row = 0; row < rows; row++) {
    const values = depths.map((_, sensor) => 10 + ((row * 7919 + sensor * 104_729) % 3000) / 100);
    block += `${new Date(END - (rows - row) * STEP_MS).toISOString()},${values.join(',')}\n`;
    if (block.length < 1 << 16 && row + 1 < rows) continue;
    yield block;
    block = '';
  }
}

export async function importYears(db, years, depths = DEPTHS) {
  await importFarm(db, farmOf(depths));
  await importReadings(db, csvOf(years, depths), { options: ['--module', 'North 1'] });
}
