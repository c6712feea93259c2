import { SPARKLINE_STEP_MS, type SparklineCurve } from '../../domain/advice/farm/sparkline.ts';
import { assembleMeasured, type JudgedHistory } from '../../domain/advice/probe/probe-assembly.ts';
import type { ProbeWater } from '../../domain/advice/wetted-fraction.ts';
import { recordPeriod } from '../../domain/facts/moisture-record.ts';
import { DRYING_RATE_DAYS, type SetupFacts } from '../../domain/facts/probe-facts.ts';
import { meanCurve, seriesOfSource } from '../../domain/facts/probe-series.ts';
import { probeState, type StateInputs } from '../../domain/facts/probe-state.ts';
import type { WateringFacts } from '../../domain/facts/watering-facts.ts';
import { itemAt } from '../../domain/items.ts';
import {
  type CalibratedSensor,
  withoutCalibrationStarts,
  withoutCalibrationSteps,
} from '../../domain/moisture/calibration.ts';
import { isFreshAt, MAX_FRESH_AGE_MS } from '../../domain/moisture/coverage.ts';
import { pointEnd } from '../../domain/moisture/series-points.ts';
import type { SummarySource } from '../../domain/moisture/summary-source.ts';
import { DAY_MS, HOUR_MS } from '../../domain/periods.ts';
import type { Call } from '../../operation/call.ts';
import { readingsOfSensors, type SensorColumns } from '../../store/moisture/sensor-columns.ts';
import { hoursOfSource, loadHours, tensionHours, withoutSteps } from '../moisture/sensor-hours.ts';
import { dailyMeansOfSensors, type MeansOfSensor, meansOver } from '../moisture/sensor-means.ts';
import { missingReadingsShare, weightedSensors } from '../moisture/summary-series.ts';
import { JUDGED_READINGS, suspectReadings } from '../moisture/suspect-readings.ts';
import { waterOfSource } from '../moisture/wetted-fractions.ts';
import { loadBeforeSilence } from './before-silence.ts';
import type { DatedFacts } from './fact-cache.ts';
import { type ProbeParts, thresholdParts } from './probe-parts.ts';
import { ProbeReadings } from './probe-readings.ts';
import {
  historyOf,
  hourlySensors,
  judgedSensors,
  type ProbeSources,
  toSources,
} from './probe-sources.ts';

type ReadCall = Pick<Call, 'db' | 'now' | 'zone'>;

/** The inputs of a probe, with its waterings that were done, oldest first. */
export interface MeasuredProbe {
  readonly parts: ProbeParts;
  readonly equipment: Pick<SetupFacts, 'installation' | 'versions'>;
  /** The most that a crop lost on a day of the last two weeks; null if unknown. */
  readonly largestEtcMm: number | null;
  readonly done: readonly WateringFacts[];
}

interface JudgedProbe extends ProbeSources, ProbeWater, Pick<MeasuredProbe, 'largestEtcMm'> {}

function toJudged({ parts, largestEtcMm, ...water }: MeasuredProbe, now: number): JudgedProbe {
  const sources = toSources(parts, now);
  return { ...sources, ...waterOfSource(sources.source, water, now), largestEtcMm };
}

/** One query for each kind of row, however many probes there are. */
export async function loadMeasuredFacts(
  call: ReadCall,
  measured: readonly MeasuredProbe[],
): Promise<DatedFacts[]> {
  const { db, now, zone } = call;
  const probes = measured.map((probe) => toJudged(probe, now));
  const readings = await loadReadings(call, probes);

  const withSoil = probes.filter(({ hasSoilMoisture }) => hasSoilMoisture);
  const soilSensors = withSoil.flatMap(({ source }) => source.sensors);
  const curveSensors = withSoil.flatMap(({ source }) => weightedSensors(source));
  const recent = await readings.recent(soilSensors);
  const hours = await loadHours(db, probes.flatMap(hourlySensors), now);
  const week = await loadWeek(call, curveSensors, hours);
  const thermometers = probes.flatMap((probe) => probe.thermometers);
  const recorded = recordPeriod(now, zone);
  const days = await dailyMeansOfSensors(db, [...curveSensors, ...thermometers], recorded, zone);
  const historyBeforeSilence = await loadBeforeSilence(call, withSoil, readings);

  const all: DatedFacts[] = [];
  for (const probe of probes) {
    const { source, tension, hasSoilMoisture, fractionWetted, done } = probe;
    const state = probeState(await stateInputs(call, probe, readings, hours), now);
    const newestAt = readings.newestAt(source);
    // A new calibration must not look like water or a fault.
    const ofSensors = source.sensors.map(({ id, calibration }) =>
      withoutCalibrationSteps(calibration, recent(id)),
    );
    const recentSeries = seriesOfSource(source, ofSensors, now + 1);
    const history: JudgedHistory = hasSoilMoisture
      ? {
          judges: 'moisture',
          hours: historyOf(probe, withoutSteps(hours), now),
          days: historyOf(
            probe,
            ({ id, calibration }) => withoutCalibrationStarts(calibration, days(id), DAY_MS),
            now,
          ),
          beforeSilence: historyBeforeSilence(probe),
          missingShare: missingShareOf(source, readings, week, now),
        }
      : tension && {
          judges: 'tension',
          hours: historyOf({ ...probe, source: tension }, withoutSteps(hours), now),
        };
    const freshness = { newestAt, isFresh: isFreshAt(newestAt, now) };
    const series = { freshness, recent: recentSeries, state };

    all.push({
      facts: {
        ...assembleMeasured(series, { history, done, fractionWetted, zone }),
        sparkline: hasSoilMoisture ? sparklineOf(source, hours, now) : null,
      },
      computedAt: now,
      // Until a setting begins, a reading grows old or leaves a period, or a new one comes.
      validUntil: Math.min(
        beforeNextChange(probe.parts, now),
        // A day ends, and counts for the record.
        pointEnd(now, DAY_MS, zone) - 1,
        readings.validUntil(judgedSensors(probe)),
        ...ofSensors.map(({ at }) => leaves(at[0], MAX_FRESH_AGE_MS)),
        ...judgedSensors(probe).flatMap(({ id }) => [
          leaves(hours(id).firstAt, DRYING_RATE_DAYS * DAY_MS),
          leaves(week(id).firstAt, WEEK_MS),
        ]),
      ),
    });
  }
  return all;
}

/** Settings and soil layers begin later where the clock that dated them is ahead. */
function beforeNextChange({ settings, layers }: ProbeParts, now: number): number {
  const instants = [
    ...settings.map(({ validFrom }) => validFrom),
    ...layers.flatMap(({ startedAt, endedAt }) => [startedAt, endedAt ?? startedAt]),
  ];
  return Math.min(...instants.filter((at) => at > now)) - 1;
}

/** When a reading leaves a period of this length that ends now. */
const leaves = (at: number | null | undefined, periodMs: number): number =>
  at == null ? Number.POSITIVE_INFINITY : at + periodMs;

function loadReadings({ db, now }: Pick<ReadCall, 'db' | 'now'>, probes: readonly ProbeSources[]) {
  return ProbeReadings.load(db, probes.flatMap(judgedSensors), now);
}

const WEEK_MS = 7 * DAY_MS;

/** A little longer than a week, because the first step begins earlier. */
function sparklineOf(source: SummarySource, hours: MeansOfSensor, now: number): SparklineCurve {
  const start = now - WEEK_MS - SPARKLINE_STEP_MS;
  const means = source.sensors.map(({ id }) => meansOver(hours(id), start, SPARKLINE_STEP_MS));
  return { type: source.type, curve: meanCurve(source, means) };
}

/** The readings of a sensor in the last week. */
type WeekOfSensor = (sensorId: number) => {
  readonly count: number;
  /** No reading lies before this instant; null without readings. */
  readonly firstAt: number | null;
};

const NO_COLUMNS: SensorColumns = { at: [], values: [] };

/** `hours` reach back further than a week. */
async function loadWeek(
  { db, now }: ReadCall,
  sensors: readonly CalibratedSensor[],
  hours: MeansOfSensor,
): Promise<WeekOfSensor> {
  const start = now - WEEK_MS;
  const firstHour = Math.ceil(start / HOUR_MS) * HOUR_MS;
  const before = await readingsOfSensors(db, sensors, { start, end: firstHour });

  return (sensorId) => {
    const single = before.get(sensorId) ?? NO_COLUMNS;
    const { at, counts } = hours(sensorId);
    let row = at.length;
    let count = single.at.length;
    while (row > 0 && itemAt(at, row - 1) >= firstHour) count += itemAt(counts, --row);
    return { count, firstAt: single.at[0] ?? at[row] ?? null };
  };
}

const missingShareOf = (
  source: SummarySource,
  readings: ProbeReadings,
  week: WeekOfSensor,
  now: number,
): number =>
  missingReadingsShare(
    { start: now - WEEK_MS, end: now },
    now,
    weightedSensors(source).map(({ id }) => ({
      count: week(id).count,
      intervalMs: readings.usualIntervalMs(id),
    })),
  );

async function stateInputs(
  { db, now }: Pick<ReadCall, 'db' | 'now'>,
  probe: JudgedProbe,
  readings: ProbeReadings,
  hours: MeansOfSensor,
): Promise<StateInputs> {
  const { parts, source, tension, hasSoilMoisture, fractionWetted, largestEtcMm, done } = probe;
  const curveNow = async (of: SummarySource) => ({
    source: of,
    cycle: await readings.newestCycle(of),
  });
  const judged = {
    last: source.sensors.map(({ id }) => readings.lastPoints(id, JUDGED_READINGS)),
    hours: hoursOfSource(source, probe.thermometers, withoutSteps(hours)),
    fractionWetted,
    largestEtcMm,
    waterings: done,
  };
  return {
    moisture: hasSoilMoisture ? await curveNow(source) : null,
    tension: tension && {
      ...(await curveNow(tension)),
      hours: tensionHours(tension, probe.thermometers, withoutSteps(hours)),
    },
    ...thresholdParts(parts, now),
    doubts: hasSoilMoisture ? await suspectReadings(db, source, judged, now) : [],
  };
}

/** The inputs of the state of a probe. */
export async function stateInputsOf(
  call: Pick<ReadCall, 'db' | 'now'>,
  measured: MeasuredProbe,
): Promise<StateInputs> {
  const probe = toJudged(measured, call.now);
  const readings = await loadReadings(call, [probe]);
  const hours = await loadHours(call.db, hourlySensors(probe), call.now);
  return stateInputs(call, probe, readings, hours);
}
