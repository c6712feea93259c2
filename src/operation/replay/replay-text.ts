import { withUsUnits } from '../../language/american-units.ts';
import { describeReplay, type EarlierCall } from '../../language/changes/earlier-call.ts';
import { type AnswerText, splitAnswer } from '../../language/next-calls.ts';
import type { SummaryContext } from '../../language/summary-context.ts';

/** What a replay says before the summary of the first answer. */
export function replayText(call: EarlierCall, context: SummaryContext): AnswerText {
  const { summary, next } = splitAnswer(describeReplay(call, context));
  return { summary: context.units === 'metric' ? summary : withUsUnits(summary), next };
}
