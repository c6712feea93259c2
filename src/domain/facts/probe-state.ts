import { firstOf, itemAt } from '../items.ts';
import {
  classifyAgronomicState,
  curveSoilConstants,
  freshValue,
  resolveThresholds,
} from '../moisture/agronomic-state.ts';
import type { SeriesRows } from '../moisture/bucket-means.ts';
import {
  doubtLine,
  JUDGED_LINES,
  type JudgedHeight,
  type JudgedLine,
} from '../moisture/line-limits.ts';
import { type SeriesPoint, summaryPoints } from '../moisture/series.ts';
import type { SummarySource } from '../moisture/summary-source.ts';
import {
  classifyTension,
  isAboveDryLevel,
  type TensionLevels,
  typicalTension,
} from '../moisture/tension/tension-state.ts';
import type { Depletion } from '../soil/allowed-depletion.ts';
import { soilHorizonById, type UsdaClass } from '../soil/soil-catalog.ts';
import { layerAt } from '../soil/soil-profile.ts';
import type { StateFacts, SuspectReading, TensionFacts } from './probe-facts.ts';
import { type SuspectTension, suspectTensions, type TensionHours } from './suspect-tension.ts';

/** A curve and its newest settled cycle; null without readings. */
export interface CurveNow {
  readonly source: SummarySource;
  readonly cycle: SeriesRows | null;
}

/** Includes the hourly means of its sensors. */
export interface TensionNow extends CurveNow {
  readonly hours: readonly TensionHours[];
}

export interface StateInputs {
  /** Null where the probe measures no soil moisture. */
  readonly moisture: CurveNow | null;
  /** Present for a tensiometer, whose tension is judged. */
  readonly tension: TensionNow | null;
  readonly lines: Readonly<Record<JudgedLine, JudgedHeight | null>>;
  readonly levels: TensionLevels;
  readonly depletion: Depletion;
  readonly doubts: readonly SuspectReading[];
}

export function probeState(
  { moisture, tension, lines, levels, depletion, doubts }: StateInputs,
  now: number,
): StateFacts {
  const cycle = moisture?.cycle ?? null;
  const newest = moisture && cycle && newestPoint({ source: moisture.source, cycle });
  // Without a cycle, no sensor is known to be silent.
  const hasValue = (sensor: number): boolean =>
    cycle ? !Number.isNaN(itemAt(cycle.means, sensor)[0]) : true;
  const soil =
    moisture && curveSoilConstants(moisture.source.curve, moisture.source.layers, now, hasValue);
  const heights = {
    fieldCapacity: lines.fieldCapacity?.height ?? null,
    wiltingPoint: lines.wiltingPoint?.height ?? null,
  };
  const thresholds = resolveThresholds(heights, soil, depletion);
  const doubtedLines = JUDGED_LINES.flatMap((name) => {
    const line = lines[name];
    return (line && doubtLine(name, line, soil)) ?? [];
  });

  const facts: StateFacts = {
    state: classifyAgronomicState(newest, thresholds, now),
    moisture: newest?.value ?? null,
    at: newest?.at ?? null,
    ...thresholds,
    doubts,
    doubtedLines: doubtedLines.length > 0 ? doubtedLines : undefined,
  };
  return tension === null ? facts : { ...facts, ...tensionState(tension, levels, now) };
}

const newestPoint = ({
  source,
  cycle,
}: {
  source: SummarySource;
  cycle: SeriesRows;
}): SeriesPoint => firstOf(summaryPoints(source.type, source.curve, cycle));

function tensionState({ source, cycle, hours }: TensionNow, levels: TensionLevels, now: number) {
  const newest = cycle && toTension(newestPoint({ source, cycle }));
  const usdaClass = heaviestTexture(source, now);
  const isFresh = newest !== null && freshValue(newest, now) !== null;
  const suspect = isFresh ? suspectTensions(hours) : [];
  const tension: TensionFacts = {
    value: newest?.value ?? null,
    ...levels,
    isDry: isAboveDryLevel(newest, levels, now),
    typical: usdaClass ? { usdaClass, ...typicalTension(usdaClass) } : undefined,
    suspect: suspect.length > 0 ? suspect : undefined,
  };
  const state = suspect.some(standsStill) ? null : classifyTension(newest, levels, now);
  return { state, at: newest?.at ?? null, tension };
}

/** Such a value says neither wet nor dry. */
const standsStill = ({ from }: SuspectTension): boolean => from === null;

/** Some loggers send the water potential, which is the negative tension. */
const toTension = ({ at, value }: SeriesPoint): SeriesPoint => ({
  at,
  value: value && Math.abs(value),
});

/**
 * The texture class with the greatest weight in the curve; of two with the same weight, the
 * shallower one.
 */
function heaviestTexture({ curve, layers }: SummarySource, at: number): UsdaClass | null {
  const weights = new Map<UsdaClass, number>();
  for (const [sensorIndex, depth] of curve.depthsCm.entries()) {
    const layer = depth === null ? null : layerAt(layers, depth, at);
    const usdaClass = layer && soilHorizonById(layer.soilHorizonId)?.usdaClass;
    if (usdaClass)
      weights.set(usdaClass, (weights.get(usdaClass) ?? 0) + itemAt(curve.weights, sensorIndex));
  }

  const [heaviest] = [...weights].sort(([, a], [, b]) => b - a);
  return heaviest?.[0] ?? null;
}

/** The field capacity that a person drew, in m3/m3. */
export const drawnFieldCapacity = ({ fieldCapacity, basis }: StateFacts): number | null =>
  basis.fieldCapacity === 'annotation' && fieldCapacity !== null ? fieldCapacity / 100 : null;
