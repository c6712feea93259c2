import type { SummaryContext } from '../language/summary-context.ts';
import { corePhrases } from '../language/time.ts';
import type { ErrorReporter } from '../schema/error.ts';
import { type AnyOperation, isWrite } from './operation.ts';

const CLOCK_TIME = /\b\d{2}:\d{2}\b/;

/** A summary, with what it rests on where it says times in a zone that the company has not declared. */
export function withUndeclaredZoneNote(
  summary: string,
  { isZoneDeclared, zone, lang }: Pick<SummaryContext, 'isZoneDeclared' | 'zone' | 'lang'>,
): string {
  const hasTimes = CLOCK_TIME.test(summary) || summary.includes(zone);
  return isZoneDeclared || !hasTimes ? summary : `${summary} ${corePhrases(lang).undeclaredZone(zone)}`;
}

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
