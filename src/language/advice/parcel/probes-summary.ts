import type { ProbeAdvice } from '../../../domain/advice/advice.ts';
import type { ParcelRequest } from '../../../domain/advice/balance/balance-advice.ts';
import { isResting } from '../../../domain/advice/reason.ts';
import { attributesOf } from '../../../domain/advice/reason-kinds.ts';
import { withoutNulls } from '../../../domain/items.ts';
import { call, counted, noun, sameCallWith, say, sentences } from '../../../domain/text/say.ts';
import type { Text } from '../../../domain/text/text.ts';
import type { AdviceBody } from '../../../schema/advice/advice.ts';
import { adviceOfBody } from '../../../schema/advice/advice-body.ts';
import type { SummaryContext } from '../../summary-context.ts';
import { moduleText, shortList } from '../../text/names-of-farm.ts';
import { distinctTexts } from '../../text/render.ts';
import {
  decisionOf,
  describeAnswer,
  describeRest,
  describeState,
  describeTensionDecision,
  exchangedName,
} from '../advice-summary.ts';
import { describeRefill } from '../amounts/refill-summary.ts';
import { describeMeanwhile } from '../meanwhile-summary.ts';
import { describeRemainingReasons } from '../reason-sentences.ts';
import { describeTurn } from '../turn-summary.ts';

const MAX_DESCRIBED = 3;

/** For each probe of a parcel whether to water, and how much where it is due; doubts always. */
export async function summarizeProbes(
  bodies: readonly AdviceBody[],
  context: SummaryContext,
  request: ParcelRequest,
): Promise<Text> {
  const advices = bodies.map((body) => adviceOfBody(body));
  const measured = advices.filter((advice) => advice.at !== null || isResting(advice));
  const described = measured.slice(0, MAX_DESCRIBED);
  const texts: Text[] = [];
  for (const advice of described) texts.push(...(await describeProbe(advice, context, request)));

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
  silent: readonly ProbeAdvice[],
  { directory }: SummaryContext,
): Promise<Text | null> {
  if (silent.length === 0) return null;
  const names = await Promise.all(silent.map(({ moduleId }) => moduleText(directory, moduleId)));
  return say`Unknown without readings of the soil: ${shortList(names)}.${call('get_module_health')}`;
}

async function describeProbe(
  advice: ProbeAdvice,
  summaryContext: SummaryContext,
  request: ParcelRequest,
): Promise<Text[]> {
  const target = await moduleText(summaryContext.directory, advice.moduleId);
  const context = {
    ...summaryContext,
    target,
    advice,
    request,
    fallenMm: 0,
    // In one answer about all of them, their figures show it.
    differing: [],
    exchangedWith: await exchangedName(advice, summaryContext.directory),
  };
  if (isResting(advice)) return [describeRest(context)];

  const decision = decisionOf(advice);
  const { doubts, answer, caveats } = describeAnswer(context, decision);
  const [first, ...others] = doubts;
  const isDue = decision === 'water';
  return withoutNulls([
    first === undefined ? null : say`${target}: ${first}`,
    ...others,
    answer,
    ...caveats,
    ...(isDue ? describeRefill(decision, context) : []),
    ...(decision === null ? describeState(context, decision) : []),
    ...describeTensionDecision(advice),
    ...describeTurn(advice.turn, decision, context.now),
    ...(await describeMeanwhile(advice.meanwhile, summaryContext)),
    // Reasons of the equipment leave in doubt how much water to give, not whether to give it.
    ...describeRemainingReasons(context, ({ kind }) => isDue || attributesOf(kind).of !== 'valve'),
  ]);
}
