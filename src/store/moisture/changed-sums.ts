import { type DayRun, dayRuns } from '../../domain/moisture/day-runs.ts';
import { bucketStart, HOUR_MS, type Period } from '../../domain/periods.ts';
import type { DaysOfReadings } from '../company/local-day-zone.ts';
import type { ChangedSums, SensorPeriod, SumBuckets } from '../store-adapter.ts';

/**
 * The sums that change with readings in these whole hours, in the order in which to compute them.
 * The periods are ordered by sensor and time.
 */
export function changedSums(
  hours: readonly SensorPeriod[],
  { zone, keptFrom }: DaysOfReadings,
): ChangedSums[] {
  const onlyHoursBefore = keptFrom && bucketStart(keptFrom, HOUR_MS);
  return [
    {
      table: 'reading_hours',
      source: 'readings',
      buckets: hours.map((period) => ({ ...period, bucketMs: HOUR_MS })),
    },
    { table: 'reading_days', source: 'reading_hours', buckets: daysAround(hours, null) },
    ...(zone === null ? [] : localDaySums(daysAround(hours, zone), onlyHoursBefore)),
  ];
}

/**
 * Where the offset of a zone is not of whole hours, a local day begins within an hour. If only hours
 * are left of a time (ms; null: all readings are kept), its days are made of the hours that begin
 * in them.
 */
export function localDaySums(
  days: readonly SumBuckets[],
  onlyHoursBefore: number | null,
): ChangedSums[] {
  const hasWholeHours = ({ from, bucketMs }: SumBuckets): boolean =>
    from % HOUR_MS === 0 && bucketMs % HOUR_MS === 0;
  const ofHours: SumBuckets[] = [];
  const ofReadings: SumBuckets[] = [];
  for (const run of days) {
    const { from, to, bucketMs } = run;
    const earlier = Math.max(0, Math.ceil(((onlyHoursBefore ?? from) - from) / bucketMs));
    const border = hasWholeHours(run) ? to : Math.min(to, from + earlier * bucketMs);
    if (from < border) ofHours.push({ ...run, to: border });
    if (border < to) ofReadings.push({ ...run, from: border });
  }

  const table = 'reading_local_days';
  return [
    { table, source: 'reading_hours', buckets: ofHours },
    { table, source: 'readings', buckets: ofReadings },
  ];
}

/** The whole days of a zone (null: UTC) around the periods. */
export function daysAround(periods: readonly SensorPeriod[], zone: string | null): SumBuckets[] {
  const days: SumBuckets[] = [];
  // Sensors mostly share their periods.
  const runsByPeriod = new Map<string, DayRun[]>();

  const runsOf = ({ start, end }: Period): DayRun[] => {
    const key = `${start} ${end}`;
    const runs = runsByPeriod.get(key) ?? dayRuns({ start, end }, zone);
    runsByPeriod.set(key, runs);
    return runs;
  };

  for (const { sensorId, from, to } of periods)
    for (const { start, end, dayMs } of runsOf({ start: from, end: to })) {
      const last = days.at(-1);
      // The first day may be the last one of the period before.
      if (last?.sensorId === sensorId && last.bucketMs === dayMs && start <= last.to)
        last.to = Math.max(last.to, end);
      else days.push({ sensorId, from: start, to: end, bucketMs: dayMs });
    }

  return days;
}
