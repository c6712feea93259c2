import { isRecord } from '../domain/records.ts';
import { mapTexts, nameInSentence, withTexts } from '../domain/text.ts';
import { describeAdvisories, explainsMethod } from '../language/advisories.ts';
import { shieldQuantities, withUsUnits } from '../language/american-units.ts';
import { answerPhrases } from '../language/answer-phrases.ts';
import { isFate } from '../language/changes/earlier-call.ts';
import { withModuleNames } from '../language/module-names.ts';
import { type AnswerText, splitAnswer } from '../language/next-calls.ts';
import type { NameDirectory, SummaryContext } from '../language/summary-context.ts';
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

function describeNextPage(body: unknown, advisories: readonly Advisory[]): string[] {
  if (!isRecord(body) || body.next_cursor == null) return [];
  const isCounted =
    Number(body.leftOut) > 0 || advisories.some(({ kind }) => COUNTS.includes(kind));
  return [isCounted ? answerPhrases.nextPage : answerPhrases.thereAreMore];
}

const CLOCK_TIME = /\b\d{2}:\d{2}\b/;

function withUndeclaredZoneRemark(
  summary: string,
  { isZoneDeclared, zone }: Pick<SummaryContext, 'isZoneDeclared' | 'zone'>,
): string {
  const hasLocalTimes = CLOCK_TIME.test(summary) || summary.includes(zone);
  return isZoneDeclared || !hasLocalTimes
    ? summary
    : `${summary} ${answerPhrases.undeclaredZone(zone)}`;
}

export interface SummaryInput {
  readonly body: unknown;
  readonly input: Record<string, unknown>;
  readonly advisories: readonly Advisory[];
  readonly context: SummaryContext;
}

/** True if the summary contains, as whole words, the name that was understood. */
function isUnderstoodNameIn(summary: string, advisory: Advisory): boolean {
  if (advisory.kind !== 'name_understood') return false;

  const isInWord = (character: string | undefined): boolean =>
    /[\p{L}\p{N}]/u.test(character ?? '');
  const name = nameInSentence(advisory.name);
  if (name === '') return false;

  for (let start = summary.indexOf(name); start !== -1; start = summary.indexOf(name, start + 1))
    if (!isInWord(summary[start - 1]) && !isInWord(summary[start + name.length])) return true;
  return false;
}

type SummarizedOperation = Pick<
  AnyOperation,
  'effect' | 'summary' | 'advisoriesInSummary' | 'answerIsSecret'
>;

/** In the units of the farm. Words of people keep theirs. */
export async function writeSummary(
  operation: SummarizedOperation,
  input: SummaryInput,
): Promise<AnswerText> {
  const { context, advisories } = input;
  if (context.units === 'metric' || operation.answerIsSecret)
    return splitAnswer(await writeMetricSummary(operation, input));

  const sentences = await writeMetricSummary(operation, {
    ...input,
    body: withTexts(input.body, shieldQuantities),
    advisories: withTexts(advisories, shieldQuantities),
    context: { ...context, directory: shieldedDirectory(context.directory) },
  });
  const { summary, next } = splitAnswer(sentences);
  return { summary: withUsUnits(summary), next };
}

const shieldedDirectory = ({ missingScopes, ...directory }: NameDirectory): NameDirectory => ({
  ...(missingScopes && { missingScopes }),
  modules: async () => withTexts(await directory.modules(), shieldQuantities),
  parcels: async () => withTexts(await directory.parcels(), shieldQuantities),
});

async function writeMetricSummary(
  operation: SummarizedOperation,
  { body, input, advisories, context }: SummaryInput,
): Promise<string> {
  const { advisoriesInSummary = [] } = operation;
  // Texts of people are shortened and kept on one line, but a secret has to be copied whole.
  const bodyForSentences = operation.answerIsSecret
    ? body
    : mapTexts(await withModuleNames(body, context.directory), nameInSentence);
  const summary = (await operation.summary?.(bodyForSentences, context, input, advisories)) ?? '';
  const advisoriesToAppend = advisories.filter(
    (advisory) =>
      !isUnderstoodNameIn(summary, advisory) &&
      !isFate(advisory) &&
      !advisoriesInSummary.includes(advisory.kind) &&
      !(explainsMethod(advisory) && input.detail !== 'full'),
  );

  const sentences = [
    summary,
    ...describeAdvisories(advisoriesToAppend, context),
    ...describeNextPage(body, advisories),
  ];

  return withUndeclaredZoneRemark(
    sentences.filter((sentence) => sentence !== '').join(' '),
    context,
  );
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
    const referenceNote = reference === undefined ? '' : ` (reference ${reference})`;
    const sentences = [
      `This was saved, but could not be summarized${referenceNote}: read the structured result, and do not send it again.`,
      ...describeAdvisories(result.advisories, result.context),
    ];
    return splitAnswer(sentences.join(' '));
  }
}
