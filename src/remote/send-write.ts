import { randomUUID } from 'node:crypto';
import { MINUTE_MS } from '../domain/periods.ts';
import type { OperationArguments } from '../operation/arguments/operation-arguments.ts';
import { meansAnotherTime } from '../operation/replay/spoken-times.ts';
import { CONFIRMED } from '../operation/rest-conventions.ts';
import { AcequiaError } from '../schema/error.ts';
import type { CachedArguments, IdempotentArgumentCache, KeyedCall } from './argument-cache.ts';
import { COMPANY_PATH } from './company.ts';
import { readWriteArguments } from './remote-arguments.ts';
import { argumentsInFull, type RemoteRun } from './remote-run.ts';
import { UncertainWriteError } from './service/remote-errors.ts';
import type { RemoteResponse } from './service/service.ts';

export interface SentWrite {
  readonly operationArguments: OperationArguments;
  readonly response: RemoteResponse;
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

  const cached = await sameArguments(run, cache.get(call, now));
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

    const replay = cached === null ? withoutOwnRepeat(response, now) : response.replay;
    const answeredAt = replay?.answeredAt ?? cached?.readAtMs ?? null;
    return {
      operationArguments,
      response: { ...response, replay: replay && { answeredAt } },
    };
  } catch (error) {
    // An earlier attempt may have written these arguments, even if this one was refused.
    if (cached === null && isPermanent(error)) cache.delete(call);
    throw error;
  }
}

/**
 * Null if the words of the call mean another time by now. Read again, they are other arguments under
 * the same key, which the service refuses if it knows the key.
 */
async function sameArguments(
  { request, company, now, deadline }: RemoteRun,
  cached: CachedArguments | null,
): Promise<CachedArguments | null> {
  if (cached === null || request.spokenTimes === undefined) return cached;

  const zoneOrError = await company.zone(deadline);
  // Without a zone only times are taken that need none.
  const zone = typeof zoneOrError === 'string' ? zoneOrError : 'UTC';
  const hasMoved = meansAnotherTime(request.spokenTimes, zone, { earlier: cached.readAtMs, now });
  return hasMoved ? null : cached;
}

/** The clocks of two computers differ at most so much. */
const CLOCK_DIFFERENCE_MS = 5 * MINUTE_MS;

/** Null if this call itself was sent twice, and the service answers the second with the first. */
function withoutOwnRepeat(
  { replay, wasRepeated }: RemoteResponse,
  now: number,
): RemoteResponse['replay'] {
  const answeredAt = replay?.answeredAt ?? now;
  const isOfNow = Math.abs(answeredAt - now) <= CLOCK_DIFFERENCE_MS;
  return wasRepeated && isOfNow ? null : replay;
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
