import type { DepthFacts } from '../../facts/probe-facts.ts';
import type { WateringEvidence } from '../../facts/response-facts.ts';
import { frozenByThermometers, type SoilThermometer } from '../../facts/soil-temperature.ts';
import { runPeriod, type WateringFacts } from '../../facts/watering-facts.ts';
import { itemAt } from '../../items.ts';
import { pointsWithin } from '../../moisture/series.ts';
import { DAY_MS, HOUR_MS, type Period } from '../../periods.ts';
import { depthCurves, tensionCurves } from '../depth-curves.ts';
import { hasRaisedLevel } from '../unlogged-wetting-events.ts';
import {
  type CurveWettingEvent,
  type DepthCurve,
  groupWaterings,
  newestReadingAt,
  RESPONSE_WINDOW_MS,
  responseWindow,
  risesInWindow,
  waterGainMm,
  wateringGroupPeriod,
} from '../watering-response.ts';

/** Hourly means of what a probe measures of the water in the soil. */
export interface WaterHours {
  /** The points are tensions in kPa, and moisture in % otherwise. */
  readonly isTension: boolean;
  readonly depths: readonly DepthFacts[];
  readonly thermometers: readonly SoilThermometer[];
  /** By depth in cm: the steps of single readings, which means hide. */
  readonly steps: ReadonlyMap<number, number>;
}

/** How much of the curve before a watering the height of a rise is judged by. */
const BEFORE_MS = 3 * DAY_MS;

/** Around waterings that started in the period, what their evidence depends on. */
export const evidencePeriod = ({ start, end }: Period): Period => ({
  start: start - BEFORE_MS,
  end: end + RESPONSE_WINDOW_MS,
});

/**
 * The evidence of the waterings that nobody confirmed; `done` has the oldest start first. It
 * depends on the hours around each watering and on nothing else, so that all answers find the same.
 * With `ids`, only that of these waterings.
 */
export function wateringEvidence(
  hours: WaterHours,
  done: readonly WateringFacts[],
  ids?: ReadonlySet<number>,
): WateringEvidence[] {
  const groups = groupWaterings(done.map((watering) => ({ watering, run: runPeriod(watering) })));

  return groups.flatMap((group, index) => {
    if (group.every(({ watering }) => watering.isConfirmed)) return [];
    if (ids !== undefined && !group.some(({ watering }) => ids.has(watering.id))) return [];
    const nextAt = groups[index + 1]?.[0]?.run.start ?? null;
    const evidence = evidenceOf(hours, wateringGroupPeriod(group), nextAt);
    return [{ wateringIds: group.map(({ watering }) => watering.id), ...evidence }];
  });
}

function evidenceOf(
  hours: WaterHours,
  run: Period,
  nextAt: number | null,
): Omit<WateringEvidence, 'wateringIds'> {
  const curves = curvesWithin(hours, evidencePeriod(run));
  const { until, riseBy, settledAt } = responseWindow(curves, run, nextAt);
  const window = { start: run.start, end: until };
  const depths = curves.map((curve) => {
    const { events, isConclusive } = risesInWindow(curve, window, settledAt);
    const raised = events.filter((event) => hasRaisedLevel(curve, event));
    return { curve, events: raised, isConclusive };
  });
  const risen = depths.filter(({ events }) => events.length > 0);
  const hasResponse = risen.some(({ events }) => itemAt(events, 0).startAt <= riseBy);
  const first = risen.map(({ curve, events }): CurveWettingEvent => {
    return { curve, event: itemAt(events, 0) };
  });

  return {
    rises: hasResponse ? risen.map(({ events }) => events.map(({ startAt }) => startAt)) : [],
    gainMm: hasResponse ? waterGainMm(first) : null,
    // A depth whose only rise is noise has readings enough to tell that it did not rise.
    isConclusive: depths.some(({ isConclusive }) => isConclusive),
    // The mean of an hour stands at its beginning.
    settledAt: settledAt + HOUR_MS,
    newestAt: newestReadingAt(curves),
  };
}

function curvesWithin(hours: WaterHours, period: Period): DepthCurve[] {
  const depths = hours.depths.map((depth) => ({
    ...depth,
    points: pointsWithin(depth.points, period),
  }));
  return curvesOf({ ...hours, depths });
}

export function curvesOf({ isTension, depths, thermometers, steps }: WaterHours): DepthCurve[] {
  const frozenAt = frozenByThermometers(thermometers);
  return isTension ? tensionCurves(depths, { frozenAt }) : depthCurves(depths, steps, { frozenAt });
}
