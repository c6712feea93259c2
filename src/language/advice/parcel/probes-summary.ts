import { attributesOf } from '../../../domain/advice/advice-reason.ts';
import type { ParcelRequest } from '../../../domain/advice/balance/parcel-advice.ts';
import { withoutNulls } from '../../../domain/items.ts';
import { call, counted, noun, sameCallWith, say, sentences } from '../../../domain/text/say.ts';
import type { Text } from '../../../domain/text/text.ts';
import type { AdviceBody } from '../../../schema/advice/advice.ts';
import type { SummaryContext } from '../../summary-context.ts';
import { moduleText, shortList } from '../../text/names-of-farm.ts';
import { distinctTexts } from '../../text/render.ts';
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
): Promise<Text> {
  const measured = advices.filter(({ time, rest }) => time !== null || rest !== null);
  const described = measured.slice(0, MAX_DESCRIBED);
  const texts: Text[] = [];
  for (const advice of described)
    texts.push(...(await describeProbe(advice, context)), ...describeDoubts(advice, request));

  const silent = advices.filter((advice) => !measured.includes(advice));
  return sentences([
    ...distinctTexts(texts, { ...context, units: 'metric' }),
    describeOmitted(measured.length - described.length),
    await describeSilent(silent, context),
  ]);
}

const describeOmitted = (count: number): Text | null =>
  count === 0
    ? null
    : say`${counted(count, 'more probe')} of this parcel ${noun(count, 'is', 'are')} less urgent.${sameCallWith('module')}`;

async function describeSilent(
  silent: readonly AdviceBody[],
  { directory }: SummaryContext,
): Promise<Text | null> {
  if (silent.length === 0) return null;
  const names = await Promise.all(silent.map(({ moduleId }) => moduleText(directory, moduleId)));
  return say`Unknown without readings of the soil: ${shortList(names)}.${call('get_module_health')}`;
}

function describeDoubts(advice: AdviceBody, request: ParcelRequest): Text[] {
  if (advice.rest !== null) return [];
  const isAmountGiven = decisionOf(advice) === 'water';
  // Those of its equipment leave in doubt how much to give, not whether.
  const reasons = advice.reasons.filter(
    (reason) => isAmountGiven || attributesOf(reason).of !== 'valve',
  );
  return describeReasons({ ...advice, reasons }, request, 0);
}

async function describeProbe(advice: AdviceBody, context: SummaryContext): Promise<Text[]> {
  const name = await moduleText(context.directory, advice.moduleId);
  if (advice.rest !== null) return [describeRest(advice, advice.rest, { name, context })];

  const decision = decisionOf(advice);
  const { doubts, answer, caveats } = describeAnswer(advice, { name, decision }, context);
  const [first, ...others] = doubts;
  const isDue = decision === 'water';
  return withoutNulls([
    first === undefined ? null : say`${name}: ${first}`,
    ...others,
    answer,
    ...caveats,
    ...(isDue ? describeRefill(advice, decision, context) : []),
    ...(decision === null ? describeState(advice, { name, decision }, context) : []),
    ...describeTensionDecision(advice),
    ...(await describeMeanwhile(advice.meanwhile, context)),
  ]);
}
