import { type AdviceReason, withholdsAmount } from '../../domain/advice/advice-reason.ts';
import type { BalanceNeed } from '../../domain/advice/balance/balance-needs.ts';
import type { AdviceRequest } from '../../domain/advice/probe-advice.ts';
import { effectiveRainMm } from '../../domain/advice/rain-effect.ts';
import { type WateringDecision, wateringDecision } from '../../domain/advice/watering-decision.ts';
import { TENSION_FLAGS } from '../../domain/facts/suspect-tension.ts';
import { withoutNulls } from '../../domain/items.ts';
import { QUALITY_FLAGS } from '../../domain/moisture/suspect-readings.ts';
import { HOUR_MS, MINUTE_MS } from '../../domain/periods.ts';
import type { AdviceBody } from '../../schema/advice/advice.ts';
import type { Advisory } from '../../schema/advisory.ts';
import { englishFormat } from '../en/grammar.ts';
import { describeLineDoubt } from '../moisture/line-doubts.ts';
import { describeSuspectReadings } from '../moisture/suspect-readings.ts';
import { tensionPhrases } from '../monitoring/agronomic-state-phrases.ts';
import { describeSuspectTension, describeTension } from '../monitoring/agronomic-state-summary.ts';
import {
  formatAmountOrNull,
  formatDaysAhead,
  formatEstimate,
  formatMinutes,
  formatNumber,
  formatShare,
} from '../number-format.ts';
import { joinSentences } from '../sentences.ts';
import { moduleName, type SummaryContext } from '../summary-context.ts';
import {
  formatAge,
  formatDate,
  formatDayOfYear,
  formatLocalDay,
  formatTime,
  formatTimeWithZone,
} from '../time.ts';
import { describeRecentRain, type RecentRainAdvisory } from '../weather/rain-summary.ts';
import type { DescribedReason } from './advice-phrases.ts';
import { advicePhrases } from './advice-phrases.ts';
import { countsOnForecast, describeDecision } from './amounts/decision-summary.ts';
import { type AdvisedAmounts, describeRefill } from './amounts/refill-summary.ts';
import { describeMeanwhile } from './meanwhile-summary.ts';
import { describeDiffering, describeResponse } from './response-summary.ts';

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
    ...describeUrgentReasons(advice, context),
    decision && describeDecision(decision, name, advice),
    ...describeTensionDecision(advice),
    recentRain === undefined ? null : describeRecentRain(recentRain),
    ...describeState(advice, { name, decision }, context),
    ...(await describeMeanwhile(advice.meanwhile, context)),
    ...(await describeDiffering(advice, context)),
    ...describePlannedWaterings(advice, context),
    ...describeReasons(advice, request, recentRain?.effectiveMm ?? 0),
  ]);
}

const describeRest = (
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
function decisionOf(advice: AdviceBody): WateringDecision | null {
  const { deficitMm, tension, basis } = advice;
  const isMeasured = tension === undefined && basis === undefined;
  if (!isMeasured || deficitMm === null || deficitMm < NEGLIGIBLE_DEFICIT_MM) return null;
  return wateringDecision(advice);
}

interface ProbeFacts {
  readonly name: string;
  readonly decision: WateringDecision | null;
}

/** By its tension where the sensor measures that, else by its deficit. */
function describeState(advice: AdviceBody, probe: ProbeFacts, context: SummaryContext): string[] {
  const { tension, time } = advice;
  if (tension)
    return describeTension(probe.name, tension, time, {
      ...context,
      isInDoubt: tension.suspect !== undefined || advice.reasons.some(leavesTensionInDoubt),
    });

  const saysDays = probe.decision === 'water' || probe.decision === 'wait';
  return [
    ...describeNeed(advice, probe, context),
    ...(saysDays ? [] : describeStress(advice)),
    ...describeDifference(advice, context),
  ];
}

const leavesTensionInDoubt = (reason: AdviceReason): boolean =>
  reason === 'FROZEN' || reason === 'NO_RESPONSE';

const isRecentRain = (advisory: Advisory): advisory is RecentRainAdvisory =>
  advisory.kind === 'recent_rain';

function describeTensionDecision({ reasons, tension }: AdviceBody): string[] {
  const { waterNow, notYet } = tensionPhrases;
  const isDry = tension?.isDry ?? null;
  const isUncertain = reasons.some(
    (reason) => REASONS_TO_WAIT.includes(reason) || withholdsAmount(reason),
  );
  if (isDry === null || isUncertain) return [];
  return [isDry ? waterNow : notYet];
}

/**
 * In mm: what the last digit of many sensors amounts to over half a metre of soil, so no reason to
 * irrigate.
 */
export const NEGLIGIBLE_DEFICIT_MM = 0.5;
/** From this age on (ms) a summary mentions how old the reading is. */
const MENTION_AGE_FROM_MS = 6 * HOUR_MS;

const NO_REASON_FACTS = {
  isKnown: false,
  dailyLimit: '',
  rainMm: '',
  effectiveRainMm: '',
  demandPercent: '',
  fractionWetted: '',
  rootDepthCm: '',
};

/** The summary begins with these: a person who waters without knowing them may water twice, or for nothing. */
const URGENT_REASONS = [
  'TOP_FROZEN',
  'UNCONFIRMED_WATERING',
  'RECENT_WATERING',
] as const satisfies readonly AdviceReason[];
const REASONS_TO_WAIT: readonly AdviceReason[] = [...URGENT_REASONS, 'RECENT_RAIN'];

/** Other parts of the summary describe these. */
const REASONS_DESCRIBED_ELSEWHERE: readonly AdviceReason[] = [
  ...URGENT_REASONS,
  'NO_RESPONSE',
  'TOO_WET',
  'LOG_SHIFTED',
  'PROBES_DIFFER',
  'FIELD_CAPACITY_IN_DOUBT',
  'WILTING_POINT_IN_DOUBT',
  'GAUGE_DOUBTFUL',
  'BY_BALANCE',
  'DRY_BY_BALANCE',
  'BALANCE_DIFFERS',
  'RECENT_RAIN',
  ...QUALITY_FLAGS,
  ...TENSION_FLAGS,
  'NO_DRY_LEVEL',
  'LONGER_THAN_A_DAY',
  'PLANNED_TODAY',
  'RUNOFF',
];

/** What takes the amount away comes first. */
function describeUrgentReasons(advice: AdviceBody, context: SummaryContext): string[] {
  const { reasons, doubts } = advice;
  const describe = (reason: DescribedReason): string =>
    advicePhrases.reasons[reason](NO_REASON_FACTS);
  return [
    ...describeResponse(advice, context),
    ...describeSuspectTension(advice.tension?.suspect ?? [], context),
    ...(advice.doubtedLines ?? []).map((doubt) =>
      advicePhrases.lineInDoubt(describeLineDoubt(doubt)),
    ),
    ...describeWithholding(reasons),
    ...URGENT_REASONS.filter((reason) => reasons.includes(reason)).map(describe),
    ...describeSuspectReadings(doubts ?? [], context),
  ];
}

export const describeWithholding = (reasons: readonly AdviceReason[]): string[] =>
  reasons
    .filter(isDescribed)
    .filter(withholdsAmount)
    .map((reason) => advicePhrases.reasons[reason](NO_REASON_FACTS));

const isDescribed = (reason: AdviceReason): reason is DescribedReason =>
  reason in advicePhrases.reasons;

export function describeReasons(
  { reasons, deficitMm, settings, fractionWetted, usualRoots, tension }: AdvisedAmounts,
  { expectedRainMm, demandPercent }: AdviceRequest,
  fallenMm: number,
): string[] {
  const { reasons: sentences } = advicePhrases;
  const facts = {
    isKnown: deficitMm !== null,
    dailyLimit: settings === null ? '' : formatMinutes(60 * settings.hoursPerDay),
    rainMm: formatNumber(expectedRainMm),
    effectiveRainMm: formatEstimate(effectiveRainMm(expectedRainMm, (deficitMm ?? 0) - fallenMm)),
    demandPercent: demandPercent === undefined ? '' : formatNumber(demandPercent),
    fractionWetted: fractionWetted === null ? '' : formatShare(fractionWetted),
    rootDepthCm: formatNumber(usualRoots?.rootDepthCm ?? 0),
  };

  return reasons
    .filter(
      (reason): reason is DescribedReason =>
        // A pace that does not come from the call follows from the weather; an advisory describes
        // that.
        !REASONS_DESCRIBED_ELSEWHERE.includes(reason) &&
        !withholdsAmount(reason) &&
        !(reason === 'EXPECTED_DEMAND' && demandPercent === undefined) &&
        // It says how far an amount may be off, or how to give one.
        !(reason === 'FIELD_CAPACITY_ESTIMATED' && deficitMm === null) &&
        !(reason === 'TENSION_ONLY' && tension?.isDry === false),
    )
    .map((reason) => sentences[reason](facts));
}

function describeNeed(
  advice: AdviceBody,
  { name, decision }: ProbeFacts,
  context: SummaryContext,
): string[] {
  const { time, deficitMm, reasons } = advice;
  const zone = advicePhrases.zone(advice.fractionWetted);
  const byBalance = describeBalance(advice, name, context);
  if (time === null)
    return byBalance ?? [advicePhrases.needUnknown(name), ...describeBalanceNeeds(advice)];

  const at = formatTimeWithZone(time, context);
  const ageMs = context.now - Date.parse(time);
  const age = formatAge(Math.floor(ageMs / MINUTE_MS));
  if (reasons.includes('STALE_DATA'))
    return byBalance === null
      ? [advicePhrases.staleData(name, age, at), ...describeBalanceNeeds(advice)]
      : [advicePhrases.oldData(name, age, at), ...byBalance];

  if (deficitMm === null) return [advicePhrases.needUnknown(name)];
  if (deficitMm < NEGLIGIBLE_DEFICIT_MM && QUALITY_FLAGS.some((flag) => reasons.includes(flag)))
    return [advicePhrases.noNeedElsewhere(name, at)];
  if (deficitMm === 0) return [advicePhrases.noNeed(name, at)];
  if (deficitMm < NEGLIGIBLE_DEFICIT_MM)
    return [advicePhrases.negligibleDeficit(name, formatEstimate(deficitMm), at)];

  const need = withoutNulls([
    advicePhrases.deficit(decision === null ? name : null, formatEstimate(deficitMm), zone, at),
    ageMs < MENTION_AGE_FROM_MS ? null : advicePhrases.readingAge(age),
  ]);
  return [...need, ...describeRefill(advice, decision, context)];
}

/** Null where no balance stands in for the probe. */
function describeBalance(
  advice: AdviceBody,
  name: string,
  context: SummaryContext,
): string[] | null {
  const { balance, deficitMm, basis, fractionWetted } = advice;
  if (balance === undefined || deficitMm === null || basis === undefined) return null;

  const day = formatLocalDay(balance.since, context);
  const start = balance.from === undefined ? day : advicePhrases.fullSoil[balance.from](day);
  return deficitMm < NEGLIGIBLE_DEFICIT_MM
    ? [advicePhrases.noNeedByBalance(start, name)]
    : [
        advicePhrases.deficitByBalance(
          start,
          name,
          formatEstimate(deficitMm),
          advicePhrases.zone(fractionWetted),
        ),
        ...describeRefill(advice, null, context),
      ];
}

function describeBalanceNeeds({ balanceNeeds = [] }: AdviceBody): string[] {
  return balanceNeeds.length === 0 ? [] : [advicePhrases.balanceNeeds(listNeeds(balanceNeeds))];
}

export const listNeeds = (needs: readonly BalanceNeed[]): string =>
  englishFormat.list(needs.map((need) => advicePhrases.balanceNeed[need]));

function describeDifference({ balance, reasons }: AdviceBody, context: SummaryContext): string[] {
  const isDry = reasons.includes('DRY_BY_BALANCE');
  if (balance === undefined || !(isDry || reasons.includes('BALANCE_DIFFERS'))) return [];
  const { balanceDiffers, dryByBalance } = advicePhrases;
  const since = formatLocalDay(balance.since, context);
  return [(isDry ? dryByBalance : balanceDiffers)(since, formatEstimate(balance.deficitMm))];
}

export function describeStress({ daysToStress: days, reasons }: AdvisedAmounts): string[] {
  const { inStress, stressIn, stressInExpectedWeather } = advicePhrases;
  if (days === null) return [];
  if (days === 0) return [inStress];

  const ahead = formatDaysAhead(days);
  return [countsOnForecast(reasons) ? stressInExpectedWeather(ahead) : stressIn(ahead)];
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

  return withoutNulls([
    advicePhrases.planned({ until: untilDay, count, mm, next, zone: context.zone }),
    isCovered ? advicePhrases.alreadyPlanned : null,
  ]);
}
