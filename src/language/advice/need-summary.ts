import type { BalanceNeed } from '../../domain/advice/balance/balance-needs.ts';
import type { WateringDecision } from '../../domain/advice/watering-decision.ts';
import { withoutNulls } from '../../domain/items.ts';
import { QUALITY_FLAGS } from '../../domain/moisture/suspect-readings.ts';
import { HOUR_MS, MINUTE_MS } from '../../domain/periods.ts';
import type { AdviceBody } from '../../schema/advice/advice.ts';
import { englishFormat } from '../en/grammar.ts';
import { formatDaysAhead, formatEstimate } from '../number-format.ts';
import type { SummaryContext } from '../summary-context.ts';
import { formatAge, formatLocalDay, formatTimeWithZone } from '../time.ts';
import { advicePhrases } from './advice-phrases.ts';
import { countsOnForecast } from './amounts/decision-summary.ts';
import { type AdvisedAmounts, describeRefill } from './amounts/refill-summary.ts';

/**
 * In mm: what the last digit of many sensors amounts to over half a metre of soil, so no reason to
 * irrigate.
 */
export const NEGLIGIBLE_DEFICIT_MM = 0.5;
/** From this age on (ms) a summary mentions how old the reading is. */
const MENTION_AGE_FROM_MS = 6 * HOUR_MS;

/** Whose need it is, and what was said of it before. */
export interface ProbeInSummary {
  readonly name: string;
  readonly decision: WateringDecision | null;
}

export function describeNeed(
  advice: AdviceBody,
  { name, decision }: ProbeInSummary,
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

export function describeDifference(
  { balance, reasons }: AdviceBody,
  context: SummaryContext,
): string[] {
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
