import { redactKeys, withTexts } from '../domain/strings.ts';
import { aside } from '../domain/text/program-names.ts';
import { type NameOperation, programText } from '../domain/text/program-text.ts';
import { say, verbatim, verbatimText } from '../domain/text/say.ts';
import type { Text } from '../domain/text/text.ts';

/** The times of the call for which an idempotency key was used before, in ms. */
export interface EarlierCallTimes {
  readonly answeredAt: number;
  /** By the clock of the client; null if it had no words or did not say. */
  readonly wordsReadAt: number | null;
}

/** Everything a client sees of a refusal or failure; each channel renders it. */
export interface Problem {
  readonly code: string;
  readonly status: number;
  readonly message: Text;
  readonly hint?: Text | undefined;
  /** Name of the argument or field, as the caller knows it. */
  readonly field?: string | undefined;
  /** Seconds after which the same call may succeed. Over HTTP they are the header Retry-After. */
  readonly retryAfterS?: number | undefined;
  /** Over HTTP they are headers. */
  readonly earlierCall?: EarlierCallTimes | undefined;
}

/** A problem as programs read it. */
export interface ProblemJson extends Omit<Problem, 'message' | 'hint'> {
  readonly message: string;
  readonly hint?: string | undefined;
}

/** A problem as REST sends it. Source: RFC 9457; `code`, `hint` and `field` are extensions. */
export interface ProblemBody {
  readonly type: 'about:blank';
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: string;
  readonly hint?: string | undefined;
  readonly field?: string | undefined;
}

interface Candidate {
  readonly id: number;
  readonly name: string | null;
  /** The argument to pass it as, if that is not `field`: a parcel in place of a module. */
  readonly argument?: string;
}

/** Its message and hint are what programs read. */
export class AcequiaError extends Error implements ProblemJson {
  override readonly name = 'AcequiaError';
  readonly code: string;
  readonly status: number;
  readonly hint?: string | undefined;
  readonly field?: string | undefined;
  readonly retryAfterS?: number | undefined;
  /** Its JSON leaves this out. */
  readonly earlierCall?: EarlierCallTimes | undefined;
  /** Message and hint before anybody is known who reads them. */
  readonly texts: { readonly message: Text; readonly hint?: Text | undefined };
  /** Possible meanings of `field`, for a channel that can ask the person; not sent. */
  readonly candidates: readonly Candidate[];

  constructor(
    problem: Problem,
    candidates: readonly Candidate[] = [],
    nameOperation?: NameOperation,
  ) {
    const message = withTexts(problem.message, redactKeys);
    const { hint } = problem;
    super(programText(message, nameOperation));
    this.texts = { message, hint };
    this.code = problem.code;
    this.status = problem.status;
    this.hint = hint && programText(hint, nameOperation);
    this.field = problem.field && redactKeys(problem.field);
    this.retryAfterS = problem.retryAfterS;
    this.earlierCall = problem.earlierCall;
    this.candidates = candidates;
  }

  /** Everything of it in plain data, which another thread makes the same error of. */
  get problem(): Problem {
    const { code, status, texts, field, retryAfterS, earlierCall } = this;
    return { code, status, ...texts, field, retryAfterS, earlierCall };
  }

  toJSON(): ProblemJson {
    const { code, status, message, hint, field, retryAfterS } = this;
    return { code, status, message, hint, field, retryAfterS };
  }
}

export const invalidInputError = (
  code: string,
  message: Text,
  options: { hint?: Text; field?: string; status?: number } = {},
) =>
  new AcequiaError({
    code,
    status: options.status ?? 400,
    message,
    hint: options.hint,
    field: options.field,
  });

/**
 * For errors of commands and of HTTP itself, with the same words for everybody: nothing in it
 * depends on the reader's units, zone or names.
 */
export const plainProblem = ({ message, hint, ...problem }: ProblemJson): Problem => ({
  ...problem,
  message: verbatimText(message),
  hint: hint === undefined ? undefined : verbatimText(hint),
});

export const plainError = (problem: ProblemJson) => new AcequiaError(plainProblem(problem));

export const plainInputError = (
  code: string,
  message: string,
  { status = 400, ...options }: { hint?: string; field?: string; status?: number } = {},
) => plainError({ code, status, message, ...options });

export const notFoundError = (message: Text, hint?: Text, code = 'not_found') =>
  new AcequiaError({ code, status: 404, message, hint });

export const isNotFound = (error: unknown): boolean =>
  error instanceof AcequiaError && error.status === 404;

/** For a row whose absence is no error. */
export async function nullIfNotFound<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}

export const forbiddenError = (message: Text, hint?: Text) =>
  new AcequiaError({ code: 'forbidden_resource', status: 403, message, hint });

/** The sentence with which a hint says what `retryAfterS` says to programs. */
export const tryAgainAfter = (seconds: number): Text => say`Try again in ${seconds} s.`;

export const tryAgainIn = (seconds: number): string => programText(tryAgainAfter(seconds));

interface StoreFailure {
  readonly retryAfterS?: number;
  /** For everybody, without where the store is: "its disk is full". */
  readonly reason?: string | undefined;
  /** The store was lost while it saved a change, so that nobody knows whether it did. */
  readonly mayBeWritten?: boolean;
}

export class StoreUnavailableError extends AcequiaError {
  readonly mayBeWritten: boolean;
  readonly reason: string | undefined;

  constructor(
    message: Text,
    hint: Text,
    { retryAfterS, reason, mayBeWritten = false }: StoreFailure,
  ) {
    super({ code: 'STORE_UNAVAILABLE', status: 503, message, hint, retryAfterS });
    this.mayBeWritten = mayBeWritten;
    this.reason = reason;
  }
}

/**
 * The hint is for the operator of the store. Clients of a service read another
 * (src/http/store-for-clients.ts).
 */
export const storeUnavailableError = (message: Text, hint: Text, failure: StoreFailure = {}) =>
  new StoreUnavailableError(message, hint, failure);

const BUSY_RETRY_S = 5;

export const serviceBusyError = () =>
  new AcequiaError({
    code: 'BUSY',
    status: 503,
    message: say`Too many long answers are being computed at the moment, and nothing was done.`,
    hint: tryAgainAfter(BUSY_RETRY_S),
    retryAfterS: BUSY_RETRY_S,
  });

export const storeBusyError = () =>
  new AcequiaError({
    code: 'BUSY',
    status: 503,
    message: say`Too many calls wait for the store at the moment, and nothing was done.`,
    hint: tryAgainAfter(BUSY_RETRY_S),
    retryAfterS: BUSY_RETRY_S,
  });

/** For calls that reach a store while its program ends. It is no fault, and is not logged. */
export class StoreClosedError extends AcequiaError {
  constructor(location: string) {
    super({
      code: 'STORE_UNAVAILABLE',
      status: 503,
      message: say`The store ${verbatim(location)} is closed.`,
      hint: say`Start Acequia again.`,
    });
  }
}

export type ErrorReporter = (error: unknown, requestId?: string) => Promise<string>;

/** Other errors become INTERNAL with the reference under which they are logged. */
export async function toClientError(
  error: unknown,
  report: ErrorReporter,
  requestId?: string,
): Promise<AcequiaError> {
  if (error instanceof AcequiaError) return error;
  const reference = await report(error, requestId);
  return new AcequiaError({
    code: 'INTERNAL',
    status: 500,
    message: say`Internal error${aside(say`reference ${verbatim(reference)}`)}.`,
    hint: say`Nothing was written by this call. Try again; if it keeps failing, look up the reference in the log.`,
  });
}
