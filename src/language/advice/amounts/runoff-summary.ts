import type { AdviceBody } from '../../../schema/advice/advice.ts';
import { formatAdvisedMinutes, formatNumber, formatRate } from '../../number-format.ts';

/** More parts than this nobody gives by hand. */
const MAX_PARTS = 6;

/** Of an advice, or of each watering of a schedule. */
export function describeRunoff({
  rateMmPerH,
  intakeMmPerH,
  parts,
  minutesPerPart,
  pauseMin,
}: NonNullable<AdviceBody['runoff']>): string {
  const each = formatAdvisedMinutes(minutesPerPart);
  const pause = formatAdvisedMinutes(pauseMin);
  const rates = `The equipment applies ${formatRate(rateMmPerH)} mm/h, and the soil takes in some ${formatNumber(intakeMmPerH)} mm/h`;
  return parts > MAX_PARTS
    ? `${rates}, so most of it would run off: sprinklers or nozzles with a lower rate suit this soil. Until then, give it in runs of ${each} with pauses of ${pause}.`
    : `${rates}: give it in ${parts} parts of ${each} with pauses of ${pause}, or part of it runs off.`;
}
