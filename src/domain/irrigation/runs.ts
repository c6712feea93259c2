/** A watering in equal parts, with a pause after each but the last. */
export interface Runs {
  readonly parts: number;
  readonly minutesPerPart: number;
  readonly pauseMin: number;
}

/** What a person says of a pump or valve. */
export interface RunLimit {
  readonly longestRunMin: number | null;
  readonly pauseMin: number | null;
}

export const UNLIMITED_RUN: RunLimit = { longestRunMin: null, pauseMin: null };

/** As few equal parts as possible. */
export function divided(minutes: number, longestRunMin: number): Omit<Runs, 'pauseMin'> {
  const parts = Math.ceil(minutes / longestRunMin);
  return { parts, minutesPerPart: minutes / parts };
}

/** Null where one run does. */
export function runsOf(
  minutes: number,
  { longestRunMin, pauseMin }: RunLimit = UNLIMITED_RUN,
): Runs | null {
  if (longestRunMin === null || minutes <= longestRunMin) return null;
  return { ...divided(minutes, longestRunMin), pauseMin: pauseMin ?? 0 };
}

/** For how long water can run within this time, less the pauses. */
export function runningWithin(
  minutes: number,
  { longestRunMin, pauseMin }: RunLimit = UNLIMITED_RUN,
): number {
  if (longestRunMin === null || pauseMin === null) return minutes;
  const cycleMin = longestRunMin + pauseMin;
  const wholeRuns = Math.floor(minutes / cycleMin);
  return wholeRuns * longestRunMin + Math.min(longestRunMin, minutes - wholeRuns * cycleMin);
}
