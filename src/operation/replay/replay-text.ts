import { describeReplay, type EarlierCall } from '../../language/changes/earlier-call.ts';
import type { SummaryContext } from '../../language/summary-context.ts';
import { render } from '../../language/text/render.ts';
import type { AnswerText } from '../../language/text/rendered-text.ts';

/** Says first that the answer of the earlier call follows. */
export function replayText(call: EarlierCall, context: SummaryContext): AnswerText {
  return render(describeReplay(call, context), context);
}
