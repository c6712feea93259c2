import {
  type Decay,
  type DryingPace,
  type DryingRate,
  MIN_FALL_PER_DAY,
} from '../../facts/drying-rate.ts';
import { FORESEEABLE_DAYS } from '../watering-advice.ts';

export interface Outlook {
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
export const expectedPerDay = (
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
