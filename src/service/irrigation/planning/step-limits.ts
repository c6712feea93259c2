/**
 * About how many rows one transaction of a change reads and writes; the last probe may exceed it.
 */
export const OCCURRENCES_PER_STEP = 1_000;
/**
 * The occurrences of a probe before the clock is asked again. Each step reads the occurrences of
 * its probe anew.
 */
export const OCCURRENCES_PER_PART = 500;
/** Bounds the time for which one statement holds the event loop. */
export const ROWS_PER_DELETE = 250;
/**
 * The doses with a change of equipment, whose transaction also writes the equipment and what is
 * pending.
 */
export const DOSES_WITH_EQUIPMENT = 400;
export const REGENERATIONS_PER_STEP = 100;
/**
 * Probes whose occurrences one step plans again: each takes several statements, however few rows it
 * has.
 */
export const PROBES_PER_STEP = 20;
/** After this, a later transaction of a change begins nothing more: other companies wait for it. */
const STEP_MS = 40;

/** The work of one transaction. It always does something. */
export interface StepLimits {
  readonly occurrences: number;
  /** Set if it may leave a probe unfinished, or end early. */
  readonly clock?: StepClock | undefined;
}

export interface StepClock {
  isOver(): boolean;
}

export function newStepClock(): StepClock {
  const end = performance.now() + STEP_MS;
  return { isOver: () => performance.now() >= end };
}
