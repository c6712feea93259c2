import { runPeriod } from '../../facts/watering-facts.ts';
import { groupBy } from '../../groups.ts';
import { sumDoses } from '../../irrigation/dose.ts';
import { LocalDay } from '../../local-day.ts';
import type { Period } from '../../periods.ts';
import type { DepthCurve, DepthResponse } from '../watering-response.ts';
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
