import { attributesOf } from '../../domain/advice/advice-reason.ts';
import type { AdviceRequest } from '../../domain/advice/probe-advice.ts';
import { type WateringDecision, wateringDecision } from '../../domain/advice/watering-decision.ts';
import { withoutNulls } from '../../domain/items.ts';
import { amount } from '../../domain/text/figures.ts';
import { call, counted, say, sentences } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import { dateOf, dayOfYear, timeWithZone } from '../../domain/text/times.ts';
import type { AdviceBody } from '../../schema/advice/advice.ts';
import type { Advisory } from '../../schema/advisory.ts';
import { describeEnoughIfItRuns } from '../irrigation/watering-summary.ts';
import { describeTension } from '../monitoring/agronomic-state-summary.ts';
import type { SummaryContext } from '../summary-context.ts';
import { moduleText } from '../text/names-of-farm.ts';
import { describeRecentRain } from '../weather/rain-summary.ts';
import { describeDecision } from './amounts/decision-summary.ts';
import { describeDoubts, describeUrgentReasons, leavesAmountUncertain } from './first-reasons.ts';
import { describeMeanwhile } from './meanwhile-summary.ts';
import {
  describeDifference,
  describeNeed,
  describeStress,
  NEGLIGIBLE_DEFICIT_MM,
  type ProbeInSummary,
} from './need-summary.ts';
import { describeReasons } from './reason-sentences.ts';
import { describeDiffering } from './response-summary.ts';

export async function summarizeAdvice(
  advice: AdviceBody,
  context: SummaryContext,
  request: AdviceRequest,
  advisories: readonly Advisory[] = [],
): Promise<Text> {
  const recentRain = advisories.find((advisory) => advisory.kind === 'recent_rain');
  const name = await moduleText(context.directory, advice.moduleId);
  if (advice.rest !== null) return describeRest(advice, advice.rest, { name, context });

  const decision = decisionOf(advice);
  const { doubts, answer, caveats } = describeAnswer(
    advice,
    { name, decision },
    context,
    advisories,
  );
  return sentences([
    ...doubts,
    answer,
    ...caveats,
    ...describeTensionDecision(advice),
    recentRain === undefined ? null : describeRecentRain(recentRain),
    ...describeState(advice, { name, decision }, context),
    ...(await describeMeanwhile(advice.meanwhile, context)),
    ...(await describeDiffering(advice, context)),
    ...describePlannedWaterings(advice, context),
    ...describeReasons(advice, request, recentRain?.effectiveMm ?? 0),
  ]);
}

interface Answer {
  /** Before the answer, which they take away or change. */
  readonly doubts: readonly Text[];
  /** It names the probe; null where other sentences answer whether to water. */
  readonly answer: Text | null;
  readonly caveats: readonly Text[];
}

/**
 * Whether to water. What takes the amount away comes first; where no water is needed, what has not
 * soaked in yet comes after that.
 */
export function describeAnswer(
  advice: AdviceBody,
  { name, decision }: ProbeInSummary,
  context: SummaryContext,
  advisories: readonly Advisory[] = [],
): Answer {
  const doubts = describeDoubts(advice, context, advisories);
  const urgent = describeUrgentReasons(advice.reasons);
  if (decision === null) return { doubts: [...doubts, ...urgent], answer: null, caveats: [] };

  const planned = advisories.find((advisory) => advisory.kind === 'enough_if_it_runs');
  const answer =
    decision === 'enough' && planned !== undefined
      ? describeEnoughIfItRuns(planned, name)
      : describeDecision(decision, name, advice);
  return decision === 'wait' || decision === 'enough'
    ? { doubts, answer, caveats: urgent }
    : { doubts: [...doubts, ...urgent], answer, caveats: [] };
}

export const describeRest = (
  advice: AdviceBody,
  rest: NonNullable<AdviceBody['rest']>,
  { name, context }: { readonly name: Text; readonly context: SummaryContext },
): Text =>
  sentences([
    ...describeRestOf(name, rest),
    ...(advice.planned.count === 0 ? [] : describePlannedWaterings(advice, context)),
  ]);

export function describeRestOf(
  target: Text,
  { until, harvestedOn }: NonNullable<AdviceBody['rest']>,
): Text[] {
  const dayOf = (date: string) => dayOfYear(date.slice('2026-'.length));
  return withoutNulls([
    until === null
      ? null
      : say`${target} needs no watering now: its crop is at rest until ${dayOf(until)}.${call('set_probe_settings', 'restUntil')}${call('set_parcel', 'plantedOn')}`,
    harvestedOn === null
      ? null
      : say`${target} needs no watering now: its crop was harvested on ${dayOf(harvestedOn)}.${call('set_parcel', 'harvestedOn')}`,
  ]);
}

/** Null where other sentences answer whether to water. */
export function decisionOf(advice: AdviceBody): WateringDecision | null {
  const { deficitMm, tension, basis } = advice;
  const isMeasured = tension === undefined && basis === undefined;
  if (!isMeasured || deficitMm === null || deficitMm < NEGLIGIBLE_DEFICIT_MM) return null;
  return wateringDecision(advice);
}

/** By its tension where the sensor measures that, else by its deficit. */
export function describeState(
  advice: AdviceBody,
  probe: ProbeInSummary,
  context: SummaryContext,
): Text[] {
  const { tension, time } = advice;
  if (tension)
    return describeTension(probe.name, tension, time, {
      now: context.now,
      isInDoubt: advice.reasons.some((reason) => attributesOf(reason).withholds === 'reading'),
    });

  const saysDays = probe.decision === 'water' || probe.decision === 'wait';
  return [
    ...describeNeed(advice, probe, context),
    ...(saysDays ? [] : describeStress(advice)),
    ...describeDifference(advice),
  ];
}

export function describeTensionDecision({ reasons, tension }: AdviceBody): Text[] {
  const isDry = tension?.isDry ?? null;
  if (isDry === null || reasons.some(leavesAmountUncertain)) return [];
  return [isDry ? say`Water now.` : say`No need to water yet.`];
}

function describePlannedWaterings(
  { planned, reasons, waterMm: advised, takenOffMm = 0 }: AdviceBody,
  { now }: SummaryContext,
): Text[] {
  if (reasons.includes('NO_SOIL_MOISTURE')) return [];

  const { until, count, waterMm, nextAt } = planned;
  if (nextAt === null) return [say`No watering is planned between now and ${dateOf(until)}.`];

  const dose = waterMm === null ? say`of unknown dose` : say`${amount(waterMm, 'mm')} in all`;
  const isUnderWay = Date.parse(nextAt) <= now;
  const next = say`${isUnderWay ? say`one running since` : say`the next`} ${timeWithZone(nextAt)}`;
  const isCovered =
    advised !== null && advised > 0 && waterMm !== null && waterMm >= advised + takenOffMm;
  return withoutNulls([
    say`Planned until ${dateOf(until)}: ${counted(count, 'watering')}, ${dose}, ${next}.`,
    isCovered ? describeCover(takenOffMm) : null,
  ]);
}

/** Advice beside what is planned for today says that it is in addition to that. */
const describeCover = (takenOffMm: number): Text =>
  takenOffMm > 0
    ? say`What is planned after today gives as much, if you can wait and if it runs.`
    : say`The planned waterings are enough, if they run.`;
