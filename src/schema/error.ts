/** Every refusal and failure that a client sees is one of these; surfaces only render it. */
export interface Problem {
  /** A code of the interface specification, or one of ours. */
  readonly code: string;
  /** HTTP status of the refusal. */
  readonly status: number;
  /** What is wrong, with the value. */
  readonly message: string;
  /** What to do next, naming a tool or an argument. */
  readonly hint?: string | undefined;
  /** The argument at fault, as the caller named it. */
  readonly field?: string | undefined;
}

/** One of several things that a text can mean. */
export interface Candidate {
  readonly id: number;
  readonly name: string | null;
}

export class AcequiaError extends Error implements Problem {
  override readonly name = 'AcequiaError';
  readonly code: string;
  readonly status: number;
  readonly hint?: string | undefined;
  readonly field?: string | undefined;
  /** What `field` can mean; for who can ask a person at once, not sent. */
  readonly candidates: readonly Candidate[];

  constructor(problem: Problem, candidates: readonly Candidate[] = []) {
    super(problem.message);
    this.code = problem.code;
    this.status = problem.status;
    this.hint = problem.hint;
    this.field = problem.field;
    this.candidates = candidates;
  }

  toJSON(): Problem {
    const { code, status, message, hint, field } = this;
    return { code, status, message, ...(hint && { hint }), ...(field && { field }) };
  }
}

/** A refusal of the entry: 400. */
export const invalidInput = (
  code: string,
  message: string,
  more: { hint?: string; field?: string; status?: number } = {},
) => new AcequiaError({ code, status: more.status ?? 400, message, hint: more.hint, field: more.field });

/** Nothing stands under that id: 404, with the endpoint's own code where it has one. */
export const notFound = (message: string, hint?: string, code = 'not_found') =>
  new AcequiaError({ code, status: 404, message, hint });

/** It stands, but in another company: 403. */
export const forbidden = (message: string, hint?: string) =>
  new AcequiaError({ code: 'forbidden_resource', status: 403, message, hint });

/** The store cannot serve: 503, with the way out as the hint. */
export const storeUnavailable = (message: string, hint: string) =>
  new AcequiaError({ code: 'STORE_UNAVAILABLE', status: 503, message, hint });

/** Logs an unexpected error of the call with that id, and returns the reference for the client. */
export type ErrorReporter = (error: unknown, requestId?: string) => Promise<string>;

/** The error for the client: ours unchanged, any other as INTERNAL with the reference under which it was logged. */
export async function toClientError(error: unknown, report: ErrorReporter, requestId?: string): Promise<AcequiaError> {
  if (error instanceof AcequiaError) return error;
  const reference = await report(error, requestId);
  return new AcequiaError({
    code: 'INTERNAL',
    status: 500,
    message: `Something went wrong inside (reference ${reference}).`,
    hint: 'Nothing was written by this call. Try it again; if it stays, look the reference up in the log.',
  });
}
