import fc from 'fast-check';
import { chunksOf } from '../../../src/domain/groups.ts';
import { WATERING_STATUSES } from '../../../src/schema/irrigation/watering.ts';
import { FARM_NOW, HOUR, type TestFarm } from '../../farm.ts';

/** Several statements read them. */
const ROWS = 5_800;
export const PROBES = ['North 1', 'North 2', 'North 3', 'South 1', 'Loose'];

const FIRST_ID = 10_000;
export const HOURS = 20 * 24;

/** Sums of quarters are exact in any order. */
const quarters = fc.option(fc.integer({ min: 1, max: 80 }).map((n) => n / 4));

const drawn = fc.record({
  probe: fc.constantFrom(...PROBES),
  kind: fc.constantFrom(
    'alone',
    'of an irrigation',
    'of the parcel’s schedule',
    'of the probe’s schedule',
  ),
  hour: fc.oneof(fc.constant(0), fc.integer({ min: -HOURS, max: HOURS })),
  status: fc.constantFrom(...WATERING_STATUSES),
  duration_min: fc.option(fc.integer({ min: 1, max: 90 })),
  input_volume_m3: quarters,
  water_mm: quarters,
  water_mm_wetted: quarters,
  dose_fraction_wetted: fc.constantFrom(null, 0.5, 1),
});

export type WateringRow = Awaited<ReturnType<typeof fillWithWaterings>>[number];

/**
 * Rows of one irrigation, and of one occurrence, are at different times as well, as if a person had
 * moved them.
 */
export async function fillWithWaterings(farm: TestFarm, seed: number) {
  const [ofParcel, ofProbe] = [
    (await farm.createSchedule({ parcel: 'North block', isActive: false })).id,
    (await farm.createSchedule({ module: 'North 1', isActive: false })).id,
  ];
  const lastStarts = new Map<string, number>();
  const nextStart = (schedule: number, probe: string): string => {
    const scheduled_start = (lastStarts.get(`${schedule} ${probe}`) ?? 0) + 1;
    lastStarts.set(`${schedule} ${probe}`, scheduled_start);
    return String(scheduled_start).padStart(4, '0');
  };

  const rows = fc
    .sample(drawn, { numRuns: ROWS, seed })
    .map(({ probe: anyProbe, kind, hour, ...row }, index) => {
      const probe = kind === 'of the probe’s schedule' ? 'North 1' : anyProbe;
      const schedules = {
        'of the parcel’s schedule': ofParcel,
        'of the probe’s schedule': ofProbe,
      } as const;
      const schedule_id = kind in schedules ? schedules[kind as keyof typeof schedules] : null;
      const id = FIRST_ID + index;
      return {
        ...row,
        id,
        module_id: farm.idOf(probe),
        schedule_id,
        scheduled_start: schedule_id === null ? null : nextStart(schedule_id, probe),
        irrigation_id: kind === 'of an irrigation' ? id - (index % 8) : null,
        started_at: FARM_NOW + hour * HOUR,
        dose_irrigated_area_m2: 1000,
      };
    });
  // The first row of an irrigation is one of that irrigation.
  const irrigations = new Set(rows.map(({ irrigation_id }) => irrigation_id));
  const waterings = rows.map((row) =>
    irrigations.has(row.id)
      ? { ...row, irrigation_id: row.id, schedule_id: null, scheduled_start: null }
      : row,
  );
  const entered = {
    is_detached: 0 as const,
    input_mode: 'duration' as const,
    dose_fraction_wetted_is_default: 0 as const,
    source: 'manual' as const,
    created_at: 0,
  };
  await farm.write(async (db) => {
    for (const chunk of chunksOf(waterings, 500))
      await db
        .insertInto('waterings')
        .values(chunk.map((row) => ({ ...row, ...entered })))
        .execute();
  });
  return waterings;
}
