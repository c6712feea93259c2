import { toolArgumentName } from '../operation/input-fields.ts';
import type { AnyOperation } from '../operation/operation.ts';
import { AcequiaError, type Problem } from '../schema/error.ts';
import type { RemoteReply } from './connection.ts';
import type { RetryOutcome } from './retry.ts';
import { TransportError, type TransportFailure } from './transport-error.ts';

/** A request that failed: what it was, so that the person hears what may have come of it. */
export interface FailedRequest {
  /** Null for a request that no operation makes. */
  readonly operation: AnyOperation | null;
  /** Origin of the service. */
  readonly origin: string;
  readonly key: string | null;
  /** Under which a write can be repeated; null for a read. */
  readonly idempotencyKey: string | null;
}

const seconds = (ms: number): number => Math.max(1, Math.round(ms / 1000));

/** What to do about a write of which nobody knows whether it was done; nothing for a read. */
export function uncertainWriteHint({ idempotencyKey }: FailedRequest, mayHaveActed: boolean): string {
  if (idempotencyKey === null) return '';
  return mayHaveActed
    ? ` It may have been written all the same: repeat the very same call with idempotencyKey "${idempotencyKey}", and nothing is written twice.`
    : ' Nothing was written by this call.';
}

const remoteError = (code: string, status: number, message: string, hint: string): AcequiaError =>
  new AcequiaError({ code, status, message, hint });

/** An answer that is none of the interface's; `why` ends the sentence "The answer of … ". */
export function invalidResponseError(failedRequest: FailedRequest, why: string, mayHaveActed: boolean): AcequiaError {
  return remoteError(
    'REMOTE_INVALID',
    502,
    `The answer of ${failedRequest.origin} ${why}.`,
    `Check that the remote address is that of the service and ends in /v1.${uncertainWriteHint(failedRequest, mayHaveActed)}`,
  );
}

const CONNECTION_MESSAGES: Record<
  Exclude<TransportFailure, 'silent' | 'endless' | 'garbled'>,
  (origin: string) => string
> = {
  unreachable: (origin) => `No connection to ${origin} came about`,
  untrusted: (origin) => `The connection to ${origin} could not be secured`,
  cut: (origin) => `The connection to ${origin} ended before the answer was there`,
};

function fromTransportError(
  { failure, waitedMs, reason }: TransportError,
  failedRequest: FailedRequest,
  mayHaveActed: boolean,
): AcequiaError {
  const uncertain = uncertainWriteHint(failedRequest, mayHaveActed);
  if (failure === 'silent')
    return remoteError(
      'REMOTE_TIMEOUT',
      504,
      `${failedRequest.origin} did not answer within ${seconds(waitedMs)} s.`,
      `Try again in a minute.${uncertain}`,
    );
  if (failure === 'endless') return invalidResponseError(failedRequest, 'is longer than is read', mayHaveActed);
  if (failure === 'garbled') return invalidResponseError(failedRequest, 'is no HTTP', mayHaveActed);
  return remoteError(
    'REMOTE_UNREACHABLE',
    503,
    `${CONNECTION_MESSAGES[failure](failedRequest.origin)}${reason === null ? '' : ` (${reason})`}.`,
    `Check the remote address (--remote) and that the service runs, then try again.${uncertain}`,
  );
}

/** What was asked of the service for several calls is not there when one of them has no time left. */
export const timedOutError = (failedRequest: FailedRequest, waitedMs: number): AcequiaError =>
  fromTransportError(new TransportError('silent', waitedMs), failedRequest, false);

/** What an outcome that is no success means to who called. */
export function toRemoteError(
  { last, mayHaveActed, retryAfterMs }: RetryOutcome,
  failedRequest: FailedRequest,
): AcequiaError {
  if (last instanceof TransportError) return fromTransportError(last, failedRequest, mayHaveActed);
  if (last.status < 400) return redirectError(last, failedRequest);
  const problem = parseProblem(last.text);
  const fallback = DEFAULT_ERRORS[last.status] ?? (last.status < 500 ? DEFAULT_4XX : DEFAULT_5XX);
  const later = retryAfterMs === null ? '' : ` Try again in ${seconds(retryAfterMs)} s.`;
  // What the last answer says to do is said of the last try alone, and comes behind what holds for all of them.
  const uncertainty = mayHaveActed ? uncertainWriteHint(failedRequest, true).trim() : '';
  const advice =
    uncertainty !== '' && problem.hint !== undefined
      ? `The last answer said: ${problem.hint}`
      : (problem.hint ?? fallback.hint);
  const hint = `${uncertainty} ${advice}${later}`.trim();
  const refusal = new AcequiaError({
    code: problem.code ?? fallback.code,
    status: last.status,
    message: withoutKey(
      problem.message ?? `${failedRequest.origin} answered with status ${last.status}.`,
      failedRequest,
    ),
    hint: withoutKey(hint, failedRequest),
    field: problem.field === undefined ? undefined : argumentName(problem.field, failedRequest),
  });
  if (mayHaveActed) possiblyApplied.add(refusal);
  return refusal;
}

const argumentName = (field: string, { operation, key }: FailedRequest): string =>
  withoutKey(operation === null ? field : toolArgumentName(operation, field), { key });

const possiblyApplied = new WeakSet<AcequiaError>();

/** Whether the service may have acted on an earlier try of what it refused in the end. */
export const mayAlreadyBeApplied = (refusal: AcequiaError): boolean => possiblyApplied.has(refusal);

/** Some services answer a write that was done with a redirect. */
function redirectError({ headers, status }: RemoteReply, failedRequest: FailedRequest): AcequiaError {
  const to = originOf(headers.location, failedRequest.origin);
  return invalidResponseError(
    failedRequest,
    `is a redirect (status ${status})${to === null ? '' : ` to ${to}`}, which is not followed because the key goes with it`,
    true,
  );
}

function originOf(location: string | undefined, base: string): string | null {
  if (location === undefined || !URL.canParse(location, base)) return null;
  const { origin, protocol } = new URL(location, base);
  return /^https?:$/.test(protocol) ? origin : null;
}

interface DefaultError {
  readonly code: string;
  readonly hint: string;
}

/** What a status says where the answer says nothing itself. */
const DEFAULT_ERRORS: Record<number, DefaultError> = {
  401: { code: 'unauthenticated', hint: 'Put a key of that service into ACEQUIA_API_KEY.' },
  403: { code: 'forbidden_resource', hint: 'Use a key with the scope and role for it, and ids of its own company.' },
  404: { code: 'not_found', hint: 'The id may be unknown there, or the service may not have this endpoint.' },
  429: { code: 'rate_limited', hint: 'The service asks for fewer requests.' },
  503: { code: 'REMOTE_UNREACHABLE', hint: 'The service is not ready; try again later.' },
  504: { code: 'REMOTE_TIMEOUT', hint: 'Something before the service waited in vain for it; try again later.' },
};
const DEFAULT_4XX: DefaultError = { code: 'REMOTE_REFUSED', hint: 'Correct the arguments and try again.' };
const DEFAULT_5XX: DefaultError = {
  code: 'REMOTE_FAILED',
  hint: 'Something went wrong in the service; try again later.',
};

/** The words of an error body: problem details, { error }, { code, message }, or plain text. */
function parseProblem(text: string): Partial<Omit<Problem, 'status'>> {
  const body = parseErrorBody(text);
  if (typeof body === 'string') return { code: toSpelledCode(body), message: toSingleLine(body) };
  if (body === null) return /^\s*</.test(text) ? {} : { message: toSingleLine(text) };
  const { error } = body;
  const nested = typeof error === 'object' && error !== null ? (error as Record<string, unknown>) : body;
  const words = [nested.detail, nested.message, nested.title, nested.error, error].find(
    (each) => typeof each === 'string',
  );
  const code = toErrorCode(nested.code) ?? toSpelledCode(error) ?? toSpelledCode(nested.type);
  return { code, message: toSingleLine(words), hint: toSingleLine(nested.hint), field: toSingleLine(nested.field) };
}

function parseErrorBody(text: string): Record<string, unknown> | string | null {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'string' || (typeof body === 'object' && !Array.isArray(body))
      ? (body as Record<string, unknown> | string | null)
      : null;
  } catch {
    return null;
  }
}

const toErrorCode = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[A-Za-z]\w{1,63}$/.test(value) ? value : undefined;

/** A code where words may stand as well, such as the name of a status. */
const toSpelledCode = (value: unknown): string | undefined =>
  typeof value === 'string' && /^([A-Z][A-Z0-9]*|[a-z][a-z0-9]*)(_[A-Za-z0-9]+)+$/.test(value)
    ? toErrorCode(value)
    : undefined;

/** A text of the service as one line of bounded length; undefined where there is none. */
function toSingleLine(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const plain = value.replace(/[\p{C}\s]+/gu, ' ').trim();
  if (plain === '') return undefined;
  return plain.length > 500 ? `${plain.slice(0, 499)}…` : plain;
}

/** A text of the service as it may be said here: what is a header there is an argument, and a key it quotes is left out. */
function withoutKey(text: string, { key }: Pick<FailedRequest, 'key'>): string {
  const renamed = text.replaceAll('Idempotency-Key', 'idempotencyKey');
  return key === null ? renamed : renamed.replaceAll(key, '(the key)');
}
