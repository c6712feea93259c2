import type { RainContribution } from '../../weather/rain.ts';
import { mayHaveWetted, totalMm } from '../rain-effect.ts';
import { WATERING_OUTCOMES, type WateringResponse } from '../watering-response.ts';
import { risesOfWater, type UnseenReason } from '../witness/witness.ts';
import type { ReviewedWatering } from './watering-review.ts';

/**
 * `full_soil`: it had no room for a rise. `too_light`: so little water may stay above the sensors.
 * `other_water`: recorded rain, or a confirmed watering beside it, explains the rise.
 */
export const REVIEW_OUTCOMES = [
  ...WATERING_OUTCOMES,
  'full_soil',
  'too_light',
  'other_water',
] as const;
type ReviewOutcome = (typeof REVIEW_OUTCOMES)[number];

export interface CreditedWatering extends Omit<ReviewedWatering, 'response'> {
  readonly response: Omit<WateringResponse, 'response'> & { readonly response: ReviewOutcome };
  /** Recorded for the time of the rises; null without rain or rises. */
  readonly rainMm: number | null;
}

/** The outcome of a watering that its probe does not show although something rose. */
const OUTCOMES: Readonly<Record<UnseenReason, ReviewOutcome>> = {
  no_rise: 'no_response',
  too_early: 'too_early',
  no_readings: 'no_data',
  no_probe: 'no_data',
  rain: 'other_water',
  other_watering: 'other_water',
};

interface Attribution {
  /** By id, of those about which the probe was asked; null where it shows them. */
  readonly unseen: ReadonlyMap<number, UnseenReason | null>;
  readonly rain: readonly RainContribution[];
}

function flatOutcome({ response, isTooLight }: ReviewedWatering): ReviewOutcome {
  if (response.response !== 'no_response') return response.response;
  if (response.isSoilFull) return 'full_soil';
  return isTooLight ? 'too_light' : 'no_response';
}

/** A rise belongs to recorded rain first, then to a confirmed watering, and then to the others. */
export function creditedWatering(
  reviewed: ReviewedWatering,
  { unseen, rain }: Attribution,
): CreditedWatering {
  const { watering, response } = reviewed;
  const rises = response.depths.flatMap(({ event }) => (event === null ? [] : [[event.startAt]]));
  if (rises.length === 0) {
    return {
      ...reviewed,
      response: { ...response, response: flatOutcome(reviewed) },
      rainMm: null,
    };
  }

  const rained = rain.filter((each) => rises.flat().some((start) => mayHaveWetted(each, start)));
  const rainMm = rained.length === 0 ? null : totalMm(rained);
  const isOfRain = risesOfWater({ rises, gainMm: response.riseMm }, rain).flat().length === 0;
  const reason = unseen.has(watering.id) ? unseen.get(watering.id) : isOfRain && 'rain';
  if (!reason) return { ...reviewed, rainMm };

  const outcome = OUTCOMES[reason];
  const uncredited = { ...response, response: outcome, deepestCm: null, isDeeperFirst: false };
  if (outcome === 'other_water')
    return { ...reviewed, response: { ...uncredited, riseMm: null }, rainMm };

  const depths = response.depths.map((depth) => ({ ...depth, event: null }));
  const riseMm = outcome === 'no_response' && response.riseMm !== null ? 0 : null;
  return { ...reviewed, response: { ...uncredited, depths, riseMm }, rainMm: null };
}
