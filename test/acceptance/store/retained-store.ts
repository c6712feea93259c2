import { expect } from 'vitest';
import { recordReadings } from '../../../src/store/ingest/reading-writes.ts';
import { importFarmFile } from '../../imported-data.ts';
import { executeStatements, rowsOf, withSecondStore } from '../../stores/stores.ts';
import { runProgram } from '../program.ts';

const FIRST = Date.UTC(2024, 6, 1);
const QUARTER_MS = 900_000;
/** A year, of which those of 2025-07-01 and later are kept. */
const READINGS = 4 * 24 * 380;
export const KEPT_FROM = '2025-07-01';

const FARM = {
  company: { name: 'Mas Rouge', timezone: 'Europe/Paris' },
  users: [{ email: 'ana@example.org', name: 'Ana', role: 'OWNER' }],
  modules: [
    {
      ...{ uid: 'A1', name: 'North 1', category: 'SOIL_PROBE' },
      ...{ commissionedAt: '2024-06-01T00:00:00Z' },
      sensors: [
        { type: 'humidity', depth: 10 },
        { type: 'humidity', depth: 30 },
      ],
    },
  ],
};

/** Two sensors with readings of 380 days, some of whose sums are missing. */
export async function fillWithYears(db: string): Promise<void> {
  await importFarmFile(db, FARM);
  await withSecondStore(db, async (store) => {
    for (const sensorId of [1, 2])
      for (let first = 0; first < READINGS; first += 10_000) {
        const length = Math.min(10_000, READINGS - first);
        await store.write(1, (own) =>
          recordReadings(own, {
            sensorIds: new Float64Array(length).fill(sensorId),
            at: Float64Array.from({ length }, (_, row) => FIRST + (first + row) * QUARTER_MS),
            values: Float64Array.from({ length }, (_, row) => 20 + ((first + row) % 37) / 7),
            length,
          }),
        );
      }
  });
  await executeStatements(db, `delete from reading_hours where bucket_at % 7 = 0`);
}

export const retain = (db: string, ...options: string[]): string[] => [
  ...['retain', '--readings', '1y', ...options, '--db', db],
  ...['--clock', '2026-07-01T10:00:00Z'],
];

const COLUMNS = 'sensor_id, bucket_at, count, sum';

export const contentsOf = async (db: string) => ({
  readings: await rowsOf(db, 'select sensor_id, at, value from readings order by 1, 2'),
  hours: await rowsOf(db, `select ${COLUMNS} from reading_hours order by 1, 2`),
  days: await rowsOf(db, `select ${COLUMNS} from reading_days order by 1, 2`),
  localDays: await rowsOf(db, `select ${COLUMNS} from reading_local_days order by 1, 2`),
  retention: await rowsOf(db, 'select kept_from, day_zone from reading_retention'),
});

/** The daily series of the whole time, as a client gets it. */
export const dailyAnswer = (db: string): Promise<string> =>
  seriesAnswer(db, 'start=2024-07-02', 'end=2025-07-12', 'interval=86400');

/** The hourly series of days of which hours stand in place of readings. */
export const hourlyAnswer = (db: string): Promise<string> =>
  seriesAnswer(db, 'start=2025-06-20', 'end=2025-07-03', 'interval=3600');

async function seriesAnswer(db: string, ...period: string[]): Promise<string> {
  const args = ['call', 'get_moisture_series', 'module=North 1', ...period, '--db', db];
  const { stdout } = await runProgram(...args, '--clock', '2026-07-01T10:00:00Z');
  expect(stdout).toContain('North 1');
  return stdout;
}

export const phaseOf = async (db: string): Promise<'sums' | 'readings' | 'done'> => {
  const [retention] = await rowsOf(db, 'select kept_from from reading_retention');
  if (retention === undefined) return 'sums';
  const [left] = await rowsOf(
    db,
    `select at from readings where at < ${Date.parse('2025-06-30T22:00:00Z')} limit 1`,
  );
  return left === undefined ? 'done' : 'readings';
};
