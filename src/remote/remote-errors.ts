import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod/v3';
import { operations } from '../../tools/index.ts';
import { singleLine } from '../domain/text.ts';
import type { AnyOperation } from '../operation/operation.ts';
import { toolArgumentName } from '../operation/operation-fields.ts';
import { endpointsToToolNames } from '../operation/rest-conventions.ts';
import { AcequiaError, tryAgainIn } from '../schema/error.ts';
import {
  type RawResponse,
  type RemoteConnection,
  type RemoteRequest,
  TransportError,
  type TransportFailure,
} from './connection.ts';
import { monotonicMs, type RemoteLimits } from './limits.ts';

export interface ErrorContext {
  readonly operation: AnyOperation | null;
  readonly origin: string;
  readonly key: string | null;
  readonly idempotencyKey: string | null;
}

export class UncertainWriteError extends AcequiaError {}

const toSeconds = (ms: number): number => Math.max(1, Math.round(ms / 1000));

function writeOutcomeHint({ idempotencyKey }: ErrorContext, mayHaveActed: boolean): string {
  if (idempotencyKey === null) return '';
  return mayHaveActed
    ? `It may have been written. Repeat the same call with idempotencyKey "${idempotencyKey}"; it is stored once.`
    : 'Nothing was written by this call.';
}

const remoteError = (
  code: string,
  status: number,
  message: string,
  ...hints: readonly string[]
): AcequiaError =>
  new AcequiaError({ code, status, message, hint: hints.filter((each) => each !== '').join(' ') });

/** After an answer that cannot be read, repeating the write may bring the same answer. */
function unreadableAnswerHint(context: ErrorContext, mayHaveActed: boolean): string {
  const { idempotencyKey } = context;
  if (idempotencyKey === null || !mayHaveActed) return writeOutcomeHint(context, mayHaveActed);
  return `The service answered, but not as specified; it may have been written: look before you repeat it, and repeat it with idempotencyKey "${idempotencyKey}".`;
}

export const invalidResponseError = (
  context: ErrorContext,
  reason: string,
  mayHaveActed: boolean,
): AcequiaError =>
  remoteError(
    'REMOTE_INVALID',
    502,
    `The response of ${context.origin} ${reason}.`,
    unreadableAnswerHint(context, mayHaveActed),
    'Check that the remote address is that of the service and ends in /v1.',
  );

const CONNECTION_MESSAGES: Record<
  Exclude<TransportFailure, 'timeout' | 'too_large' | 'not_http'>,
  (origin: string) => string
> = {
  unreachable: (origin) => `Cannot connect to ${origin}`,
  untrusted: (origin) => `The connection to ${origin} could not be secured`,
  closed: (origin) => `The connection to ${origin} closed before the response was complete`,
};

function fromTransportError(
  { failure, waitedMs, reason }: TransportError,
  context: ErrorContext,
  mayHaveActed: boolean,
): AcequiaError {
  const writeHint = writeOutcomeHint(context, mayHaveActed);
  if (failure === 'timeout') {
    const message = `${context.origin} did not answer within ${toSeconds(waitedMs)} s.`;
    return remoteError('REMOTE_TIMEOUT', 504, message, 'Try again in a minute.', writeHint);
  }

  if (failure === 'too_large') return invalidResponseError(context, 'is too large', mayHaveActed);
  if (failure === 'not_http') return invalidResponseError(context, 'is not HTTP', mayHaveActed);

  return remoteError(
    'REMOTE_UNREACHABLE',
    503,
    `${CONNECTION_MESSAGES[failure](context.origin)}${reason === null ? '' : ` (${reason})`}.`,
    'Check the remote address (--remote) and that the service runs, then try again.',
    writeHint,
  );
}

export const toTimeoutError = (context: ErrorContext, waitedMs: number): AcequiaError =>
  fromTransportError(new TransportError('timeout', waitedMs), context, false);

export function toRemoteError(
  { last, mayHaveActed, retryAfterMs }: RetryOutcome,
  context: ErrorContext,
): AcequiaError {
  if (last instanceof TransportError) return fromTransportError(last, context, mayHaveActed);
  if (last.status < 400) return redirectError(last, context);

  const problem = parseProblem(last.text);
  const fallback = DEFAULT_ERRORS[last.status] ?? (last.status < 500 ? DEFAULT_4XX : DEFAULT_5XX);
  const writeHint = mayHaveActed ? writeOutcomeHint(context, true) : '';
  // The hint of the service is only about the last attempt.
  const advice =
    writeHint !== '' && problem.hint !== undefined
      ? `The last answer said: ${problem.hint}`
      : (problem.hint ?? fallback.hint);
  const retryAfterS = retryAfterMs === null ? undefined : toSeconds(retryAfterMs);

  const retryHint = retryAfterS === undefined ? '' : tryAgainIn(retryAfterS);
  const hints = advice.includes(retryHint) ? [writeHint, advice] : [writeHint, advice, retryHint];
  const ErrorClass = mayHaveActed ? UncertainWriteError : AcequiaError;

  return new ErrorClass({
    code: problem.code ?? fallback.code,
    status: last.status,
    message: rewordForTools(
      problem.detail ?? `${context.origin} answered with status ${last.status}.`,
      context,
    ),
    hint: rewordForTools(hints.filter((each) => each !== '').join(' '), context),
    field: problem.field === undefined ? undefined : argumentName(problem.field, context),
    retryAfterS,
  });
}

const argumentName = (field: string, context: ErrorContext): string =>
  rewordForTools(
    context.operation === null ? field : toolArgumentName(context.operation, field),
    context,
  );

function redirectError({ headers, status }: RawResponse, context: ErrorContext): AcequiaError {
  const location = headers.location ?? '';
  const target = URL.canParse(location, context.origin)
    ? new URL(location, context.origin).origin
    : 'null';
  // The origin of an address that is not http(s) is the text "null".
  const to = target === 'null' ? '' : ` to ${target}`;
  const reason = `is a redirect (status ${status})${to}, which is not followed because it would carry the key along`;
  return invalidResponseError(context, reason, true);
}

interface DefaultError {
  readonly code: string;
  readonly hint: string;
}

const DEFAULT_ERRORS: Record<number, DefaultError> = {
  401: { code: 'unauthenticated', hint: 'Put a key of that service into ACEQUIA_API_KEY.' },
  403: {
    code: 'forbidden_resource',
    hint: 'Use a key with the scope and role for it, and ids of its own company.',
  },
  404: {
    code: 'not_found',
    hint: 'The id may be unknown there, or the service may not have this endpoint.',
  },
  429: { code: 'rate_limited', hint: 'The service asks for fewer requests.' },
  503: { code: 'REMOTE_UNREACHABLE', hint: 'The service is not ready; try again later.' },
  504: {
    code: 'REMOTE_TIMEOUT',
    hint: 'A proxy timed out waiting for the service; try again later.',
  },
};
const DEFAULT_4XX: DefaultError = {
  code: 'REMOTE_REFUSED',
  hint: 'Correct the arguments and try again.',
};
const DEFAULT_5XX: DefaultError = {
  code: 'REMOTE_FAILED',
  hint: 'Something went wrong in the service; try again later.',
};

const MAX_TEXT_LENGTH = 500;
/** In characters. The rest is not read, because cleaning a megabyte takes a tenth of a second. */
const MAX_READ_LENGTH = 2_000;

const problemText = z
  .string()
  .transform((text) => singleLine(text.slice(0, MAX_READ_LENGTH)))
  .transform((line) =>
    line.length > MAX_TEXT_LENGTH ? `${line.slice(0, MAX_TEXT_LENGTH - 1)}…` : line || undefined,
  )
  .optional()
  .catch(undefined);

/** Source: RFC 9457, with our extensions. */
const problemDetails = z
  .object({
    code: z
      .string()
      .regex(/^[A-Za-z]\w{1,63}$/)
      .optional()
      .catch(undefined),
    detail: problemText,
    hint: problemText,
    field: problemText,
  })
  .partial()
  .catch({});

function parseProblem(text: string): z.infer<typeof problemDetails> {
  try {
    return problemDetails.parse(JSON.parse(text));
  } catch {
    return {};
  }
}

/** Names arguments and tools instead of headers and endpoints, and hides the key. */
function rewordForTools(text: string, { key }: ErrorContext): string {
  const renamed = endpointsToToolNames(
    text.replaceAll('Idempotency-Key', 'idempotencyKey'),
    operations,
  );
  return key === null ? renamed : renamed.replaceAll(key, '(the key)');
}

export interface RetryOutcome {
  readonly last: RawResponse | TransportError;
  /** True if the service may have acted on an attempt whose response got lost. */
  readonly mayHaveActed: boolean;
  readonly retryAfterMs: number | null;
}

/** Doubles with each attempt; a jitter of 50 % keeps clients from all retrying at once. */
const FIRST_PAUSE_MS = 300;

const MIN_ATTEMPT_MS = 500;

/**
 * Retries when the connection failed or the service asks for a later retry, and ends before
 * `deadline`. Retries are safe for reads, and for writes because every attempt carries the same
 * Idempotency-Key.
 */
export async function sendWithRetry(
  connection: RemoteConnection,
  request: RemoteRequest,
  basePath: string,
  { maxAttempts }: Pick<RemoteLimits, 'maxAttempts'>,
  deadline: number,
): Promise<RetryOutcome> {
  let mayHaveActed = false;
  for (let attempt = 1; ; attempt += 1) {
    const last = await connection.send(request, basePath, deadline).catch((error: unknown) => {
      if (error instanceof TransportError) return error;
      throw error;
    });
    mayHaveActed ||= last instanceof TransportError ? last.mayHaveArrived : last.status >= 500;

    const retryAfterMs = last instanceof TransportError ? null : parseRetryAfter(last);
    const pause = Math.max(
      retryAfterMs ?? 0,
      FIRST_PAUSE_MS * 2 ** (attempt - 1) * (0.5 + Math.random()),
    );
    const isOver = attempt >= maxAttempts || !isRetryable(last, request, attempt);
    if (isOver || monotonicMs() + pause + MIN_ATTEMPT_MS > deadline)
      return { last, mayHaveActed, retryAfterMs };

    await sleep(pause);
  }
}

/** A refusal is final, and a service that does not answer in time gets no second request. */
function isRetryable(
  last: RawResponse | TransportError,
  request: RemoteRequest,
  attempt: number,
): boolean {
  if (last instanceof TransportError)
    return last.failure === 'unreachable' || last.failure === 'closed';
  if (last.status === 500) return request.method === 'GET' && attempt === 1;
  return [429, 502, 503, 504].includes(last.status);
}

function parseRetryAfter({ headers }: RawResponse): number | null {
  const header = headers['retry-after']?.trim();
  if (header === undefined || header === '') return null;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - Date.now());
}
