import type { AdviceReason } from '../../../domain/advice/advice-reason.ts';
import type { ParcelRequest } from '../../../domain/advice/balance/parcel-advice.ts';
import { withoutNulls } from '../../../domain/items.ts';
import type { AdviceBody } from '../../../schema/advice/advice.ts';
import { joinSentences } from '../../sentences.ts';
import { listNames, moduleName, type SummaryContext } from '../../summary-context.ts';
import { advicePhrases } from '../advice-phrases.ts';
import {
  decisionOf,
  describeAnswer,
  describeRest,
  describeState,
  describeTensionDecision,
} from '../advice-summary.ts';
import { describeRefill } from '../amounts/refill-summary.ts';
import { describeMeanwhile } from '../meanwhile-summary.ts';
import { describeReasons } from '../reason-sentences.ts';

const MAX_DESCRIBED = 3;

/** For each probe of a parcel whether to water, and how much where it is due; doubts always. */
export async function summarizeProbes(
  advices: readonly AdviceBody[],
  context: SummaryContext,
  request: ParcelRequest,
): Promise<string> {
  const measured = advices.filter(({ time, rest }) => time !== null || rest !== null);
  const described = measured.slice(0, MAX_DESCRIBED);
  // What holds for several probes is said once.
  const sentences = new Set<string>();
  for (const advice of described) {
    const texts = await describeProbe(advice, context);
    for (const text of [...texts, ...describeDoubts(advice, request)]) sentences.add(text);
  }

  const omitted = measured.length - described.length;
  const silent = advices.filter((advice) => !measured.includes(advice));
  const silentNames = silent.map(({ moduleId }) => moduleName(context.directory, moduleId));
  return joinSentences([
    ...sentences,
    omitted === 0 ? null : advicePhrases.moreProbes(omitted),
    silent.length === 0
      ? null
      : advicePhrases.withoutReadings(listNames(await Promise.all(silentNames))),
  ]);
}

/** In doubt with these is only how much to give. */
const REASONS_OF_AMOUNT: readonly AdviceReason[] = [
  'NO_INSTALLATION',
  'MISSING_FLOW_RATE',
  'MISSING_IRRIGATED_AREA',
  'DEFAULT_FRACTION_WETTED',
  'FRACTION_OF_LINE_SPACING',
];

function describeDoubts(advice: AdviceBody, request: ParcelRequest): string[] {
  if (advice.rest !== null) return [];
  const isAmountGiven = decisionOf(advice) === 'water';
  const reasons = advice.reasons.filter(
    (reason) => isAmountGiven || !REASONS_OF_AMOUNT.includes(reason),
  );
  return describeReasons({ ...advice, reasons }, request, 0);
}

async function describeProbe(advice: AdviceBody, context: SummaryContext): Promise<string[]> {
  const name = await moduleName(context.directory, advice.moduleId);
  if (advice.rest !== null) return [describeRest(advice, advice.rest, name, context)];

  const decision = decisionOf(advice);
  const [first, ...others] = describeAnswer(advice, { name, decision }, context);
  const named =
    first === undefined || first.startsWith(name) ? first : advicePhrases.ofProbe(name, first);
  const isDue = decision === 'water';
  return withoutNulls([
    named ?? null,
    ...others,
    ...(isDue ? describeRefill(advice, decision, context) : []),
    ...(decision === null ? describeState(advice, { name, decision }, context) : []),
    ...describeTensionDecision(advice),
    ...(await describeMeanwhile(advice.meanwhile, context)),
  ]);
}
