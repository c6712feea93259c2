import type { CycleAndSoak } from '../../../domain/irrigation/runoff.ts';
import type { Runs } from '../../../domain/irrigation/runs.ts';
import { advisedMinutes, exact, rate, rough } from '../../../domain/text/figures.ts';
import { say } from '../../../domain/text/say.ts';
import type { Text } from '../../../domain/text/text.ts';

/** More parts than this nobody gives by hand. */
const MAX_PARTS = 6;

/** "in 4 parts of 8 min with pauses of 20 min" */
export function describeParts({ parts, minutesPerPart, pauseMin }: Runs): Text {
  const runs = parts > MAX_PARTS ? say`runs` : say`${parts} parts`;
  const pauses = pauseMin === 0 ? null : say` with pauses of ${advisedMinutes(pauseMin)}`;
  return say`in ${runs} of ${advisedMinutes(minutesPerPart)}${pauses}`;
}

export const describeRuns = (runs: Runs): Text =>
  say`Give it ${describeParts(runs)}, since its runs are limited.`;

/** For an advice, or for each watering of a schedule. */
export function describeRunoff(runoff: CycleAndSoak): Text {
  const { rateMmPerH, intakeMmPerH, parts } = runoff;
  const rates = say`The equipment applies ${rate(rateMmPerH, 'mm/h')}, and the soil takes in some ${rough(exact(intakeMmPerH, 'mm/h'))}`;
  return parts > MAX_PARTS
    ? say`${rates}, so most of it would run off: sprinklers or nozzles with a lower rate suit this soil. Until then, give it ${describeParts(runoff)}.`
    : say`${rates}: give it ${describeParts(runoff)}, or part of it runs off.`;
}
