import {
  type Decay,
  type DryingPace,
  type DryingRate,
  MIN_FALL_PER_DAY,
} from '../../facts/drying-rate.ts';
import type { StateFacts } from '../../facts/probe-facts.ts';
import type { WeatherFacts } from '../../facts/weather-facts.ts';
import { areThresholdsCrossed } from '../../moisture/agronomic-state.ts';
import { readingAge } from '../../moisture/coverage.ts';
import { DAY_MS } from '../../periods.ts';
import type { Reason } from '../reason.ts';
import { FORESEEABLE_DAYS } from '../watering-advice.ts';

export interface StressForecast {
  readonly days: number | null;
  readonly dryingRate: DryingRate | null;
  /** The points that the curve loses in a coming day; 0 if unknown. */
  readonly pointsPerDay: number;
  /** The moisture in % that an exponential fall approaches; null where the pace alone counts. */
  readonly residual: number | null;
  /** Expected demand of the air in % of that of the last two weeks; null if nothing says it. */
  readonly demandPercent: number | null;
  /** Null if the demand does not follow from the weather. */
  readonly weatherDemand: WeatherFacts['pace'];
  readonly reason: Reason | null;
}

interface ForecastInputs {
  readonly state: StateFacts;
  /** The newest moisture, unrounded. */
  readonly moisture: number | null;
  readonly dryingRate: DryingRate | null;
  /** Points of moisture that rain adds before the day of stress. */
  readonly rainPoints: number;
  /** Given by the caller, it replaces what the weather says. */
  readonly expectedDemandPercent: number | undefined;
  readonly weather: WeatherFacts;
  readonly now: number;
}

const unknownForecast = (reason: Reason | null): StressForecast => ({
  days: null,
  dryingRate: null,
  pointsPerDay: 0,
  residual: null,
  demandPercent: null,
  weatherDemand: null,
  reason,
});

/** Extrapolates the drying of the last two weeks. */
export function forecastStress(inputs: ForecastInputs): StressForecast {
  const { state, now } = inputs;
  if (areThresholdsCrossed(state)) return unknownForecast({ kind: 'THRESHOLDS_CROSSED' });
  if (state.stressPoint === null) return unknownForecast({ kind: 'NO_STRESS_POINT' });
  if (state.moisture === null || state.at === null) return unknownForecast(null);

  const { ageMs, isFresh } = readingAge(state.at, now);
  if (!isFresh) return unknownForecast(null);
  if (state.moisture <= state.stressPoint) return { ...unknownForecast(null), days: 0 };

  const { dryingRate } = inputs;
  if (dryingRate === null) return unknownForecast({ kind: 'FEW_DRY_DAYS' });

  const newest = { value: inputs.moisture ?? state.moisture, ageDays: ageMs / DAY_MS };
  const demand = demandAfter(dryingRate, inputs);
  const days = daysUntilStress(state.stressPoint, newest, dryingRate, {
    rainPoints: inputs.rainPoints,
    demandPercent: demand.demandPercent,
  });

  if (days === null) return unknownForecast({ kind: 'NOT_DRYING' });
  return {
    days,
    dryingRate,
    pointsPerDay: -expectedPerDay(dryingRate, demand.demandPercent),
    residual: countedDecay(dryingRate, state.stressPoint)?.residual ?? null,
    ...demand,
    reason: null,
  };
}

function demandAfter(
  dryingRate: DryingRate,
  { expectedDemandPercent, weather }: ForecastInputs,
): Pick<StressForecast, 'demandPercent' | 'weatherDemand'> {
  if (expectedDemandPercent !== undefined)
    return { demandPercent: expectedDemandPercent, weatherDemand: null };

  const weatherDemand = demandBeyond(weather, dryingRate);
  return { demandPercent: weatherDemand?.percent ?? null, weatherDemand };
}

/**
 * Null if the weather adds nothing to the drying rate: without a forecast, the coming days are
 * assumed to be like the newest ones, which a pace of the newest day already includes.
 */
function demandBeyond({ pace }: WeatherFacts, rate: DryingRate): WeatherFacts['pace'] {
  if (pace === null) return null;
  return pace.basis === 'recent' && rate.basis === 'newest' ? null : pace;
}

interface Outlook {
  /** Points of moisture that rain adds before the day of stress. */
  readonly rainPoints: number;
  /** Expected demand of the air in % of that of the last two weeks; null if nothing says it. */
  readonly demandPercent: number | null;
}

interface NewestMoisture {
  readonly value: number;
  readonly ageDays: number;
}

/** The shortest time until a stress that no reading shows yet. */
const MIN_DAYS_AHEAD = 0.1;

/** In points: nearer to the residual moisture the exponential hardly falls any more. */
const MIN_ABOVE_RESIDUAL_POINTS = 2;

/**
 * The mean of a straight and an exponential fall, at most two weeks, or the straight one alone where
 * the exponential does not count. 0 at or below the stress point, null where the soil does not dry.
 * Source: J. M. Bates & C. W. J. Granger (1969), The Combination of Forecasts, Oper. Res. Q. 20: the
 * errors of two forecasts partly cancel out. Straight falls tend to come early, exponential ones
 * late.
 */
export function daysUntilStress(
  stressPoint: number,
  newest: NewestMoisture,
  rate: DryingRate,
  outlook: Outlook,
): number | null {
  if (newest.value <= stressPoint) return 0;
  if (rate.perDay > -MIN_FALL_PER_DAY) return null;

  const straight = foreseeable(straightFall(stressPoint, newest, rate, outlook));
  const decay = countedDecay(rate, stressPoint);
  return decay === null
    ? straight
    : (straight + foreseeable(exponentialFall(stressPoint, newest, decay, outlook))) / 2;
}

/** Null where it does not count beside the straight fall. */
export const countedDecay = ({ decay }: DryingRate, stressPoint: number): Decay | null =>
  decay !== null && stressPoint - decay.residual >= MIN_ABOVE_RESIDUAL_POINTS ? decay : null;

/** Projected time may have passed while no reading is below the stress point yet. */
const foreseeable = (days: number): number =>
  Math.min(FORESEEABLE_DAYS, Math.max(MIN_DAYS_AHEAD, days));

/**
 * The use of water follows the demand of the air (FAO-56, chapter 6). The demand is in % of the last
 * two weeks, so it scales their usual day: the newest day has the weather of today already, and
 * would count it twice.
 */
const expectedPerDay = (
  { perDay, usualPerDay }: DryingPace,
  demandPercent: number | null,
): number => (demandPercent === null ? perDay : (usualPerDay * demandPercent) / 100);

/** From the newest value until now it falls at the pace so far, from now on at the expected one. */
function straightFall(
  stressPoint: number,
  { value, ageDays }: NewestMoisture,
  pace: DryingPace,
  { rainPoints, demandPercent }: Outlook,
): number {
  const present = value + pace.perDay * ageDays + rainPoints;
  return (present - stressPoint) / -expectedPerDay(pace, demandPercent);
}

function exponentialFall(
  stressPoint: number,
  { value, ageDays }: NewestMoisture,
  decay: Decay,
  { rainPoints, demandPercent }: Outlook,
): number {
  const { residual, perDay } = decay;
  const present = residual + (value - residual) * Math.exp(perDay * ageDays) + rainPoints;
  const ratio = (present - residual) / (stressPoint - residual);
  return Math.log(ratio) / -expectedPerDay(decay, demandPercent);
}
