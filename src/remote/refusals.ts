import { toolName } from '../operation/tool-names.ts';
import { AcequiaError, type Problem } from '../schema/error.ts';
import type { Reply } from './connection.ts';
import type { Outcome } from './tries.ts';
import { type Lack, Unanswered } from './unanswered.ts';

/** A request that failed: what it was, so that the person hears what may have come of it. */
export interface Failed {
  /** Origin of the service. */
  readonly origin: string;
  readonly key: string | null;
  /** Under which a write can be repeated; null for a read. */
  readonly idempotencyKey: string | null;
}

const seconds = (ms: number): number => Math.max(1, Math.round(ms / 1000));

/** What to do about a write of which nobody knows whether it was done; nothing for a read. */
export function sayUncertain({ idempotencyKey }: Failed, mayHaveActed: boolean): string {
  if (idempotencyKey === null) return '';
  return mayHaveActed
    ? ` It may have been written all the same: repeat the very same call with idempotencyKey "${idempotencyKey}", and nothing is written twice.`
    : ' Nothing was written by this call.';
}

const remoteError = (code: string, status: number, message: string, hint: string): AcequiaError =>
  new AcequiaError({ code, status, message, hint });

/** An answer that is none of the interface's; `why` ends the sentence "The answer of … ". */
export function invalidAnswer(failed: Failed, why: string, mayHaveActed: boolean): AcequiaError {
  return remoteError(
    'REMOTE_INVALID',
    502,
    `The answer of ${failed.origin} ${why}.`,
    `Check that the remote address is that of the service and ends in /v1.${sayUncertain(failed, mayHaveActed)}`,
  );
}

const UNANSWERED: Record<Exclude<Lack, 'silent' | 'endless' | 'garbled'>, (origin: string) => string> = {
  unreachable: (origin) => `No connection to ${origin} came about`,
  untrusted: (origin) => `The connection to ${origin} could not be secured`,
  cut: (origin) => `The connection to ${origin} ended before the answer was there`,
};

function refusalUnanswered(
  { lack, waitedMs, reason }: Unanswered,
  failed: Failed,
  mayHaveActed: boolean,
): AcequiaError {
  const uncertain = sayUncertain(failed, mayHaveActed);
  if (lack === 'silent')
    return remoteError(
      'REMOTE_TIMEOUT',
      504,
      `${failed.origin} did not answer within ${seconds(waitedMs)} s.`,
      `Try again in a minute.${uncertain}`,
    );
  if (lack === 'endless') return invalidAnswer(failed, 'is longer than is read', mayHaveActed);
  if (lack === 'garbled') return invalidAnswer(failed, 'is no HTTP', mayHaveActed);
  return remoteError(
    'REMOTE_UNREACHABLE',
    503,
    `${UNANSWERED[lack](failed.origin)}${reason === null ? '' : ` (${reason})`}.`,
    `Check the remote address (--remote) and that the service runs, then try again.${uncertain}`,
  );
}

/** What was asked of the service for several calls is not there when one of them has no time left. */
export const refusalLate = (failed: Failed, waitedMs: number): AcequiaError =>
  refusalUnanswered(new Unanswered('silent', waitedMs), failed, false);

/** What an outcome that is no success means to who called. */
export function refusalOf({ last, mayHaveActed, retryAfterMs }: Outcome, failed: Failed): AcequiaError {
  if (last instanceof Unanswered) return refusalUnanswered(last, failed, mayHaveActed);
  if (last.status < 400) return redirected(last, failed);
  const told = problemIn(last.text);
  const plain = PLAIN[last.status] ?? (last.status < 500 ? PLAIN_4XX : PLAIN_5XX);
  const later = retryAfterMs === null ? '' : ` Try again in ${seconds(retryAfterMs)} s.`;
  // What the last answer says to do is said of the last try alone, and comes behind what holds for all of them.
  const uncertain = mayHaveActed ? sayUncertain(failed, true).trim() : '';
  const said =
    uncertain !== '' && told.hint !== undefined ? `The last answer said: ${told.hint}` : (told.hint ?? plain.hint);
  const hint = `${uncertain} ${said}${later}`.trim();
  const refusal = new AcequiaError({
    code: told.code ?? plain.code,
    status: last.status,
    message: asSaid(told.message ?? `${failed.origin} answered with status ${last.status}.`, failed),
    hint: asSaid(hint, failed),
    field: told.field === undefined ? undefined : toolName(asSaid(told.field, failed)),
  });
  if (mayHaveActed) afterOpenTries.add(refusal);
  return refusal;
}

const afterOpenTries = new WeakSet<AcequiaError>();

/** Whether the service may have acted on an earlier try of what it refused in the end. */
export const mayHaveActedBefore = (refusal: AcequiaError): boolean => afterOpenTries.has(refusal);

/** Some services answer a write that was done with a redirect. */
function redirected({ headers, status }: Reply, failed: Failed): AcequiaError {
  const to = originOf(headers.location, failed.origin);
  return invalidAnswer(
    failed,
    `is a redirect (status ${status})${to === null ? '' : ` to ${to}`}, which is not followed because the key goes with it`,
    true,
  );
}

function originOf(location: string | undefined, base: string): string | null {
  if (location === undefined || !URL.canParse(location, base)) return null;
  const { origin, protocol } = new URL(location, base);
  return /^https?:$/.test(protocol) ? origin : null;
}

interface Plain {
  readonly code: string;
  readonly hint: string;
}

/** What a status says where the answer says nothing itself. */
const PLAIN: Record<number, Plain> = {
  401: { code: 'unauthenticated', hint: 'Put a key of that service into ACEQUIA_API_KEY.' },
  403: { code: 'forbidden_resource', hint: 'Use a key with the scope and role for it, and ids of its own company.' },
  404: { code: 'not_found', hint: 'The id may be unknown there, or the service may not have this endpoint.' },
  429: { code: 'rate_limited', hint: 'The service asks for fewer requests.' },
  503: { code: 'REMOTE_UNREACHABLE', hint: 'The service is not ready; try again later.' },
  504: { code: 'REMOTE_TIMEOUT', hint: 'Something before the service waited in vain for it; try again later.' },
};
const PLAIN_4XX: Plain = { code: 'REMOTE_REFUSED', hint: 'Correct the arguments and try again.' };
const PLAIN_5XX: Plain = { code: 'REMOTE_FAILED', hint: 'Something went wrong in the service; try again later.' };

/** The words of an error body: problem details, { error }, { code, message }, or plain text. */
function problemIn(text: string): Partial<Omit<Problem, 'status'>> {
  const body = jsonIn(text);
  if (typeof body === 'string') return { code: plainCodeIn(body), message: line(body) };
  if (body === null) return /^\s*</.test(text) ? {} : { message: line(text) };
  const { error } = body;
  const nested = typeof error === 'object' && error !== null ? (error as Record<string, unknown>) : body;
  const said = [nested.detail, nested.message, nested.title, nested.error, error].find(
    (each) => typeof each === 'string',
  );
  const code = codeIn(nested.code) ?? plainCodeIn(error) ?? plainCodeIn(nested.type);
  return { code, message: line(said), hint: line(nested.hint), field: line(nested.field) };
}

function jsonIn(text: string): Record<string, unknown> | string | null {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'string' || (typeof body === 'object' && !Array.isArray(body))
      ? (body as Record<string, unknown> | string | null)
      : null;
  } catch {
    return null;
  }
}

const codeIn = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[A-Za-z]\w{1,63}$/.test(value) ? value : undefined;

/** A code where words may stand as well, such as the name of a status. */
const plainCodeIn = (value: unknown): string | undefined =>
  typeof value === 'string' && /^([A-Z][A-Z0-9]*|[a-z][a-z0-9]*)(_[A-Za-z0-9]+)+$/.test(value)
    ? codeIn(value)
    : undefined;

/** A text of the service as one line of bounded length; undefined where there is none. */
function line(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const plain = value.replace(/[\p{C}\s]+/gu, ' ').trim();
  if (plain === '') return undefined;
  return plain.length > 500 ? `${plain.slice(0, 499)}…` : plain;
}

/** A text of the service as it may be said here: what is a header there is an argument, and a key it quotes is left out. */
function asSaid(text: string, { key }: Failed): string {
  const said = text.replaceAll('Idempotency-Key', 'idempotencyKey');
  return key === null ? said : said.replaceAll(key, '(the key)');
}
