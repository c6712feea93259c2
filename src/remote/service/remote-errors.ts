import { z } from 'zod/v3';
import { isRecord } from '../../domain/records.ts';
import { singleLine } from '../../domain/strings.ts';
import { argument } from '../../domain/text/program-names.ts';
import { say, sentences, verbatim, verbatimText } from '../../domain/text/say.ts';
import type { Name, Text } from '../../domain/text/text.ts';
import { toolFields } from '../../operation/arguments/tool-fields.ts';
import type { AnyOperation } from '../../operation/operation.ts';
import { parseEarlierCall } from '../../operation/rest-conventions.ts';
import { AcequiaError, tryAgainAfter, tryAgainIn } from '../../schema/error.ts';
import { type RawResponse, TransportError, type TransportFailure } from './connection.ts';
import { receivedText } from './received-texts.ts';
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

const repeatedKey = (key: string): Text =>
  say`${argument('idempotencyKey')} ${verbatim(`"${key}"`)}`;

/** Null for a read. */
function writeOutcomeHint({ idempotencyKey }: ErrorContext, mayHaveActed: boolean): Text | null {
  if (idempotencyKey === null) return null;
  return mayHaveActed
    ? say`It may have been written. Repeat the same call with ${repeatedKey(idempotencyKey)}; it is stored once.`
    : say`Nothing was written by this call.`;
}

const remoteError = (
  code: string,
  status: number,
  message: Text,
  ...hints: readonly (Text | null)[]
): AcequiaError => new AcequiaError({ code, status, message, hint: sentences(hints) });

/** After an answer that cannot be read, repeating the write may bring the same answer. */
function unreadableAnswerHint(context: ErrorContext, mayHaveActed: boolean): Text | null {
  const { idempotencyKey } = context;
  if (idempotencyKey === null || !mayHaveActed) return writeOutcomeHint(context, mayHaveActed);
  return say`The service answered, but not as specified; it may have been written: look before you repeat it, and repeat it with ${repeatedKey(idempotencyKey)}.`;
}

export const invalidResponseError = (
  context: ErrorContext,
  reason: Text,
  mayHaveActed: boolean,
): AcequiaError =>
  remoteError(
    'REMOTE_INVALID',
    502,
    say`The response of ${verbatim(context.origin)} ${reason}.`,
    unreadableAnswerHint(context, mayHaveActed),
    say`Check that the remote address is that of the service and ends in /v1.`,
  );

const CONNECTION_MESSAGES: Record<
  Exclude<TransportFailure, 'timeout' | 'too_large' | 'not_http'>,
  (origin: Name) => Text
> = {
  unreachable: (origin) => say`Cannot connect to ${origin}`,
  untrusted: (origin) => say`The connection to ${origin} could not be secured`,
  closed: (origin) => say`The connection to ${origin} closed before the response was complete`,
};

function fromTransportError(
  { failure, waitedMs, reason }: TransportError,
  context: ErrorContext,
  mayHaveActed: boolean,
): AcequiaError {
  const writeHint = writeOutcomeHint(context, mayHaveActed);
  const origin = verbatim(context.origin);
  if (failure === 'timeout') {
    const message = say`${origin} did not answer within ${toSeconds(waitedMs)} s.`;
    return remoteError('REMOTE_TIMEOUT', 504, message, say`Try again in a minute.`, writeHint);
  }

  if (failure === 'too_large')
    return invalidResponseError(context, say`is too large`, mayHaveActed);
  if (failure === 'not_http') return invalidResponseError(context, say`is not HTTP`, mayHaveActed);

  const because = reason === null ? null : say` (${verbatim(reason)})`;
  return remoteError(
    'REMOTE_UNREACHABLE',
    503,
    say`${CONNECTION_MESSAGES[failure](origin)}${because}.`,
    say`Check the remote address (--remote) and that the service runs, then try again.`,
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

  const problem = parseProblem(last.text, context);
  const fallback = DEFAULT_ERRORS[last.status] ?? (last.status < 500 ? DEFAULT_4XX : DEFAULT_5XX);
  const status = say`${verbatim(context.origin)} answered with status ${last.status}.`;
  const retryAfterS = retryAfterMs === null ? undefined : toSeconds(retryAfterMs);
  const writeHint = mayHaveActed ? writeOutcomeHint(context, true) : null;
  const saysWhen = retryAfterS === undefined || problem.hint?.includes(tryAgainIn(retryAfterS));
  const advice = adviceAfter(problem.texts.hint, fallback.hint, writeHint);

  const ErrorClass = mayHaveActed ? UncertainWriteError : AcequiaError;
  return new ErrorClass({
    code: problem.code ?? fallback.code,
    status: last.status,
    message: problem.texts.message ?? status,
    hint: sentences([writeHint, advice, saysWhen ? null : tryAgainAfter(retryAfterS)]),
    field: problem.field === undefined ? undefined : argumentName(problem.field, context),
    retryAfterS,
    earlierCall: parseEarlierCall(last.headers) ?? undefined,
  });
}

function adviceAfter(serviceHint: Text | undefined, fallback: Text, writeHint: Text | null): Text {
  if (serviceHint === undefined) return fallback;
  // An earlier attempt may have written, and the service knows of the last attempt alone.
  return writeHint === null ? serviceHint : say`The last answer said: ${serviceHint}`;
}

/** The tool's name for a field of its endpoint, or a header. */
function argumentName(field: string, { operation }: ErrorContext): string {
  if (field === 'Idempotency-Key') return 'idempotencyKey';
  return (operation && toolFields(operation).byName.get(field)?.argument) ?? field;
}

function redirectError({ headers, status }: RawResponse, context: ErrorContext): AcequiaError {
  const location = headers.location ?? '';
  const target = URL.canParse(location, context.origin) ? new URL(location, context.origin) : null;
  const isWeb = target?.protocol === 'https:' || target?.protocol === 'http:';
  const to = isWeb ? say` to ${verbatim(target.origin)}` : null;
  const reason = say`is a redirect (status ${status})${to}, which is not followed because it would carry the key along`;
  return invalidResponseError(context, reason, true);
}

interface DefaultError {
  readonly code: string;
  readonly hint: Text;
}

const DEFAULT_ERRORS: Record<number, DefaultError> = {
  401: { code: 'unauthenticated', hint: say`Put a key of that service into ACEQUIA_API_KEY.` },
  403: {
    code: 'forbidden_resource',
    hint: say`Use a key with the scope and role for it, and ids of its own company.`,
  },
  404: {
    code: 'not_found',
    hint: say`The id may be unknown there, or the service may not have this endpoint.`,
  },
  429: { code: 'rate_limited', hint: say`The service asks for fewer requests.` },
  503: { code: 'REMOTE_UNREACHABLE', hint: say`The service is not ready; try again later.` },
  504: {
    code: 'REMOTE_TIMEOUT',
    hint: say`A proxy timed out waiting for the service; try again later.`,
  },
};
const DEFAULT_4XX: DefaultError = {
  code: 'REMOTE_REFUSED',
  hint: say`Correct the arguments and try again.`,
};
const DEFAULT_5XX: DefaultError = {
  code: 'REMOTE_FAILED',
  hint: say`Something went wrong in the service; try again later.`,
};

const MAX_TEXT_LENGTH = 500;
/** In characters. The rest is not read, because cleaning a megabyte takes a tenth of a second. */
const MAX_READ_LENGTH = 2_000;
/** In characters, of a problem whose parts are read. */
const MAX_LENGTH_WITH_TEXTS = 64 * 1024;

/** Source: RFC 9457, with our extensions. */
function problemDetails(context: ErrorContext) {
  const clean = (text: string): string => withoutKey(text, context);
  const problemText = z
    .string()
    .transform((text) => singleLine(clean(text.slice(0, MAX_READ_LENGTH))))
    .transform((line) =>
      line.length > MAX_TEXT_LENGTH ? `${line.slice(0, MAX_TEXT_LENGTH - 1)}…` : line || undefined,
    )
    .optional()
    .catch(undefined);
  const nameArgument = (path: string): string => argumentName(path, context);
  const parts = receivedText({ clean, nameArgument }).optional().catch(undefined);

  return z
    .object({
      code: z
        .string()
        .regex(/^[A-Za-z]\w{1,63}$/)
        .optional()
        .catch(undefined),
      detail: problemText,
      hint: problemText,
      field: problemText,
      texts: z.object({ message: parts, hint: parts }).partial().catch({}),
    })
    .partial()
    .catch({});
}

/** A service that sends no parts is quoted: its strings stay as they are. */
export function parseProblem(text: string, context: ErrorContext) {
  const { texts = {}, ...problem } = problemDetails(context).parse(problemJson(text));
  const { detail, hint } = problem;
  return {
    ...problem,
    texts: {
      message: texts.message ?? (detail === undefined ? undefined : verbatimText(detail)),
      hint: texts.hint ?? (hint === undefined ? undefined : verbatimText(hint)),
    },
  };
}

function problemJson(text: string): unknown {
  try {
    const problem: unknown = JSON.parse(text);
    if (text.length <= MAX_LENGTH_WITH_TEXTS || !isRecord(problem)) return problem;
    const { texts: _, ...others } = problem;
    return others;
  } catch {
    return null;
  }
}

const withoutKey = (text: string, { key }: ErrorContext): string =>
  key === null ? text : text.replaceAll(key, '(the key)');
