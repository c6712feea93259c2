import type { ProbeFacts, ProbeSeries, StateFacts } from '../../facts/probe-facts.ts';
import { type ProbeHistory, trustedHistory } from '../../facts/probe-history.ts';
import { drawnFieldCapacity } from '../../facts/probe-state.ts';
import { type CommonJump, NO_RESPONSE_FACTS } from '../../facts/response-facts.ts';
import { frozenByThermometers } from '../../facts/soil-temperature.ts';
import { runPeriod } from '../../facts/watering-facts.ts';
import { firstOf, itemAt, lastOf } from '../../items.ts';
import type { TimedValue } from '../../moisture/series.ts';
import { wettingEventsIn } from '../../moisture/wetting-events.ts';
import { DAY_MS, HOUR_MS, type Period } from '../../periods.ts';
import { depthCurves, sensorSteps } from '../depth-curves.ts';
import { drainedWettings, offeredCapacity } from '../field-capacity.ts';
import { type DepthCurve, isFrozenWithin, wettingEventsOfCurve } from '../watering-response.ts';
import type { AppliedWatering } from '../wetted-fraction.ts';
import { wateringEvidence } from '../witness/watering-evidence.ts';
import { exchangedDepths } from './exchanged-depths.ts';
import {
  dryEnoughMoisture,
  lackAboveMm,
  responseFacts,
  type WateredSoil,
} from './unseen-waterings.ts';

export type ShownFacts = Pick<
  ProbeFacts,
  'response' | 'evidence' | 'wettedAt' | 'jump' | 'wetSince' | 'stillPeriods' | 'offeredCapacity'
>;

/** For a probe that measures neither soil moisture nor tension. */
export const NO_RESPONSE_SHOWN: ShownFacts = {
  response: NO_RESPONSE_FACTS,
  evidence: null,
  wettedAt: [],
  jump: null,
  wetSince: null,
  stillPeriods: [],
};

interface HistoryInputs {
  /** Single readings, which have the steps of the sensors. */
  readonly recent: ProbeSeries;
  readonly state: StateFacts;
  /** Waterings of the same days, oldest first. */
  readonly done: readonly AppliedWatering[];
  readonly zone: string;
}

/** Like `historyFacts`, it depends on the hours and not on the present instant. */
export function responseOfHistory(
  history: ProbeHistory,
  { recent, state, done, zone }: HistoryInputs,
): ShownFacts {
  const { curve, depths, thermometers } = trustedHistory(history, state.doubts);
  const steps = sensorSteps(recent);
  const curves = depthCurves(depths, steps, {
    drawnCapacity: drawnFieldCapacity(state),
    frozenAt: frozenByThermometers(thermometers),
  });
  const { fieldCapacity } = state;
  const exchanged = exchangedDepths(curves, depths, done.map(runPeriod));
  const offered =
    exchanged === null
      ? capacityToOffer({ curves, curve, rootDepthCm: recent.rootDepthCm }, state, done)
      : null;
  const isTopTrusted = depths[0]?.depthCm === history.depths[0]?.depthCm;
  const soil: WateredSoil = {
    curves,
    sensorSteps: steps,
    meanCurve: curve,
    dryEnough: dryEnoughMoisture(fieldCapacity),
    dryEnoughAt: (sensor) => dryEnoughMoisture(sensor.fieldCapacity && 100 * sensor.fieldCapacity),
    lackMm: (sensor, moisture) =>
      sensor.fieldCapacity === null
        ? null
        : lackAboveMm(sensor.depthCm, moisture, sensor.fieldCapacity),
  };
  return {
    // A sensor in doubt may be the one that would have shown them.
    response: {
      ...(isTopTrusted ? responseFacts(soil, done, zone) : NO_RESPONSE_FACTS),
      ...(exchanged === null ? {} : { exchangedDepths: exchanged }),
    },
    evidence: wateringEvidence({ isTension: false, ...history, steps }, done),
    wettedAt: wettedAt(curves),
    jump: commonJump(curves),
    wetSince: wetSince(curve, state),
    stillPeriods: stillPeriods({ curves, curve, fieldCapacity }),
    ...(offered === null ? {} : { offeredCapacity: offered }),
  };
}

/** In %; null where a line is drawn. */
function capacityToOffer(
  { curves, curve, rootDepthCm }: MeasuredRoots,
  { fieldCapacity, basis }: StateFacts,
  done: readonly AppliedWatering[],
): number | null {
  const newestAt = curve.at(-1)?.at;
  if (newestAt === undefined || fieldCapacity === null || basis.fieldCapacity !== 'soil_profile')
    return null;
  const given = done.map((watering) => ({ ...runPeriod(watering), wettedMm: watering.wettedMm }));
  const soil = { fieldCapacity, rootDepthCm };
  const { wettings } = drainedWettings(curves, curve, given, { now: newestAt + HOUR_MS, soil });
  return offeredCapacity(wettings, fieldCapacity);
}

interface MeasuredRoots {
  readonly curves: readonly DepthCurve[];
  /** Their weighted mean in %. */
  readonly curve: readonly TimedValue[];
  readonly rootDepthCm: number | null;
}

/** The starts of all wetting events. */
export const wettedAt = (curves: readonly DepthCurve[]): number[] =>
  curves.flatMap((curve) => wettingEventsOfCurve(curve).map(({ startAt }) => startAt));

/** As much as the fall within two hours that no sound sensor shows. */
const MIN_JUMP_POINTS = 5;
const JUMP_MS = 2 * HOUR_MS;
/**
 * Water takes hours to come so far down. In sand it may come as fast where it stands on the surface,
 * which somebody will know of.
 */
const MIN_SPAN_CM = 30;

/**
 * The newest rise of all depths within the same two hours of which none has lost half again; null
 * where the depths lie too near to each other to tell it from water.
 */
export function commonJump(curves: readonly DepthCurve[]): CommonJump | null {
  const measured = curves.filter(({ points }) => points.length > 0);
  if (measured.length === 0) return null;
  const top = firstOf(measured);
  if (lastOf(measured).depthCm - top.depthCm < MIN_SPAN_CM) return null;

  const rises = measured.map(lastingRisesOf);
  for (let row = top.points.length - 1; row >= 0; row--) {
    const start = itemAt(top.points, row).at;
    // In nearly every row `every` ends at the uppermost depth, so the others are seldom indexed.
    if (rises.every((riseFrom) => riseFrom(start) >= MIN_JUMP_POINTS))
      return { at: start + HOUR_MS, points: Math.min(...rises.map((riseFrom) => riseFrom(start))) };
  }
  return null;
}

/** The rise within two hours from an instant; 0 in frost, and where half of it was lost again. */
function lastingRisesOf(curve: DepthCurve): (start: number) => number {
  const newest = lastOf(curve.points).value;
  let values: ReadonlyMap<number, number> | undefined;
  return (start) => {
    values ??= new Map(curve.points.map(({ at, value }) => [at, value]));
    const period = { start, end: start + JUMP_MS };
    const [from, to] = [values.get(period.start), values.get(period.end)];
    if (from === undefined || to === undefined || isFrozenWithin(curve, period)) return 0;
    return newest < (from + to) / 2 ? 0 : to - from;
  };
}

/**
 * Points above a field capacity that was drawn. Drained soil does not stay there: on a prairie it
 * never did for more than 8 hours in two years (Kings Creek), in the sand of OpenAgri for more than
 * 5 in a year, and 22 of 23 probes of a drip vineyard never for more than a day and a half.
 */
const MIN_ABOVE_LINE = 4;
/**
 * The field capacity of a texture class may be off by as much as a drawn line may differ from it.
 */
const MIN_ABOVE_CLASS = 8;
/** Over a longer gap it may have drained and been watered again. */
const MAX_WET_GAP_MS = DAY_MS;

/** `mean` is the curve in hourly means. */
export function wetSince(
  mean: readonly TimedValue[],
  { fieldCapacity, basis }: Pick<StateFacts, 'fieldCapacity' | 'basis'>,
): number | null {
  if (fieldCapacity === null) return null;

  const minAbove = basis.fieldCapacity === 'annotation' ? MIN_ABOVE_LINE : MIN_ABOVE_CLASS;
  let since: number | null = null;
  for (let row = mean.length - 1; row >= 0; row--) {
    const { at, value } = itemAt(mean, row);
    if (value < fieldCapacity + minAbove) break;
    if (since !== null && since - at > MAX_WET_GAP_MS) break;
    since = at;
  }
  return since;
}

/** Heavy rain reaches a sensor this near to the surface within hours. */
const MAX_TOP_DEPTH_CM = 15;
/** A longer gap may hide a rise. */
const MAX_STILL_GAP_MS = 3 * HOUR_MS;

interface StillSoil {
  /** Hourly means, from the surface down. */
  readonly curves: readonly DepthCurve[];
  /** Their weighted mean in %. */
  readonly curve: readonly TimedValue[];
  /** The field capacity of the mean in %; null if unknown. */
  readonly fieldCapacity: number | null;
}

/**
 * When the uppermost sensor had readings without a gap, no depth rose, and the soil held less than
 * its field capacity: heavy rain would have shown. None where that sensor lies too deep to tell.
 */
export function stillPeriods({ curves, curve, fieldCapacity }: StillSoil): Period[] {
  const top = curves.find(({ points }) => points.length > 0);
  if (top === undefined || top.depthCm > MAX_TOP_DEPTH_CM || fieldCapacity === null) return [];

  const belowCapacityAt = new Set(
    curve.flatMap(({ at, value }) => (value < fieldCapacity ? [at] : [])),
  );
  const rises = curves.flatMap(({ points, minRise }) => wettingEventsIn(points, minRise));
  const isStill = (at: number): boolean =>
    belowCapacityAt.has(at) && !rises.some(({ startAt, peakAt }) => at >= startAt && at <= peakAt);

  const periods: Period[] = [];
  let before: number | null = null;
  for (const { at } of top.points) {
    const goesOn: boolean = before !== null && at - before <= MAX_STILL_GAP_MS;
    before = isStill(at) ? at : null;
    if (before === null) continue;
    const start = goesOn ? (periods.pop()?.start ?? at) : at;
    periods.push({ start, end: at + HOUR_MS });
  }
  return periods;
}
