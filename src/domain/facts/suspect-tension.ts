import type { TimedValue } from '../moisture/series.ts';
import { tensionWettings } from '../moisture/tension/tension-wetness.ts';
import { DAY_MS } from '../periods.ts';
import { isFrozen } from '../soil/frozen-soil.ts';

/** In the order in which a summary names them. */
export const TENSION_FLAGS = ['TENSION_AT_ZERO', 'TENSION_AT_LIMIT', 'TENSION_FELL'] as const;
export type TensionFlag = (typeof TENSION_FLAGS)[number];

/** A value of a tension sensor that may not be the tension of the soil. Values are in kPa. */
export interface SuspectTension {
  /** `TENSION_FELL` only where no water explains it, which one probe alone does not show. */
  readonly reason: TensionFlag;
  readonly depthCm: number | null;
  readonly value: number;
  /** The value before it fell; null for a value that stands still. */
  readonly from: number | null;
  /** Since when the value has stood still, or when it fell. */
  readonly since: number;
}

/** The readings of one sensor in the last two weeks, in hourly means, oldest first. */
export interface TensionHours {
  readonly depthCm: number | null;
  readonly points: readonly TimedValue[];
  /** In degrees Celsius, of the nearest thermometer in the soil; empty without one. */
  readonly soilTemperature: readonly TimedValue[];
}

/**
 * As sold, the Watermark Meter shows 0 to 199 kPa and the Watermark 200SS measures 0 to 239 kPa. A
 * sensor that lost contact with the soil, or a broken cable, shows the end of the range.
 */
const MIN_LIMIT_KPA = 199;
/** Soil that dry still moves by some kPa a day, with the temperature if nothing else. */
const MIN_AT_LIMIT_MS = DAY_MS;
const MIN_AT_LIMIT_POINTS = 6;

/** Wet soil in winter stands at 1 or 2 kPa; a short circuit and an empty tensiometer show 0. */
const MAX_ZERO_KPA = 0.5;
const MIN_AT_ZERO_MS = 5 * DAY_MS;
/** A logger that sends every six hours has as many in five days. */
const MIN_AT_ZERO_POINTS = 20;

const FELL_FROM_ABOVE_KPA = 60;
const FELL_BELOW_KPA = 10;
/** Water that arrives slowly takes hours to wet a dry sensor. */
const FALL_MS = DAY_MS;
/** Melting ice, and snow above it, wet the soil without a watering or rain. */
const THAW_BEFORE_MS = 2 * DAY_MS;

/** From the surface down, at most one for each sensor. */
export function suspectTensions(sensors: readonly TensionHours[]): SuspectTension[] {
  const absolute = sensors.map((sensor) => ({
    ...sensor,
    // Some loggers send the water potential, which is the negative tension.
    points: sensor.points.map(({ at, value }) => ({ at, value: Math.abs(value) })),
  }));
  return absolute
    .flatMap((sensor): SuspectTension[] => {
      const others = absolute.filter((other) => other !== sensor);
      const suspect =
        standsAtZero(sensor.points) ?? standsAtLimit(sensor.points) ?? fell(sensor, others);
      return suspect === null ? [] : [{ depthCm: sensor.depthCm, ...suspect }];
    })
    .sort((a, b) => (a.depthCm ?? 0) - (b.depthCm ?? 0));
}

type Suspicion = Omit<SuspectTension, 'depthCm'>;

/** The newest points, as long as they match. */
const newestRun = (
  points: readonly TimedValue[],
  matches: (value: number) => boolean,
): readonly TimedValue[] => points.slice(points.findLastIndex(({ value }) => !matches(value)) + 1);

function standing(
  run: readonly TimedValue[],
  { minMs, minPoints }: { readonly minMs: number; readonly minPoints: number },
): Pick<Suspicion, 'value' | 'from' | 'since'> | null {
  const [first, last] = [run[0], run.at(-1)];
  return first === undefined ||
    last === undefined ||
    run.length < minPoints ||
    last.at - first.at < minMs
    ? null
    : { value: last.value, from: null, since: first.at };
}

function standsAtZero(points: readonly TimedValue[]): Suspicion | null {
  const run = newestRun(points, (value) => value < MAX_ZERO_KPA);
  const stood = standing(run, { minMs: MIN_AT_ZERO_MS, minPoints: MIN_AT_ZERO_POINTS });
  return stood && { reason: 'TENSION_AT_ZERO', ...stood };
}

/** The limit of a sensor is the highest value that it sent. */
function standsAtLimit(points: readonly TimedValue[]): Suspicion | null {
  const limit = points.reduce((highest, { value }) => Math.max(highest, value), MIN_LIMIT_KPA);
  const run = newestRun(points, (value) => value === limit);
  const stood = standing(run, { minMs: MIN_AT_LIMIT_MS, minPoints: MIN_AT_LIMIT_POINTS });
  return stood && { reason: 'TENSION_AT_LIMIT', ...stood };
}

function fell(
  { points, soilTemperature }: TensionHours,
  others: readonly TensionHours[],
): Suspicion | null {
  const run = newestRun(points, (value) => value < FELL_BELOW_KPA);
  const first = run[0];
  if (first === undefined) return null;

  const before = points.filter(({ at }) => at < first.at && at >= first.at - FALL_MS);
  const dry = before.findLast(({ value }) => value > FELL_FROM_ABOVE_KPA);
  if (dry === undefined) return null;

  const froze = soilTemperature.some(
    ({ at, value }) => at <= first.at && at >= first.at - THAW_BEFORE_MS && isFrozen(value),
  );
  const wettedElsewhere = others.flatMap(({ points: of }) =>
    tensionWettings(of).map(({ startAt }) => startAt),
  );
  if (froze || isWettedNear(first.at, wettedElsewhere)) return null;
  return {
    reason: 'TENSION_FELL',
    value: run.at(-1)?.value ?? first.value,
    from: dry.value,
    since: first.at,
  };
}

/** True if water arrived elsewhere in the day before or after a fall. */
export const isWettedNear = (fellAt: number, wettedAt: readonly number[]): boolean =>
  wettedAt.some((at) => Math.abs(at - fellAt) <= FALL_MS);
