import type { WateringAdvice } from '../../domain/advice/advice.ts';
import type {
  BalanceErrorFacts,
  BalanceFacts,
  BalanceNeed,
  FactsOf,
  FullSoilBasis,
} from '../../domain/advice/reason.ts';
import { WATER_USE_BOUNDS } from '../../domain/balance/water-use.ts';
import { roundTo } from '../../domain/decimal.ts';
import { estimate, exact, moisture, rough, share } from '../../domain/text/figures.ts';
import { call, list, say, sentences } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import { localDay } from '../../domain/text/times.ts';
import { lineCall } from '../text/line-call.ts';

/**
 * In mm: what the last digit of many sensors amounts to over half a metre of soil, so no reason to
 * irrigate.
 */
export const NEGLIGIBLE_DEFICIT_MM = 0.5;

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

/** Names a balance in place of readings; null without a deficit. */
export function describeBalance(
  { since, from, waterUse, ...error }: Omit<BalanceFacts, 'deficitMm'>,
  target: Text,
  { deficitMm, fractionWetted }: Pick<WateringAdvice, 'deficitMm' | 'fractionWetted'>,
): Text | null {
  if (deficitMm === null) return null;

  const source = say`By ${balanceFrom(since, from)}, if every watering was logged, ${target}`;
  const need =
    deficitMm < NEGLIGIBLE_DEFICIT_MM
      ? say`needs no water`
      : say`${lacks(deficitMm, fractionWetted)}${describeError(error)}`;
  return say`${source} ${need}.${describeWaterUse(waterUse)}`;
}

/** Nothing where a service does not tell it. */
function describeWaterUse(waterUse: BalanceFacts['waterUse']): Text {
  if (waterUse === undefined) return say``;
  if (waterUse === null)
    return say` That counts the water use of the tables: between waterings it has not dried for long enough to show its own.`;

  const { least, most } = WATER_USE_BOUNDS;
  const check = say`so check its wetted fraction, root depth, crop and field capacity: the balance counts that much`;
  if (waterUse <= least)
    return say` By its readings it uses ${share(least)} or less of what the tables expect, ${check}.`;
  if (waterUse >= most)
    return say` By its readings it uses ${share(most)} or more of what the tables expect, ${check}.`;
  return say` It has used ${share(waterUse)} of what the tables expect, which the balance counts.`;
}

/** Nothing where a service does not tell it. */
export const describeError = ({ errorMm, isErrorOwn }: Partial<BalanceErrorFacts>): Text =>
  errorMm === undefined
    ? say``
    : say`, give or take ${estimate(errorMm, 'mm')} (${isErrorOwn ? say`as far as its own balance was off before` : say`as far as balances of other fields were off; its own error is not known`})`;

/** Says of a balance beside readings, in short, what is odd about it. */
export const describeDifference = ({ since, deficitMm }: BalanceFacts, oddity: Text): Text =>
  say`By ${balanceFrom(since)} it would lack ${estimate(deficitMm, 'mm')}${oddity} ${BALANCE_CHECKS}`;

/** Of a soil that is not known. `moreOrLess` follows the amount. */
export const usualClassError = (moreOrLess: Text | null = null): Text =>
  say`some ${rough(exact(30, 'mm'))}${moreOrLess} in ${exact(60, 'cm')} of roots, and twice that in clay or among stones`;

export function describeClassError({
  errorMm,
  offered,
}: FactsOf<'FIELD_CAPACITY_ESTIMATED'>): Text {
  const error =
    errorMm === undefined ? usualClassError() : say`some ${rough(estimate(errorMm, 'mm'))}`;
  return sentences([
    say`Its field capacity is that of a texture class, so the deficit can be off by ${error}.${call('suggest_thresholds')}`,
    offered === undefined
      ? null
      : say`Its own readings say better: drained after each wetting of the last two weeks, it held ${moisture(offered, '%')}. Ask whether that is to be its field capacity, then draw it.${lineCall('threshold1', roundTo(offered, 1))}`,
  ]);
}
