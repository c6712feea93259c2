import { effectiveRainMm } from '../../domain/advice/rain-effect.ts';
import { FAR_DAYS } from '../../domain/advice/watering-advice.ts';
import { SENSOR_DOUBTS } from '../../domain/moisture/sensor-doubts.ts';
import { HOUR_MS, MINUTE_MS } from '../../domain/periods.ts';
import { civilAt } from '../../domain/time-zone.ts';
import type { AdviceBody, AdviceReason, AdviceRequest } from '../../schema/advice/advice.ts';
import type { AdvisoryOrText } from '../../schema/advisory.ts';
import type { TensionBody } from '../../schema/moisture/series.ts';
import type { DescribedReason } from '../en/advice.ts';
import { languageOf } from '../index.ts';
import { describeSensorDoubts, formatAge } from '../moisture/moisture-summary.ts';
import { describeTension } from '../monitoring/agronomic-state-summary.ts';
import {
  formatAdvisedMinutes,
  formatAmountOrNull,
  formatDaysAhead,
  formatEstimate,
  formatMinutes,
  formatNumber,
} from '../number-format.ts';
import { moduleName, type SummaryContext } from '../summary-context.ts';
import { formatDate, formatTime, formatTimeWithZone } from '../time.ts';
import { describeRecentRain, type RecentRainNote } from '../weather/rain-summary.ts';

export async function summarizeAdvice(
  advice: AdviceBody,
  context: SummaryContext,
  request: AdviceRequest,
  advisories: readonly AdvisoryOrText[] = [],
): Promise<string> {
  const recentRain = advisories.find(isRecentRain);
  const name = await moduleName(context.directory, advice.moduleId);
  return [
    ...describeUrgentReasons(advice, context),
    ...(recentRain === undefined ? [] : [describeRecentRain(recentRain, context)]),
    ...(advice.tension
      ? [
          ...describeDecision(advice, advice.tension, context),
          ...describeTension(name, advice.tension, advice.time, context),
        ]
      : [...describeNeed(advice, name, context), ...describeStress(advice, context)]),
    ...describePlannedWaterings(advice, context),
    ...describeReasons(advice, request, recentRain?.effectiveMm ?? 0, context),
  ].join(' ');
}

const isRecentRain = (advisory: AdvisoryOrText): advisory is RecentRainNote =>
  typeof advisory !== 'string' && advisory.kind === 'recent_rain';

function describeDecision(
  { reasons }: AdviceBody,
  { isDry }: TensionBody,
  { lang }: SummaryContext,
): string[] {
  const { waterNow, notYet } = languageOf(lang).tension;
  if (
    isDry === null ||
    [...URGENT_REASONS, 'RECENT_RAIN' as const].some((reason) => reasons.includes(reason))
  )
    return [];
  return [isDry ? waterNow : notYet];
}

/**
 * In mm: what the last digit of many sensors amounts to over half a metre of soil, so no reason to
 * irrigate.
 */
const NEGLIGIBLE_DEFICIT_MM = 0.5;
/** From this age on (ms) a summary mentions how old the reading is. */
const MENTION_AGE_FROM_MS = 6 * HOUR_MS;

const NO_REASON_FACTS = {
  isKnown: false,
  dailyLimit: '',
  rainMm: '',
  effectiveRainMm: '',
  demandPercent: '',
};

/** These come first: a person who waters without knowing them may water twice, or for nothing. */
const URGENT_REASONS = [
  'UNCONFIRMED_WATERING',
  'RECENT_WATERING',
] as const satisfies readonly AdviceReason[];
/** Other parts of the summary describe these. */
const REASONS_DESCRIBED_ELSEWHERE: readonly AdviceReason[] = [
  ...URGENT_REASONS,
  'RECENT_RAIN',
  ...SENSOR_DOUBTS,
  'NO_DRY_LEVEL',
  'LONGER_THAN_A_DAY',
];

const describeUrgentReasons = (
  { reasons, doubts }: AdviceBody,
  context: SummaryContext,
): string[] => [
  ...URGENT_REASONS.filter((reason) => reasons.includes(reason)).map((reason) =>
    languageOf(context.lang).advice.reasons[reason](NO_REASON_FACTS),
  ),
  ...describeSensorDoubts(doubts ?? [], context),
];

function describeReasons(
  { reasons, deficitMm, settings }: AdviceBody,
  { expectedRainMm, demandPercent }: AdviceRequest,
  fallenMm: number,
  { lang }: SummaryContext,
): string[] {
  const { reasons: sentences } = languageOf(lang).advice;
  const facts = {
    isKnown: deficitMm !== null,
    dailyLimit: settings === null ? '' : formatMinutes(60 * settings.hoursPerDay),
    rainMm: formatNumber(expectedRainMm, lang),
    effectiveRainMm: formatEstimate(
      effectiveRainMm(expectedRainMm, (deficitMm ?? 0) - fallenMm),
      lang,
    ),
    demandPercent: demandPercent === undefined ? '' : formatNumber(demandPercent, lang),
  };

  return reasons
    .filter(
      (reason): reason is DescribedReason =>
        // Without a percentage in the call, the pace follows from the weather, and a note describes
        // it.
        !REASONS_DESCRIBED_ELSEWHERE.includes(reason) &&
        !(reason === 'EXPECTED_DEMAND' && demandPercent === undefined),
    )
    .map((reason) => sentences[reason](facts));
}

function describeNeed(advice: AdviceBody, name: string, context: SummaryContext): string[] {
  const { time, deficitMm, waterMm, reasons } = advice;
  const refillPercent = advice.settings?.refillPercent ?? 100;
  const phrases = languageOf(context.lang).advice;
  const at = time === null ? '' : formatTimeWithZone(time, context);
  if (time !== null && reasons.includes('STALE_DATA'))
    return [
      phrases.staleData(
        name,
        formatAge(Math.floor((context.now - Date.parse(time)) / MINUTE_MS), context),
        at,
      ),
    ];

  if (deficitMm === null) return [phrases.needUnknown(name)];
  if (deficitMm === 0) return [phrases.noNeed(name, at)];
  if (deficitMm < NEGLIGIBLE_DEFICIT_MM)
    return [phrases.negligibleDeficit(name, formatEstimate(deficitMm, context.lang), at)];

  const ageMs = context.now - Date.parse(time!);
  const need = [
    phrases.deficit(name, formatEstimate(deficitMm, context.lang), at),
    ...(ageMs < MENTION_AGE_FROM_MS
      ? []
      : [phrases.readingAge(formatAge(Math.floor(ageMs / MINUTE_MS), context))]),
  ];
  if (waterMm === null) return need;
  if (waterMm === 0) return [...need, phrases.rainSuffices(reasons.includes('EXPECTED_RAIN'))];

  return [
    ...need,
    phrases.refill(
      refillPercent === 100 ? null : formatNumber(refillPercent, context.lang),
      describeAdvisedAmount(advice, context),
      describeLosses(advice, context),
    ),
    ...describeDays(advice, context),
  ];
}

/** Null if the whole dose is for the roots. */
function describeLosses({ netMm, waterMm, settings }: AdviceBody, { lang }: SummaryContext) {
  if (!settings || netMm === null || netMm === waterMm) return null;
  const { efficiencyPercent, leachingPercent } = settings;
  const percentOrNull = (percent: number, none: number) =>
    percent === none ? null : formatNumber(percent, lang);
  return {
    netMm: formatEstimate(netMm, lang),
    efficiency: percentOrNull(efficiencyPercent, 100),
    leaching: percentOrNull(leachingPercent, 0),
  };
}

const NOON = 12;
/** A watering that takes longer does not fit into a night. */
const NIGHT_MIN = 12 * 60;

function describeDays(
  { daily, settings }: AdviceBody,
  { lang, now, zone }: SummaryContext,
): string[] {
  if (!settings || !daily || daily.days === 1) return [];

  const { days, minutesPerDay } = daily;
  const isToday = civilAt(now, zone).hour < NOON || minutesPerDay > NIGHT_MIN;
  return [
    languageOf(lang).advice.split(
      formatMinutes(60 * settings.hoursPerDay),
      formatAdvisedMinutes(minutesPerDay),
      isToday,
      days > FAR_DAYS ? null : days - 1,
    ),
  ];
}

/** "2 h 45 min, 27 mm over the whole area, 274 m3". */
function describeAdvisedAmount(
  { waterMm, durationMin, volumeM3 }: AdviceBody,
  context: SummaryContext,
): string {
  return [
    ...(durationMin === null ? [] : [formatAdvisedMinutes(durationMin)]),
    languageOf(context.lang).advice.wholeArea(formatEstimate(waterMm!, context.lang)),
    ...(volumeM3 === null ? [] : [`${formatEstimate(volumeM3, context.lang)} m3`]),
  ].join(', ');
}

function describeStress(
  { daysToStress: days, reasons }: AdviceBody,
  context: SummaryContext,
): string[] {
  const { inStress, stressIn, stressInExpectedWeather } = languageOf(context.lang).advice;
  if (days === null) return [];
  if (days === 0) return [inStress];
  const countsOnForecast = reasons.includes('EXPECTED_RAIN') || reasons.includes('EXPECTED_DEMAND');
  return [
    (countsOnForecast ? stressInExpectedWeather : stressIn)(formatDaysAhead(days, context.lang)),
  ];
}

function describePlannedWaterings(
  { planned, reasons, waterMm: advised }: AdviceBody,
  context: SummaryContext,
): string[] {
  if (reasons.includes('NO_SOIL_MOISTURE')) return [];

  const phrases = languageOf(context.lang).advice;
  const { until, count, waterMm, nextAt } = planned;
  const at = (time: string): string => formatTime(time, context);

  const untilDay = formatDate(until, context);
  if (nextAt === null) return [phrases.nothingPlanned(untilDay)];

  const mm = formatAmountOrNull(waterMm, context.lang);
  const next = { at: at(nextAt), isUnderWay: Date.parse(nextAt) <= context.now };
  const isCovered = advised !== null && advised > 0 && waterMm !== null && waterMm >= advised;

  return [
    phrases.planned({ until: untilDay, count, mm, next, zone: context.zone }),
    ...(isCovered ? [phrases.alreadyPlanned] : []),
  ];
}
