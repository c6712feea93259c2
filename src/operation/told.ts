import { AcequiaError } from '../schema/error.ts';

/** Logs what went wrong inside, in the call of that id, and gives the reference that the client is told. */
export type ErrorReporter = (error: unknown, requestId?: string) => Promise<string>;

/** The error a client is told: ours as it is, any other as INTERNAL with the reference it was logged under. */
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
