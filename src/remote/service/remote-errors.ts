import { z } from 'zod/v3';
import { operations } from '../../../tools/index.ts';
import { singleLine } from '../../domain/text.ts';
import type { AnyOperation } from '../../operation/operation.ts';
import { toolArgumentName } from '../../operation/operation-fields.ts';
import { endpointsToToolNames, parseEarlierCall } from '../../operation/rest-conventions.ts';
import { AcequiaError, tryAgainIn } from '../../schema/error.ts';
import { type RawResponse, TransportError, type TransportFailure } from './connection.ts';
import type { RetryOutcome } from './retry.ts';

export interface ErrorContext {
  readonly operation: AnyOperation | null;
  readonly origin: string;
  readonly key: string | null;
  readonly idempotencyKey: string | null;
}

/** The service refused the last attempt at a write, but may have acted on an earlier one. */
export class UncertainWriteError extends AcequiaError {}

const toSeconds = (ms: number): number => Math.max(1, Math.round(ms / 1000));

/** Empty for a read. */
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
): AcequiaError => new AcequiaError({ code, status, message, hint: joinHints(...hints) });

const joinHints = (...hints: readonly string[]): string =>
  hints.filter((hint) => hint !== '').join(' ');

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
  const message = problem.detail ?? `${context.origin} answered with status ${last.status}.`;
  const retryAfterS = retryAfterMs === null ? undefined : toSeconds(retryAfterMs);
  const writeHint = mayHaveActed ? writeOutcomeHint(context, true) : '';
  const advice = adviceAfter(problem.hint, fallback.hint, writeHint);
  const retryHint = retryAfterS === undefined ? '' : tryAgainIn(retryAfterS);
  const hint = joinHints(writeHint, advice, advice.includes(retryHint) ? '' : retryHint);

  const ErrorClass = mayHaveActed ? UncertainWriteError : AcequiaError;
  return new ErrorClass({
    code: problem.code ?? fallback.code,
    status: last.status,
    message: rewordForTools(message, context),
    hint: rewordForTools(hint, context),
    field: problem.field === undefined ? undefined : argumentName(problem.field, context),
    retryAfterS,
    earlierCall: parseEarlierCall(last.headers) ?? undefined,
  });
}

function adviceAfter(serviceHint: string | undefined, fallback: string, writeHint: string): string {
  if (serviceHint === undefined) return fallback;
  // An earlier attempt may have written, and the service knows of the last attempt alone.
  return writeHint === '' ? serviceHint : `The last answer said: ${serviceHint}`;
}

const argumentName = (field: string, context: ErrorContext): string =>
  rewordForTools(
    context.operation === null ? field : toolArgumentName(context.operation, field),
    context,
  );

function redirectError({ headers, status }: RawResponse, context: ErrorContext): AcequiaError {
  const location = headers.location ?? '';
  const target = URL.canParse(location, context.origin) ? new URL(location, context.origin) : null;
  const isWeb = target?.protocol === 'https:' || target?.protocol === 'http:';
  const to = isWeb ? ` to ${target.origin}` : '';
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
