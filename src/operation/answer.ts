import { isRecord } from '../domain/records.ts';
import { mapTexts, nameInSentence } from '../domain/strings.ts';
import { hasLocalTimes, mentions } from '../domain/text/contents.ts';
import { say, sentences, verbatim } from '../domain/text/say.ts';
import type { Text } from '../domain/text/text.ts';
import { describeAdvisories, explainsMethod } from '../language/advisories.ts';
import { NEXT_PAGE, THERE_ARE_MORE, UNDECLARED_ZONE } from '../language/answer-remarks.ts';
import { isFate } from '../language/changes/earlier-call.ts';
import { withModuleNames } from '../language/module-names.ts';
import type { SummaryContext } from '../language/summary-context.ts';
import { render } from '../language/text/render.ts';
import type { AnswerText } from '../language/text/rendered-text.ts';
import type { Advisory } from '../schema/advisory.ts';
import type { ErrorReporter } from '../schema/error.ts';
import type { AnyOperation } from './operation.ts';
import { isWrite } from './operation-kind.ts';

export const structuredBody = (
  { tool }: Pick<AnyOperation, 'tool'>,
  body: unknown,
): Record<string, unknown> =>
  tool?.wrapBodyAs === undefined ? (body as Record<string, unknown>) : { [tool.wrapBodyAs]: body };

export const conciseIfRequested = (
  { concise }: AnyOperation,
  body: unknown,
  { detail }: Readonly<Record<string, unknown>>,
  context: SummaryContext,
): unknown => (concise && detail === 'concise' ? concise(body, context) : body);

/** Advisories that say how many rows there are. */
const COUNTS: readonly Advisory['kind'][] = ['total', 'waterings_by_status'];

function describeNextPage(body: unknown, advisories: readonly Advisory[]): Text[] {
  if (!isRecord(body) || body.next_cursor == null) return [];
  const isCounted =
    Number(body.leftOut) > 0 || advisories.some(({ kind }) => COUNTS.includes(kind));
  return [isCounted ? NEXT_PAGE : THERE_ARE_MORE];
}

export interface SummaryInput {
  readonly body: unknown;
  readonly input: Record<string, unknown>;
  readonly advisories: readonly Advisory[];
  readonly context: SummaryContext;
}

type SummarizedOperation = Pick<
  AnyOperation,
  'effect' | 'summary' | 'advisoriesInSummary' | 'answerIsSecret' | 'sentencesInBody'
>;

/** Adds a remark if it has times in a zone that nobody chose. */
export async function writeSummary(
  operation: SummarizedOperation,
  input: SummaryInput,
): Promise<AnswerText> {
  const { context } = input;
  const text = await composeSummary(operation, input);
  const isRemarked = !context.isZoneDeclared && hasLocalTimes(text);
  return render(sentences([text, isRemarked ? UNDECLARED_ZONE : null]), context);
}

async function composeSummary(
  operation: SummarizedOperation,
  { body, input, advisories, context }: SummaryInput,
): Promise<Text> {
  const { advisoriesInSummary = [], sentencesInBody = [] } = operation;
  // Texts of people are shortened and kept on one line, but a secret has to be copied whole.
  const bodyForSentences = operation.answerIsSecret
    ? body
    : mapTexts(await withModuleNames(body, context.directory), (text, field = '') =>
        sentencesInBody.includes(field) ? text : nameInSentence(text),
      );
  const summary =
    (await operation.summary?.(bodyForSentences, context, input, advisories)) ?? say``;
  const advisoriesToAppend = advisories.filter(
    (advisory) =>
      !(advisory.kind === 'name_understood' && mentions(summary, nameInSentence(advisory.name))) &&
      !isFate(advisory) &&
      !advisoriesInSummary.includes(advisory.kind) &&
      !(explainsMethod(advisory) && input.detail !== 'full'),
  );

  return sentences([
    summary,
    ...describeAdvisories(advisoriesToAppend, context),
    ...describeNextPage(body, advisories),
  ]);
}

/** A write that succeeded is reported as done even if its summary fails. */
export async function summarizeResult(
  operation: SummarizedOperation,
  result: SummaryInput,
  report: ErrorReporter | undefined,
  requestId?: string,
): Promise<AnswerText> {
  try {
    return await writeSummary(operation, result);
  } catch (error) {
    if (!isWrite(operation)) throw error;
    const reference = await report?.(error, requestId);
    const referenceNote = reference === undefined ? null : say` (reference ${verbatim(reference)})`;
    const saved = [
      say`This was saved, but could not be summarized${referenceNote}: read the structured result, and do not send it again.`,
      ...describeAdvisories(result.advisories, result.context),
    ];
    return render(sentences(saved), { ...result.context, units: 'metric' });
  }
}
