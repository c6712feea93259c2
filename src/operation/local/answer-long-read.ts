import { errorCodeOf } from '../../observe/observer.ts';
import type { OperationResult } from '../operation-result.ts';
import type { LongRead, LongReadAnswer } from '../reads/long-reads.ts';
import { sourceOf } from './call-context.ts';
import type { OperationRun } from './operation-run.ts';
import type { PreparedLongRead } from './prepare-call.ts';
import { presentOutcome } from './present-outcome.ts';

/** Runs the read apart from short ones, or shares the answer to an equal one. */
export async function answerLongRead(
  run: OperationRun,
  prepared: PreparedLongRead,
): Promise<OperationResult> {
  const { operation, request, now } = run;
  const { context, operationArguments } = prepared;
  const { input } = operationArguments;
  const { json, advisories, picture } = await findAnswer(run, prepared);

  const isJsonSentUnchanged =
    request.wantsJson && operation.load?.forCaller === undefined && input.detail !== 'concise';
  const body = isJsonSentUnchanged ? undefined : JSON.parse(json);

  const presentation = { at: now, isReplay: false, picture };
  const result = await presentOutcome(run, context, { body, input, advisories }, presentation);
  return isJsonSentUnchanged ? { ...result, json } : result;
}

async function findAnswer(
  { request, environment, operation }: OperationRun,
  { context, operationArguments: { input, advisories }, changeCount, longReads }: PreparedLongRead,
): Promise<LongReadAnswer> {
  const { signal, trace } = request;
  const { caller, company, now } = context;
  // It has a function, which cannot be sent to another thread.
  const { credential: _, ...plainCaller } = caller;
  const read: LongRead = {
    operation: operation.name,
    input,
    advisories,
    now,
    changeCount,
    identity: { caller: plainCaller, company, source: sourceOf(environment, context) },
    lang: environment.lang,
    storeKind: environment.storeKind,
    pageUrl: environment.pageUrl?.()?.href,
  };

  const transaction = trace?.startTransaction('read');
  try {
    const answer = await longReads.answer(read, {
      signal,
      onPlace: transaction?.onConnectionAcquired,
    });
    transaction?.end(null);
    return answer;
  } catch (error) {
    transaction?.end(errorCodeOf(error));
    throw error;
  }
}
