import { say } from '../../domain/text/say.ts';
import { describeEarlierCall } from '../../language/changes/earlier-call.ts';
import { summaryContextOf } from '../../language/summary-context.ts';
import { inWords } from '../../language/text/render.ts';
import type { CallContext } from '../local/call-context.ts';
import type { OperationRun } from '../local/operation-run.ts';
import type { EarlierOutcome, IdempotentCall } from './idempotency.ts';
import { meansAnotherTime } from './spoken-times.ts';

/** Throws if the earlier call under the key of this one was of other arguments. */
export async function assertSameCall(
  { operation, request: { spokenTimes }, now }: OperationRun,
  context: CallContext,
  { record, earlier }: { readonly record: IdempotentCall; readonly earlier: EarlierOutcome },
): Promise<void> {
  const { at, hasSameArguments, wordsReadAt } = earlier;
  const hasMoved =
    spokenTimes !== undefined && meansAnotherTime(spokenTimes, context.zone, { earlier: at, now });
  if (hasSameArguments && !hasMoved) return;

  const call = { ...earlier, operation: operation.name };
  const summaryContext = summaryContextOf(context);
  const described = await describeEarlierCall(call, summaryContext);
  const isUndone = earlier.advisories.some(({ kind }) => kind === 'undone_since');
  const times = { answeredAt: at, wordsReadAt };
  throw record.reusedError({
    text: say`${inWords(described, summaryContext)}`,
    times,
    isUndone,
    hasSameWords: hasSameArguments,
  });
}
