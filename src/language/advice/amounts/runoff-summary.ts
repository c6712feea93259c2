import { advisedMinutes, exact, rate, rough } from '../../../domain/text/figures.ts';
import { say } from '../../../domain/text/say.ts';
import type { Text } from '../../../domain/text/text.ts';
import type { AdviceBody } from '../../../schema/advice/advice.ts';

/** More parts than this nobody gives by hand. */
const MAX_PARTS = 6;

/** For an advice, or for each watering of a schedule. */
export function describeRunoff({
  rateMmPerH,
  intakeMmPerH,
  parts,
  minutesPerPart,
  pauseMin,
}: NonNullable<AdviceBody['runoff']>): Text {
  const each = advisedMinutes(minutesPerPart);
  const pause = advisedMinutes(pauseMin);
  const rates = say`The equipment applies ${rate(rateMmPerH, 'mm/h')}, and the soil takes in some ${rough(exact(intakeMmPerH, 'mm/h'))}`;
  return parts > MAX_PARTS
    ? say`${rates}, so most of it would run off: sprinklers or nozzles with a lower rate suit this soil. Until then, give it in runs of ${each} with pauses of ${pause}.`
    : say`${rates}: give it in ${parts} parts of ${each} with pauses of ${pause}, or part of it runs off.`;
}
