import { roundTo } from '../../domain/decimal.ts';
import { itemAt } from '../../domain/items.ts';
import type { SeriesRows } from '../../domain/moisture/bucket-means.ts';
import type { CalibratedSensor } from '../../domain/moisture/calibration.ts';
import {
  missingShare,
  readingAge,
  type SensorActivity,
  usualIntervalMs,
} from '../../domain/moisture/coverage.ts';
import type { MeasurementType } from '../../domain/moisture/measurement.ts';
import { type SummarySource, summarySource } from '../../domain/moisture/summary-source.ts';
import { MINUTE_MS, type Period } from '../../domain/periods.ts';
import type { Call } from '../../operation/call.ts';
import type { FreshnessBody } from '../../schema/moisture/series.ts';
import { toIso } from '../../schema/wire-format.ts';
import { sensorsOf } from '../../store/company/sensors.ts';
import { lastInstants, type SensorReadingBounds } from '../../store/moisture/reading-lookup.ts';
import { layersOfModule } from '../../store/soil/soil-layers.ts';
import type { CompanyDb } from '../../store/tables.ts';
import { probeSettingsAt } from './probe-settings.ts';

export async function loadSummarySeriesSource(
  db: CompanyDb,
  moduleId: number,
  requestedType: MeasurementType,
  settingsAt: number,
): Promise<SummarySource> {
  const [allSensors, settings, layers] = await Promise.all([
    sensorsOf(db, [moduleId]),
    probeSettingsAt(db, moduleId, settingsAt),
    layersOfModule(db, moduleId),
  ]);
  return summarySource(allSensors, settings, layers, requestedType);
}

export const weightedSensors = ({ sensors, curve }: SummarySource): SummarySource['sensors'] =>
  sensors.filter((_, index) => itemAt(curve.weights, index) > 0);

/** The sensors of the summary curve without a value in the row. */
export const silentSensorIndexes = (
  { sensors, curve }: SummarySource,
  rows: SeriesRows,
  row: number,
): number[] =>
  sensors.flatMap((_, index) =>
    itemAt(curve.weights, index) > 0 && Number.isNaN(itemAt(rows.means, index)[row]) ? [index] : [],
  );

export function adviseOfSilentDepths(
  call: Pick<Call, 'advise'>,
  source: SummarySource,
  rows: SeriesRows,
  row: number,
): void {
  const silent = silentSensorIndexes(source, rows, row);
  if (silent.length === 0) return;
  const depths = silent.map((index) => itemAt(source.sensors, index).depth);
  const remainingWeight =
    1 - silent.reduce((sum, index) => sum + itemAt(source.curve.weights, index), 0);
  call.advise({ kind: 'silent_depths', depths, weightPercent: Math.round(remainingWeight * 100) });
}

/** How many readings of each sensor show its usual interval. */
export const INTERVAL_SAMPLE_SIZE = 50;

const SHARE_DECIMALS = 4;

export function freshnessOf(spans: readonly SensorReadingBounds[], now: number): FreshnessBody {
  const newestOfSensors = spans.flatMap((span) => span.newest ?? []);
  if (newestOfSensors.length === 0) return { time: null, ageMin: null, isFresh: false };

  const newestAt = Math.max(...newestOfSensors);
  const { ageMs, isFresh } = readingAge(newestAt, now);
  return { time: toIso(newestAt), ageMin: Math.floor(ageMs / MINUTE_MS), isFresh };
}

/**
 * The usual time between two readings of each sensor before an instant, in ms; null with fewer than
 * two readings.
 */
export async function usualIntervalsBefore(
  db: CompanyDb,
  sensors: readonly CalibratedSensor[],
  before: number,
): Promise<SensorActivity['intervalMs'][]> {
  const ids = sensors.map(({ id }) => id);
  return (await lastInstants(db, ids, before, INTERVAL_SAMPLE_SIZE)).map(usualIntervalMs);
}

export const missingReadingsShare = (
  { start, end }: Period,
  now: number,
  coverage: readonly SensorActivity[],
): number => roundTo(missingShare({ start, end: Math.min(end, now) }, coverage), SHARE_DECIMALS);
