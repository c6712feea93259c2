import { availableMm } from '../../balance/root-zone-soil.ts';
import { roundAmount } from '../../decimal.ts';
import type { DayEnd } from '../../facts/day-ends.ts';
import { LocalDay } from '../../local-day.ts';
import type { FarmConditions } from '../probe/farm-conditions.ts';
import type { BalanceErrorFacts } from '../reason.ts';
import { type BalancedProbe, balanceLayers, balanceSince, deficitAt } from './probe-balance.ts';

/*
 * How far a balance is off: two of three lie within. By the days since a measurement, over measured
 * cotton fields with the tables, station and lines of a grower (docs/validation.md): a week's error
 * grows like that of a random walk, until irrigation has filled the soil.
 */
const ERROR_AFTER_WEEK_MM = 12.5;
const LARGEST_ERROR_MM = 17;
const WEEK_DAYS = 7;

/**
 * In a small wetted zone an error of the whole area is concentrated, but no larger than this share
 * of what the zone can hold.
 */
const LARGEST_ERROR_SHARE = 0.2;

/** What an error depends on beside the days. */
export interface ErrorZone {
  readonly fractionWetted: number;
  readonly availableMm: number;
}

export function errorZone(probe: BalancedProbe): ErrorZone {
  const layers = balanceLayers(probe) ?? [];
  return {
    fractionWetted: probe.facts.setup.installation?.fractionWetted ?? 1,
    availableMm: availableMm(layers, layers.at(-1)?.bottomCm ?? 0),
  };
}

/** In mm of the wetted zone. */
export function usualErrorMm(days: number, zone: ErrorZone): number {
  const ofAreaMm = ERROR_AFTER_WEEK_MM * Math.sqrt(Math.max(1, days) / WEEK_DAYS);
  return Math.min(
    Math.min(LARGEST_ERROR_MM, ofAreaMm) / zone.fractionWetted,
    LARGEST_ERROR_SHARE * zone.availableMm,
  );
}

/** The usual error of a balance that has run for this many days, in a soil whose own error is unknown. */
export const usualError = (days: number, zone: ErrorZone): BalanceErrorFacts => ({
  errorMm: roundAmount(usualErrorMm(days, zone)),
  isErrorOwn: false,
});

const MIN_HINDCASTS = 4;
/** Hindcasts of the same fortnight overlap, so that few of them agree by chance. */
const MIN_SHARE_OF_USUAL = 0.25;
const WITHIN_SHARE = 2 / 3;

/**
 * Of the balance of a silent probe, by how far such balances were off before: each begins with what
 * it measured on an evening and ends on a later one, as many days apart as it is silent, up to a week.
 */
export function errorOfSilent(
  probe: BalancedProbe,
  days: number,
  farm: FarmConditions,
): BalanceErrorFacts {
  const zone = errorZone(probe);
  const leadDays = Math.min(Math.max(1, days), WEEK_DAYS);
  const errorsMm = hindcastErrorsMm(probe, leadDays, farm).sort((one, other) => one - other);
  const within = errorsMm[Math.ceil(WITHIN_SHARE * errorsMm.length) - 1];
  if (within === undefined || errorsMm.length < MIN_HINDCASTS) return usualError(days, zone);

  const usualMm = usualErrorMm(days, zone);
  const ofLeadMm = within * (usualMm / usualErrorMm(leadDays, zone));
  return {
    errorMm: roundAmount(Math.max(MIN_SHARE_OF_USUAL * usualMm, ofLeadMm)),
    isErrorOwn: true,
  };
}

function hindcastErrorsMm(probe: BalancedProbe, leadDays: number, farm: FarmConditions): number[] {
  const evenings = probe.facts.dayEnds.filter(({ at }) => at === undefined);
  const byDay = new Map(evenings.map((end) => [end.day, end]));
  const measuredMm = (end: DayEnd | undefined) =>
    end === undefined ? null : deficitAt(probe, end);
  return evenings.flatMap((start) => {
    const startMm = measuredMm(start);
    const endMm = measuredMm(byDay.get(LocalDay.parse(start.day).plus(leadDays).iso));
    if (startMm === null || endMm === null) return [];

    const answer = balanceSince(probe, startMm, start, farm);
    const computedMm = answer.ok ? answer.value.deficitsMm[leadDays - 1] : undefined;
    return computedMm === undefined ? [] : [Math.abs(computedMm - endMm)];
  });
}
