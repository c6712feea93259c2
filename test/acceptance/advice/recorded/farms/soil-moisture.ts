import { DAY, HOUR, MINUTE } from '../../../../time.ts';
import type { Random } from './random.ts';

export interface Wetting {
  readonly at: number;
  readonly mm: number;
}

/** In % of the volume. */
export interface SoilLevels {
  readonly wiltingPoint: number;
  readonly fieldCapacity: number;
  readonly saturation: number;
}

export interface ProbeCurve {
  readonly times: readonly number[];
  /** In % of the volume, one list for each depth. */
  readonly moisture: readonly (readonly number[])[];
}

interface CurveOptions extends SoilLevels {
  readonly start: number;
  readonly end: number;
  readonly stepMs: number;
  readonly depths: readonly number[];
  readonly wettings: readonly Wetting[];
}

/** Water reaches a depth this long after it began to infiltrate, per cm. */
const LAG_MS_PER_CM = 5 * MINUTE;
const DRAINAGE_DAYS = 0.6;

/**
 * Soil that waterings wet from above, that drains to field capacity within a day or two, and that
 * dries by day, most where it is shallow. Not a model of a real soil: it only has to make curves of
 * every shape that the rules look for.
 */
export function simulatedCurve(
  { start, end, stepMs, depths, wettings, ...soil }: CurveOptions,
  random: Random,
): ProbeCurve {
  const times: number[] = [];
  for (let at = start; at < end; at += stepMs) times.push(at);
  const pointsPerDay = random.between(0.6, 2.6);
  const moisture = depths.map((depth) =>
    curveAt(depth, times, { soil, wettings, pointsPerDay, stepMs }, random),
  );
  return { times, moisture };
}

function curveAt(
  depth: number,
  times: readonly number[],
  {
    soil: { wiltingPoint, fieldCapacity, saturation },
    wettings,
    pointsPerDay,
    stepMs,
  }: {
    readonly soil: SoilLevels;
    readonly wettings: readonly Wetting[];
    readonly pointsPerDay: number;
    readonly stepMs: number;
  },
  random: Random,
): number[] {
  const stepDays = stepMs / DAY;
  const rate = (pointsPerDay * 30) / (depth + 20);
  let level = random.between(wiltingPoint + 3, fieldCapacity);

  return times.map((at) => {
    const hour = (at % DAY) / HOUR;
    const byDay = 1 + 0.7 * Math.sin((Math.PI * (hour - 6)) / 12);
    const available = Math.max(0, (level - wiltingPoint) / (fieldCapacity - wiltingPoint));
    level -= rate * byDay * Math.min(1, available) * stepDays;
    if (level > fieldCapacity)
      level -= (level - fieldCapacity) * (1 - Math.exp(-stepDays / DRAINAGE_DAYS));

    for (const { at: wettedAt, mm } of wettings) {
      const arrivesAt = wettedAt + depth * LAG_MS_PER_CM;
      const reaching = mm - depth * 0.12;
      if (arrivesAt > at - stepMs && arrivesAt <= at && reaching > 0)
        level = Math.min(saturation, level + (60 * reaching) / (depth + 40));
    }

    return level;
  });
}
