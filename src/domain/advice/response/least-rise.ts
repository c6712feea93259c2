import type { DepthCurve } from '../watering-response.ts';

/**
 * From this step on, the least height of a rise is mostly room for rounding, and more than many
 * waterings raise the soil. A gain of one step is reason enough not to doubt that the water came,
 * although a swing of temperature can cause it too.
 */
const COARSE_STEP_POINTS = 0.3;

/** Less of what a dose brings to a depth may be noise. An assumption: most of it may pass beside. */
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
