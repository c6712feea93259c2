import { randomUUID } from 'node:crypto';
import type { OperationArguments } from '../operation/arguments/operation-arguments.ts';
import { CONFIRMED } from '../operation/rest-conventions.ts';
import { AcequiaError } from '../schema/error.ts';
import type { IdempotentArgumentCache, KeyedCall } from './argument-cache.ts';
import { COMPANY_PATH } from './company.ts';
import { readWriteArguments } from './remote-arguments.ts';
import { argumentsInFull, type RemoteRun } from './remote-run.ts';
import { UncertainWriteError } from './service/remote-errors.ts';
import type { RemoteResponse } from './service/service.ts';

export interface SentWrite {
  readonly operationArguments: OperationArguments;
  readonly response: RemoteResponse;
  /** When the answer was made: earlier than the call, if it is a replay. */
  readonly at: number;
}

/** Sends a write with a key, so that the connection may repeat it. */
export async function sendWrite(
  run: RemoteRun,
  cache: IdempotentArgumentCache,
): Promise<SentWrite> {
  const { operation, request, now } = run;
  const isKeyOfCaller = request.idempotencyKey !== undefined;
  const call: KeyedCall = {
    operation: operation.name,
    idempotencyKey: request.idempotencyKey ?? randomUUID(),
    rawArguments: request.rawArguments,
  };

  const cached = cache.get(call, now);
  const operationArguments = cached ?? {
    ...(await readWriteArguments(run).catch(rethrowNothingWritten)),
    readAtMs: now,
  };
  cache.set(call, operationArguments);

  try {
    const response = await requestWrite(run, operationArguments, call.idempotencyKey);
    // A generated key cannot be repeated.
    if (!isKeyOfCaller) cache.delete(call);
    if (operation.endpoint.path === COMPANY_PATH) await run.company.refresh(run.deadline);

    const at = response.replayed ? operationArguments.readAtMs : now;
    return { operationArguments, response, at };
  } catch (error) {
    // An earlier attempt may have written these arguments, even if this one was refused.
    if (cached === null && isPermanent(error)) cache.delete(call);
    throw error;
  }
}

async function requestWrite(
  { operation, request, service, company, deadline }: RemoteRun,
  { restArguments }: OperationArguments,
  idempotencyKey: string,
): Promise<RemoteResponse> {
  const lang = request.needsConfirmation ? await company.personLang(deadline) : null;

  return service.request(operation, argumentsInFull(operation, restArguments), {
    idempotencyKey,
    lang: company.lang,
    confirmation: request.isConfirmed ? CONFIRMED : lang,
    deadline,
  });
}

function rethrowNothingWritten(error: unknown): never {
  if (!(error instanceof AcequiaError) || error.status < 500) throw error;
  throw new AcequiaError({
    ...error.toJSON(),
    hint: `${error.hint ?? ''} Nothing was written by this call.`.trim(),
  });
}

const isPermanent = (error: unknown): boolean =>
  error instanceof AcequiaError &&
  error.status >= 400 &&
  error.status < 500 &&
  error.status !== 429 &&
  !(error instanceof UncertainWriteError);
