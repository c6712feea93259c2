import type { SummaryContext } from './call.ts';
import { type AnyOperation, isWrite } from './operation.ts';
import type { ErrorReporter } from './told.ts';
import { withUndeclaredZoneNote } from './zone-told.ts';

interface SummaryInput {
  readonly body: unknown;
  readonly context: SummaryContext;
  readonly input: Record<string, unknown>;
}

/** The summary of an answer. A write that was done is told as done, also where its sentence fails; that goes to `report`. */
export async function summarizeResult(
  operation: AnyOperation,
  { body, context, input }: SummaryInput,
  report: ErrorReporter | undefined,
  requestId?: string,
): Promise<string> {
  try {
    return withUndeclaredZoneNote(await operation.summary(body, context, input), context);
  } catch (error) {
    if (!isWrite(operation)) throw error;
    const reference = await report?.(error, requestId);
    const where = reference === undefined ? '' : ` (reference ${reference})`;
    return [
      `It was written, but no sentence could be made of it${where}: read the answer itself, and do not write it again.`,
      ...context.notes,
    ].join(' ');
  }
}
