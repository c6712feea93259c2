import { attributesOf } from '../../domain/advice/advice-reason.ts';
import type { BalanceNeed, FullSoilBasis } from '../../domain/advice/probe-advice.ts';
import type { WateringDecision } from '../../domain/advice/watering-decision.ts';
import { HOUR_MS, MINUTE_MS } from '../../domain/periods.ts';
import { age, daysUntil, estimate } from '../../domain/text/figures.ts';
import { call, list, say } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import { localDay, timeWithZone } from '../../domain/text/times.ts';
import type { AdviceBody } from '../../schema/advice/advice.ts';
import type { SummaryContext } from '../summary-context.ts';
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
  readonly name: Text;
  readonly decision: WateringDecision | null;
}

export function describeNeed(
  advice: AdviceBody,
  { name, decision }: ProbeInSummary,
  context: SummaryContext,
): Text[] {
  const { time, deficitMm, reasons, fractionWetted } = advice;
  const byBalance = describeBalance(advice, name, context);
  if (time === null) return byBalance ?? [needUnknown(name), ...describeBalanceNeeds(advice)];

  const at = timeWithZone(time);
  const ageMs = context.now - Date.parse(time);
  const readingAge = age(Math.floor(ageMs / MINUTE_MS));
  if (reasons.includes('STALE_DATA'))
    return byBalance === null
      ? [
          say`Old data, so there is no advice: the newest moisture of ${name} is ${readingAge} old, from ${at}.`,
          ...describeBalanceNeeds(advice),
        ]
      : [say`The newest moisture of ${name} is ${readingAge} old, from ${at}.`, ...byBalance];

  if (deficitMm === null) return [needUnknown(name)];
  if (
    deficitMm < NEGLIGIBLE_DEFICIT_MM &&
    reasons.some((reason) => attributesOf(reason).of === 'sensor')
  )
    return [
      say`${name} lacks no water at the depths that can be trusted, ${at}; whether it does at the others is unknown.`,
    ];
  if (deficitMm === 0)
    return [say`${name} needs no water: it is at or above field capacity, ${at}.`];
  if (deficitMm < NEGLIGIBLE_DEFICIT_MM)
    return [
      say`${name} needs no water: it lacks ${estimate(deficitMm, 'mm')} to reach field capacity, less than its readings can tell, ${at}.`,
    ];

  // The decision, which comes before, names the probe.
  const subject = decision === null ? name : say`It`;
  return [
    say`${subject} ${lacks(deficitMm, fractionWetted)}, ${at}.`,
    ...(ageMs < MENTION_AGE_FROM_MS
      ? []
      : [say`That is based on a reading that is ${readingAge} old.`]),
    ...describeRefill(advice, decision, context),
  ];
}

const needUnknown = (name: Text): Text => say`How much water ${name} needs is unknown.`;

/** Equipment that wets the whole area leaves no dry zone. */
export const lacks = (deficitMm: number, fractionWetted: number | null): Text =>
  say`lacks ${estimate(deficitMm, 'mm')} in its ${fractionWetted === 1 ? say`root zone` : say`wetted zone`} to reach field capacity`;

/** The balance counts from a local day on. */
export const balanceFrom = (day: string, basis?: FullSoilBasis): Text =>
  say`the balance of rain, waterings and evapotranspiration since ${basis === undefined ? localDay(day) : fullSoilOn(day, basis)}`;

function fullSoilOn(day: string, basis: FullSoilBasis): Text {
  const since = localDay(day);
  switch (basis) {
    case 'said':
      return say`${since}, when, as you say, its soil was full`;
    case 'filled':
      return say`${since}, before which rain or waterings had filled its soil`;
    case 'planting':
      return say`planting on ${since}, when its soil is taken to have been at field capacity`;
  }
}

/** Null where no balance stands in for the probe. */
function describeBalance(
  { balance, deficitMm, basis, ...advice }: AdviceBody,
  name: Text,
  context: SummaryContext,
): Text[] | null {
  if (balance === undefined || deficitMm === null || basis === undefined) return null;

  const source = say`By ${balanceFrom(balance.since, balance.from)}, if every watering was logged, ${name}`;
  return deficitMm < NEGLIGIBLE_DEFICIT_MM
    ? [say`${source} needs no water.`]
    : [
        say`${source} ${lacks(deficitMm, advice.fractionWetted)}.`,
        ...describeRefill({ ...advice, deficitMm }, null, context),
      ];
}

const describeBalanceNeeds = ({ balanceNeeds = [] }: AdviceBody): Text[] =>
  balanceNeeds.length === 0
    ? []
    : [
        say`While it is silent, the balance of rain, waterings and evapotranspiration could tell how much water it needs. ${missingForBalance(balanceNeeds)}`,
      ];

const BALANCE_NEEDS: Readonly<Record<BalanceNeed, Text>> = {
  crop: say`the crop of its parcel${call('set_parcel', 'type')}`,
  stage: say`the day of planting, or the growth stage${call('set_parcel', 'plantedOn or stage')}`,
  root_depth: say`the root depth${call('set_probe_settings', 'rootDepthCm')}`,
  soil: say`the soil${call('set_soil_profile')}`,
  weather: say`the temperatures of the days since its soil was full (an import, or a weather station)`,
  doses: say`the doses of its waterings (its equipment)`,
  full_soil: say`a day on which rain or a watering filled its soil${call('log_watering')}${call('advise_watering', 'parcel', 'filledOn')}`,
};

export const missingForBalance = (needs: readonly BalanceNeed[]): Text =>
  say`Missing for that: ${list(needs.map((need) => BALANCE_NEEDS[need]))}.`;

/** The most frequent cause first. */
const BALANCE_CHECKS = say`See whether all waterings and rain are logged and the waterings ran, then whether its application rate, wetted fraction and crop are right, and then check the probe.`;

export function describeDifference({ balance, reasons }: AdviceBody): Text[] {
  const isDry = reasons.includes('DRY_BY_BALANCE');
  if (balance === undefined || !(isDry || reasons.includes('BALANCE_DIFFERS'))) return [];

  const deficit = say`By ${balanceFrom(balance.since)} it would lack ${estimate(balance.deficitMm, 'mm')}`;
  return [
    isDry
      ? say`${deficit} and its crop be under stress, which its readings do not show: look at the soil by hand first. ${BALANCE_CHECKS}`
      : say`${deficit}, and the difference to its readings grows. ${BALANCE_CHECKS}`,
  ];
}

export function describeStress({ daysToStress, reasons }: AdvisedAmounts): Text[] {
  if (daysToStress === null) return [];
  if (daysToStress === 0) return [say`It is already at or below the stress point.`];

  const pace = countsOnForecast(reasons)
    ? say`In the expected weather`
    : say`As fast as it dries now`;
  return [say`${pace}, it reaches the stress point in ${daysUntil(daysToStress)}.`];
}
