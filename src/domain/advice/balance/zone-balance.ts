import type { GrowingCrop, GrowthClock } from '../../balance/crop-growth.ts';
import type { BalanceDay } from '../../balance/daily-balance.ts';
import { availableMm, type BalanceLayers } from '../../balance/root-zone-soil.ts';
import {
  type BalanceSubject,
  runBalance,
  stateAtStart,
  surfaceWithin,
} from '../../balance/run-balance.ts';
import { surfaceOfSoil } from '../../balance/surface-of-soil.ts';
import { firstOf } from '../../items.ts';
import { mean } from '../../statistics.ts';
import { FORESEEABLE_DAYS } from '../watering-advice.ts';

/** The root zone that a valve wets, and what grows there. */
export interface BalancedZone {
  readonly crop: GrowingCrop;
  readonly clock: GrowthClock;
  readonly layers: BalanceLayers;
  readonly fractionWetted: number;
}

export interface ZoneEstimate {
  /** In mm of the wetted zone. */
  readonly deficitMm: number;
  /** After each day. */
  readonly deficitsMm: readonly number[];
  /** Until the crop suffers if the coming days are like the last ones; null if it does not dry. */
  readonly daysToStress: number | null;
  /** A day, of the zone, by transpiration. */
  readonly lossMm: number;
}

/** Days of which the pace is taken as that of the coming ones. */
const PACE_DAYS = 3;

/** The balance of the wetted zone over these days, from a deficit in it before the first. */
export function zoneBalance(
  zone: BalancedZone,
  startMm: number,
  days: readonly BalanceDay[],
): ZoneEstimate {
  const subject = subjectOf(zone);
  const surfaceMm = surfaceWithin(startMm, subject.options.surface);
  const start = stateAtStart(subject, { rootZoneMm: startMm, belowMm: null }, surfaceMm);
  const results = runBalance(subject, start, days);
  const deficitsMm = results.map(({ state }) => state.rootZoneMm);
  const deficitMm = deficitsMm.at(-1) ?? startMm;
  const lossMm = lossPerDay(zone, results);
  return { deficitMm, deficitsMm, daysToStress: daysToStress(zone, deficitMm, lossMm), lossMm };
}

function subjectOf({ crop, clock, layers, fractionWetted }: BalancedZone): BalanceSubject {
  return {
    crop,
    clock,
    layers,
    options: {
      surface: surfaceOfSoil(firstOf(layers)),
      reference: 'grass',
      adjustsDepletion: true,
      zoneFraction: fractionWetted,
      limitsEvaporation: true,
    },
  };
}

function lossPerDay(
  { fractionWetted }: BalancedZone,
  results: readonly { readonly transpirationMm: number }[],
): number {
  // The last day is today, of which a part is still to come.
  const recent = results.slice(-PACE_DAYS - 1, -1).map(({ transpirationMm }) => transpirationMm);
  return recent.length === 0 ? 0 : mean(recent) / fractionWetted;
}

function daysToStress(
  { crop, layers }: BalancedZone,
  deficitMm: number,
  lossMm: number,
): number | null {
  const readilyMm = crop.allowedDepletion * availableMm(layers, crop.rootsCm.max);
  if (deficitMm >= readilyMm) return 0;
  return lossMm === 0 ? null : Math.min(FORESEEABLE_DAYS, (readilyMm - deficitMm) / lossMm);
}
