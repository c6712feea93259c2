import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { MINUTE_MS } from '../domain/periods.ts';
import { say, sentences } from '../domain/text/say.ts';
import type { OperationArguments } from '../operation/arguments/operation-arguments.ts';
import { IDEMPOTENCY_KEY_REUSED, sayingSameWords } from '../operation/replay/idempotency.ts';
import { meansAnotherTime } from '../operation/replay/spoken-times.ts';
import { COMPANY_CHANGED, CONFIRMED } from '../operation/rest-conventions.ts';
import { AcequiaError } from '../schema/error.ts';
import { REPLAY_WINDOW_MS } from '../store/idempotency.ts';
import type { CachedArguments, IdempotentArgumentCache, KeyedCall } from './argument-cache.ts';
import { readWriteArguments } from './remote-arguments.ts';
import { COMPANY_PATH } from './remote-company.ts';
import { argumentsInFull, RemoteRun } from './remote-run.ts';
import { UncertainWriteError } from './service/remote-errors.ts';
import type { RemoteResponse } from './service/remote-service.ts';

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

  const stored = cache.get(call, now);
  const cached = await sameArguments(run, stored);
  const newest = cached ?? (await readArguments(run).catch(rethrowNothingWritten));
  cache.set(call, newest);

  try {
    const { operationArguments, response } = await requestWrite(run, newest, call).catch(
      async (error: unknown) => {
        const earlier = cached === null ? await earlierArguments(run, newest, error) : null;
        if (earlier === null) throw error;
        cache.set(call, earlier);
        return requestWrite(run, earlier, call);
      },
    );
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
    if ((cached === null && isPermanent(error)) || isCompanyChanged(error)) cache.delete(call);
    throw stored !== null && cached === null ? withSameWords(error) : error;
  }
}

async function readArguments(run: RemoteRun): Promise<CachedArguments> {
  const operationArguments = await readWriteArguments(run);
  return { ...operationArguments, readIn: run.formats, readAtMs: run.now };
}

/**
 * True if the words of the call have to be read in other formats. An answer stored under its key would
 * have come instead, so nothing was written unless an earlier attempt is still being carried out.
 */
export const isCompanyChanged = (error: unknown): boolean =>
  error instanceof AcequiaError &&
  error.code === COMPANY_CHANGED &&
  !(error instanceof UncertainWriteError);

/** The service knows the times that were sent, and not the words, which were the same. */
function withSameWords(error: unknown): unknown {
  if (!(error instanceof AcequiaError) || error.code !== IDEMPOTENCY_KEY_REUSED) return error;
  const { problem } = error;
  return new AcequiaError({ ...problem, message: sayingSameWords(problem.message) });
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

/**
 * The arguments as another process sent them under this key, some minutes before: what the words of
 * this call meant then. Null if the service did not refuse the key, or they mean another time now.
 */
async function earlierArguments(
  run: RemoteRun,
  newest: CachedArguments,
  error: unknown,
): Promise<CachedArguments | null> {
  const stored = error instanceof AcequiaError ? error.earlierCall : undefined;
  const readAtMs = stored?.wordsReadAt ?? stored?.answeredAt;
  if (readAtMs === undefined || Math.abs(run.now - readAtMs) > REPLAY_WINDOW_MS) return null;

  const same = await sameArguments(run, { ...newest, readAtMs });
  if (same === null) return null;
  const { operation, request, deadline } = run;
  const then = new RemoteRun(run, operation, request, { now: readAtMs, deadline });
  const earlier = await readArguments(then);
  const isSent = isDeepStrictEqual(earlier.restArguments, newest.restArguments);
  return isSent ? null : earlier;
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
  operationArguments: CachedArguments,
  { idempotencyKey }: KeyedCall,
): Promise<SentWrite> {
  const lang = request.needsConfirmation ? await company.personLang(deadline) : null;

  const { restArguments, readAtMs, readIn } = operationArguments;
  const response = await service.request(operation, argumentsInFull(operation, restArguments), {
    idempotencyKey,
    wordsReadAt: request.spokenTimes === undefined ? null : readAtMs,
    readIn,
    lang: company.lang,
    confirmation: request.isConfirmed ? CONFIRMED : lang,
    deadline,
  });
  return { operationArguments, response };
}

function rethrowNothingWritten(error: unknown): never {
  if (!(error instanceof AcequiaError) || error.status < 500) throw error;
  const { problem } = error;
  const hint = sentences([problem.hint ?? null, say`Nothing was written by this call.`]);
  throw new AcequiaError({ ...problem, hint });
}

const isPermanent = (error: unknown): boolean =>
  error instanceof AcequiaError &&
  error.status >= 400 &&
  error.status < 500 &&
  error.status !== 429 &&
  !(error instanceof UncertainWriteError);
