import { HOUR_MIN } from '../periods.ts';
import type { IrrigationSystem } from './dose.ts';
import type { InputMode } from './watering-amount.ts';

/** An assumption: equipment is laid out to give what is due within a day. */
const MAX_USUAL_RUN_MIN = 24 * HOUR_MIN;
/** A pivot is built to water for days on end: 7 US gpm an acre are 0.4 mm/h. */
const MAX_USUAL_PIVOT_RUN_MIN = 14 * MAX_USUAL_RUN_MIN;
/** Soil that was left dry takes more than it usually gets. */
const MAX_TIMES_LONGEST = 3;
/** Assumed where no run is known. */
const NIGHT_MIN = 16 * HOUR_MIN;

interface LoggedRun {
  readonly inputMode: InputMode;
  readonly durationMin: number | null;
}

/** True if no watering runs so long, so that the application rate may be entered too low. */
export function isTooLongToRun(
  durationMin: number | null,
  done: readonly LoggedRun[],
  system?: IrrigationSystem,
): boolean {
  const usualMin = system === 'pivot' ? MAX_USUAL_PIVOT_RUN_MIN : MAX_USUAL_RUN_MIN;
  // The duration of an amount follows from the application rate itself.
  const runs = done.flatMap((watering) =>
    watering.inputMode === 'duration' ? (watering.durationMin ?? []) : [],
  );
  const longestMin = runs.length === 0 ? NIGHT_MIN : Math.max(...runs);
  return durationMin !== null && durationMin > Math.max(usualMin, MAX_TIMES_LONGEST * longestMin);
}
