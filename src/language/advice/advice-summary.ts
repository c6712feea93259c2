import { type AdviceReason, withholdsAmount } from '../../domain/advice/advice-reason.ts';
import type { AdviceRequest } from '../../domain/advice/probe-advice.ts';
import { type WateringDecision, wateringDecision } from '../../domain/advice/watering-decision.ts';
import { withoutNulls } from '../../domain/items.ts';
import { textOf } from '../../domain/text/say.ts';
import type { AdviceBody } from '../../schema/advice/advice.ts';
import type { Advisory } from '../../schema/advisory.ts';
import { describeEnoughIfItRuns } from '../irrigation/watering-summary.ts';
import { describeTension } from '../monitoring/agronomic-state-summary.ts';
import { formatAmountOrNull } from '../number-format.ts';
import { joinSentences } from '../sentences.ts';
import { moduleName, type SummaryContext } from '../summary-context.ts';
import { written } from '../text/render.ts';
import { formatDate, formatDayOfYear, formatTime } from '../time.ts';
import { describeRecentRain, type RecentRainAdvisory } from '../weather/rain-summary.ts';
import { advicePhrases } from './advice-phrases.ts';
import { describeDecision } from './amounts/decision-summary.ts';
import { describeMeanwhile } from './meanwhile-summary.ts';
import {
  describeDifference,
  describeNeed,
  describeStress,
  NEGLIGIBLE_DEFICIT_MM,
  type ProbeInSummary,
} from './need-summary.ts';
import {
  describeDoubts,
  describeReasons,
  describeUrgentReasons,
  REASONS_TO_WAIT,
} from './reason-sentences.ts';
import { describeDiffering } from './response-summary.ts';

export async function summarizeAdvice(
  advice: AdviceBody,
  context: SummaryContext,
  request: AdviceRequest,
  advisories: readonly Advisory[] = [],
): Promise<string> {
  const recentRain = advisories.find(isRecentRain);
  const name = await moduleName(context.directory, advice.moduleId);
  if (advice.rest !== null) return describeRest(advice, advice.rest, name, context);

  const decision = decisionOf(advice);
  return joinSentences([
    ...describeAnswer(advice, { name, decision }, context, advisories),
    ...describeTensionDecision(advice),
    recentRain === undefined ? null : describeRecentRain(recentRain),
    ...describeState(advice, { name, decision }, context),
    ...(await describeMeanwhile(advice.meanwhile, context)),
    ...(await describeDiffering(advice, context)),
    ...describePlannedWaterings(advice, context),
    ...describeReasons(advice, request, recentRain?.effectiveMm ?? 0),
  ]);
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
): string[] {
  const doubts = describeDoubts(advice, context, advisories);
  const urgent = describeUrgentReasons(advice.reasons);
  if (decision === null) return [...doubts, ...urgent];

  const planned = advisories.find(isEnoughIfItRuns);
  const answer =
    decision === 'enough' && planned !== undefined
      ? describeEnoughIfItRuns(planned, context, name)
      : describeDecision(decision, name, advice);
  return decision === 'wait' || decision === 'enough'
    ? [...doubts, answer, ...urgent]
    : [...doubts, ...urgent, answer];
}

export const describeRest = (
  advice: AdviceBody,
  rest: NonNullable<AdviceBody['rest']>,
  name: string,
  context: SummaryContext,
): string =>
  joinSentences([
    ...describeRestOf(name, rest),
    ...(advice.planned.count === 0 ? [] : describePlannedWaterings(advice, context)),
  ]);

export function describeRestOf(
  name: string,
  { until, harvestedOn }: NonNullable<AdviceBody['rest']>,
): string[] {
  const { atRest, harvested } = advicePhrases;
  const dayOf = (date: string): string => formatDayOfYear(date.slice('2026-'.length));
  return withoutNulls([
    until === null ? null : atRest(name, dayOf(until)),
    harvestedOn === null ? null : harvested(name, dayOf(harvestedOn)),
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
): string[] {
  const { tension, time } = advice;
  if (tension)
    return describeTension(textOf(probe.name), tension, time, {
      now: context.now,
      isInDoubt: tension.suspect !== undefined || advice.reasons.some(leavesTensionInDoubt),
    }).map((text) => written(text, context));

  const saysDays = probe.decision === 'water' || probe.decision === 'wait';
  return [
    ...describeNeed(advice, probe, context),
    ...(saysDays ? [] : describeStress(advice)),
    ...describeDifference(advice, context),
  ];
}

const leavesTensionInDoubt = (reason: AdviceReason): boolean =>
  reason === 'FROZEN' || reason === 'NO_RESPONSE';

const isEnoughIfItRuns = (
  advisory: Advisory,
): advisory is Extract<Advisory, { kind: 'enough_if_it_runs' }> =>
  advisory.kind === 'enough_if_it_runs';

const isRecentRain = (advisory: Advisory): advisory is RecentRainAdvisory =>
  advisory.kind === 'recent_rain';

export function describeTensionDecision({ reasons, tension }: AdviceBody): string[] {
  const isDry = tension?.isDry ?? null;
  const isUncertain = reasons.some(
    (reason) => REASONS_TO_WAIT.includes(reason) || withholdsAmount(reason),
  );
  if (isDry === null || isUncertain) return [];
  return [isDry ? 'Water now.' : 'No need to water yet.'];
}

function describePlannedWaterings(
  { planned, reasons, waterMm: advised, takenOffMm = 0 }: AdviceBody,
  context: SummaryContext,
): string[] {
  if (reasons.includes('NO_SOIL_MOISTURE')) return [];

  const { until, count, waterMm, nextAt } = planned;
  const at = (time: string): string => formatTime(time, context);

  const untilDay = formatDate(until, context);
  if (nextAt === null) return [advicePhrases.nothingPlanned(untilDay)];

  const mm = formatAmountOrNull(waterMm);
  const next = { at: at(nextAt), isUnderWay: Date.parse(nextAt) <= context.now };
  const isCovered =
    advised !== null && advised > 0 && waterMm !== null && waterMm >= advised + takenOffMm;

  // Advice beside what is planned for today says that it is in addition to that.
  const coveredBy = takenOffMm > 0 ? advicePhrases.plannedLater : advicePhrases.alreadyPlanned;
  return withoutNulls([
    advicePhrases.planned({ until: untilDay, count, mm, next, zone: context.zone }),
    isCovered ? coveredBy : null,
  ]);
}
