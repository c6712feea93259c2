import type { BalanceLayers } from '../../balance/root-zone-soil.ts';
import { roundAmountOrNull, roundTo } from '../../decimal.ts';
import type { DayEnd } from '../../facts/day-ends.ts';
import type { DepthFacts, ProbeFacts } from '../../facts/probe-facts.ts';
import { LocalDay } from '../../local-day.ts';
import { DAY_DECIMALS, MINUTE_DECIMALS, waterFor } from '../probe/advised-amounts.ts';
import type { FarmConditions } from '../probe/farm-conditions.ts';
import { adviceSettings, type BalanceNeed, type Meanwhile } from '../probe-advice.ts';
import { netShare, rootZoneDeficit } from '../watering-advice.ts';
import { balanceDays, type DaysOrGap, type WaterAndWeather } from './balance-days.ts';
import { balanceFromFullSoil, type FullSoilAnswer } from './balance-from-full.ts';
import { type BalanceEstimate, growingCrop, growthClock, zoneBalance } from './zone-balance.ts';

export type BalanceAnswer =
  | { readonly estimate: BalanceEstimate }
  | { readonly needs: readonly BalanceNeed[] };

/** A probe with what its deficit is measured by. */
export interface BalancedProbe {
  readonly facts: ProbeFacts;
  /** With the field capacities that count. */
  readonly depths: readonly DepthFacts[];
  /** In m3/m3; null where none is drawn. */
  readonly drawnFieldCapacity: number | null;
}

/** The balance until now since the end of a day on which the probe measured `startMm`. */
export function balanceSince(
  probe: BalancedProbe,
  startMm: number,
  endOf: string,
  farm: FarmConditions,
): BalanceAnswer {
  const { setup, recent } = probe.facts;
  const since = LocalDay.parse(endOf).next().iso;
  const crop = setup.cropSeason?.crop ?? null;
  const clock =
    setup.cropSeason === null || crop === null ? null : growthClock(setup.cropSeason, crop, since);
  const layers = balanceLayers(probe);
  const after = daysSince(since, probe.facts, farm);

  if (
    crop === null ||
    clock === null ||
    layers === null ||
    recent.rootDepthCm === null ||
    'gap' in after
  ) {
    const needs: (BalanceNeed | null)[] = [
      crop === null ? 'crop' : null,
      crop !== null && clock === null ? 'stage' : null,
      recent.rootDepthCm === null ? 'root_depth' : null,
      layers === null ? 'soil' : null,
      'gap' in after ? after.gap : null,
    ];
    return { needs: needs.filter((need) => need !== null) };
  }

  const zone = {
    crop: growingCrop(crop, recent.rootDepthCm),
    clock,
    layers,
    fractionWetted: setup.installation?.fractionWetted ?? 1,
  };
  return { estimate: { since, ...zoneBalance(zone, startMm, after.days) } };
}

/** The measured deficit at the end of a day; null where too little was measured. */
export const deficitAt = (
  { depths, drawnFieldCapacity }: BalancedProbe,
  { moistures }: DayEnd,
): number | null => {
  const slices = depths.flatMap(({ depthCm, slice, fieldCapacity }) => {
    const moisture = moistures.find((measured) => measured.depthCm === depthCm)?.value ?? null;
    return slice === null ? [] : [{ ...slice, fieldCapacity, moisture }];
  });
  return rootZoneDeficit(slices, drawnFieldCapacity)?.deficitMm ?? null;
};

/** Null where field capacity or wilting point of a slice is unknown. */
export function balanceLayers({ depths, facts: { state } }: BalancedProbe): BalanceLayers | null {
  const toShare = (percent: number | null): number | null => percent && percent / 100;
  const slices = depths.flatMap(({ slice, fieldCapacity, wiltingPoint }) =>
    slice === null
      ? []
      : [
          {
            ...slice,
            fieldCapacity: fieldCapacity ?? toShare(state.fieldCapacity),
            wiltingPoint: wiltingPoint ?? toShare(state.wiltingPoint),
          },
        ],
  );
  const known = slices.flatMap(({ fieldCapacity, wiltingPoint, ...slice }) =>
    fieldCapacity === null || wiltingPoint === null || wiltingPoint >= fieldCapacity
      ? []
      : [{ ...slice, fieldCapacity, wiltingPoint }],
  );
  return known.length === 0 || known.length < slices.length ? null : known;
}

const daysSince = (since: string, facts: ProbeFacts, farm: FarmConditions): DaysOrGap =>
  balanceDays(since, {
    ...pastOfProbe(facts, farm),
    fractionWetted: facts.setup.installation?.fractionWetted ?? 1,
    share: netShare(adviceSettings(facts.setup.settings)),
  });

/**
 * By a balance that no reading of the probe sets right: of the declared soil, since it was full.
 * Null where none is possible.
 */
export function meanwhileByBalance(facts: ProbeFacts, farm: FarmConditions): Meanwhile | null {
  const layers = facts.recent.depths.flatMap(({ slice, fieldCapacity, wiltingPoint }) =>
    slice === null || fieldCapacity === null || wiltingPoint === null
      ? []
      : [{ ...slice, fieldCapacity, wiltingPoint }],
  );
  const answer = fullSoilOfProbe(facts, layers.length === 0 ? null : layers, farm);
  if ('needs' in answer) return null;

  const { setup } = facts;
  const { deficitMm, daysToStress } = answer.estimate;
  const deficit = { deficitMm, withoutValue: [], withoutLayer: [] };
  const settings = adviceSettings(setup.settings);
  const { waterMm, durationMin } = waterFor(deficit, settings, 0, setup.installation);
  if (waterMm === null) return null;
  return {
    basis: 'balance',
    moduleId: null,
    waterMm: roundAmountOrNull(waterMm),
    durationMin: durationMin === null ? null : roundTo(durationMin, MINUTE_DECIMALS),
    daysToStress: daysToStress === null ? null : roundTo(daysToStress, DAY_DECIMALS),
  };
}

/** The balance of the soil of a probe since it was full, whatever the probe measures. */
export function fullSoilOfProbe(
  facts: ProbeFacts,
  layers: BalanceLayers | null,
  farm: FarmConditions,
): FullSoilAnswer {
  const { setup, recent } = facts;
  const { rain, waterings, ...past } = pastOfProbe(facts, farm);
  return balanceFromFullSoil(
    {
      season: setup.cropSeason,
      rootDepthCm: recent.rootDepthCm,
      layers,
      fractionWetted: setup.installation?.fractionWetted ?? 1,
      share: netShare(adviceSettings(setup.settings)),
      waterings,
      rain,
    },
    { ...past, filledOn: null },
  );
}

/** The weather, and the water that reached the soil of a probe, as far back as its balance may begin. */
export function pastOfProbe(
  { module: { parcelId }, waterings, earlierWaterings }: ProbeFacts,
  farm: FarmConditions,
): Pick<WaterAndWeather, 'now' | 'zone' | 'weather' | 'rain' | 'waterings'> {
  const past = farm.longPast ?? farm;
  return {
    now: past.now,
    zone: past.zone,
    weather: past.weather,
    rain: past.isOutdoors(parcelId) ? past.rainOn(parcelId) : [],
    waterings: [...earlierWaterings, ...waterings],
  };
}
