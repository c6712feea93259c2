import { runPeriod } from '../../facts/watering-facts.ts';
import { groupBy } from '../../groups.ts';
import { sumDoses } from '../../irrigation/dose.ts';
import { LocalDay } from '../../local-day.ts';
import type { Period } from '../../periods.ts';
import { CLOCK_TOLERANCE_MS, findUnloggedWettingEvents } from '../unlogged-wetting-events.ts';
import {
  type DepthCurve,
  type DepthResponse,
  depthResponses,
  firstRiseWithinMs,
  hasRisen,
  lastBefore,
  RESPONSE_WINDOW_MS,
} from '../watering-response.ts';
import type { AppliedWatering } from '../wetted-fraction.ts';
import { MIN_DOSE_MM } from './light-doses.ts';

/** The waterings that began on one local day: pulses of a day act on the soil together. */
export interface WateringDay extends Period {
  /** In the wetted zone; null where a dose is unknown. */
  readonly mm: number | null;
  /** The same over the whole area. */
  readonly areaMm: number | null;
  readonly isScheduled: boolean;
}

/** Enough water to be seen in dry soil. */
export const isLarge = ({ mm }: WateringDay): boolean => mm !== null && mm >= MIN_DOSE_MM;

/** A day of waterings with what the depths showed of it. */
export interface JudgedDay {
  readonly day: WateringDay;
  readonly outcome: 'seen' | 'seen_early' | 'unseen' | 'unknown';
  readonly depths: readonly DepthResponse[];
}

/** `done` has the oldest start first, and so have the days. */
export const wateringDays = (done: readonly AppliedWatering[], zone: string): WateringDay[] =>
  [...groupBy(done, ({ startedAt }) => LocalDay.at(startedAt, zone).midnightMs).values()].map(
    (waterings) => ({
      start: Math.min(...waterings.map(({ startedAt }) => startedAt)),
      end: Math.max(...waterings.map((watering) => runPeriod(watering).end)),
      mm: sumDoses(waterings.map(({ wettedMm }) => wettedMm)),
      areaMm: sumDoses(waterings.map(({ waterMm }) => waterMm)),
      isScheduled: waterings.every(({ isConfirmed }) => !isConfirmed),
    }),
  );

/**
 * From this step on, the least height of a rise is mostly room for rounding, and more than many
 * waterings raise the soil. A gain of one step is reason enough not to doubt that the water came,
 * although a swing of temperature can cause it too.
 */
const COARSE_STEP_POINTS = 0.3;

/**
 * Less of what a dose brings to a depth may be noise. An assumption: most of it may pass beside.
 */
const SHARE_OF_DOSE = 0.1;

interface WateredDepth {
  /** Between single readings, in points; 0 if unknown. */
  readonly sensorStep: number;
  /** In %, the last hour before the watering. */
  readonly before: number | null;
  /** In the wetted zone. */
  readonly doseMm: number | null;
}

/** The points by which a depth must rise to show that the water of a watering arrived. */
export function leastRise(
  { slice, fieldCapacity, minRise }: Pick<DepthCurve, 'slice' | 'fieldCapacity' | 'minRise'>,
  { sensorStep, before, doseMm }: WateredDepth,
): number {
  const byReadings = sensorStep >= COARSE_STEP_POINTS ? Math.min(minRise, sensorStep) : minRise;
  if (slice === null || doseMm === null) return byReadings;

  const byDose = (SHARE_OF_DOSE * doseMm * 10) / slice.bottomCm;
  const room =
    fieldCapacity === null || before === null
      ? Number.POSITIVE_INFINITY
      : 100 * fieldCapacity - before;
  return Math.max(byReadings, Math.min(byDose, room));
}

export interface SoilCurves {
  /** Hourly means. */
  readonly curves: readonly DepthCurve[];
  /** Between single readings, in points, by depth in cm. */
  readonly sensorSteps: ReadonlyMap<number, number>;
}

/**
 * What the depths showed of a day; null events where none began to rise in time, because a later
 * rise is of other water. A rise shortly before it is its own, because clocks differ, as in `risesIn`.
 */
export function responseOfDay(
  soil: SoilCurves,
  { start, end, mm }: WateringDay,
): readonly DepthResponse[] {
  const riseUntil = end + firstRiseWithinMs(soil.curves);
  const window = { start: start - CLOCK_TOLERANCE_MS, end: end + RESPONSE_WINDOW_MS };
  const curves = soil.curves.map((curve) => ({
    ...curve,
    minRise: leastRise(curve, {
      sensorStep: soil.sensorSteps.get(curve.depthCm) ?? 0,
      before: lastBefore(curve, start)?.value ?? null,
      doseMm: mm,
    }),
  }));
  const depths = depthResponses(curves, window, riseUntil);
  return hasRisen(depths, riseUntil) ? depths : depths.map((depth) => ({ ...depth, event: null }));
}

/** The starts of those that none of these days explains. */
export const risesIn = (
  curves: readonly DepthCurve[],
  explaining: readonly Pick<JudgedDay, 'day' | 'depths'>[],
): number[] =>
  findUnloggedWettingEvents(
    curves,
    explaining.map(({ day, depths }) => ({
      start: day.start,
      end: day.end,
      wettingEvents: depths.map(({ event }) => event),
    })),
  ).map(({ start }) => start);
