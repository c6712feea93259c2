import type { BalanceLayers } from '../../balance/root-zone-soil.ts';
import { waterUseBefore } from '../../balance/water-use.ts';
import { roundAmountOrNull, roundTo } from '../../decimal.ts';
import type { DayEnd } from '../../facts/day-ends.ts';
import type { DepthFacts, ProbeFacts } from '../../facts/probe-facts.ts';
import { drawnFieldCapacity } from '../../facts/probe-state.ts';
import { LocalDay } from '../../local-day.ts';
import { failure, ok, type Result } from '../../result.ts';
import { adviceSettings, type Meanwhile } from '../advice.ts';
import type { FarmConditions } from '../probe/farm-conditions.ts';
import { DAY_DECIMALS, MINUTE_DECIMALS, waterFor } from '../probe/water-amounts.ts';
import type { BalanceNeed } from '../reason.ts';
import { netShare, rootZoneDeficit } from '../watering-advice.ts';
import { balanceDays } from './balance-days.ts';
import { balanceFromFullSoil, type FullSoilAnswer } from './balance-from-full.ts';
import {
  type BalanceEstimate,
  knownZone,
  type WettedRootZone,
  zoneBalance,
} from './zone-balance.ts';

export type BalanceAnswer = Result<BalanceEstimate, readonly BalanceNeed[]>;

/** A probe with what its deficit is measured by. */
export interface BalancedProbe {
  readonly facts: ProbeFacts;
  /** With the field capacities that count. */
  readonly depths: readonly DepthFacts[];
}

/** The balance until now since the newest values of a day, by which the soil lacked `startMm`. */
export function balanceSince(
  probe: BalancedProbe,
  startMm: number,
  { day, at }: DayEnd,
  farm: FarmConditions,
): BalanceAnswer {
  const since = at === undefined ? LocalDay.parse(day).next().iso : day;
  const { facts, past } = zoneOfProbe(probe.facts, balanceLayers(probe), farm);
  const zone = knownZone({ day: since }, facts, past);
  const days = balanceDays({ day: since, after: at }, facts, past);
  const waterUse = probe.facts.waterUse && waterUseBefore(probe.facts.waterUse, since);
  if (!zone.ok || !days.ok)
    return failure([...(zone.ok ? [] : zone.failure), ...(days.ok ? [] : [days.failure])]);

  const balanced = { ...zone.value, days: days.value, useShare: waterUse ?? 1 };
  return ok({ since, waterUse, ...zoneBalance(balanced, startMm) });
}

/** The measured deficit at the end of a day; null where too little was measured. */
export const deficitAt = (
  { depths, facts: { state } }: BalancedProbe,
  { moistures }: Pick<DayEnd, 'moistures'>,
): number | null => {
  const slices = depths.flatMap(({ depthCm, slice, fieldCapacity }) => {
    const moisture = moistures.find((measured) => measured.depthCm === depthCm)?.value ?? null;
    return slice === null ? [] : [{ ...slice, fieldCapacity, moisture }];
  });
  return rootZoneDeficit(slices, drawnFieldCapacity(state))?.deficitMm ?? null;
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

/**
 * By a balance that no reading of the probe sets right: of the declared soil, since it was full.
 * Null where none is possible, or it is not known whether rain fell on it.
 */
export function meanwhileByBalance(facts: ProbeFacts, farm: FarmConditions): Meanwhile | null {
  if ((farm.longPast ?? farm).isRainInQuestion(facts.module.parcelId)) return null;

  const layers = facts.recent.depths.flatMap(({ slice, fieldCapacity, wiltingPoint }) =>
    slice === null || fieldCapacity === null || wiltingPoint === null
      ? []
      : [{ ...slice, fieldCapacity, wiltingPoint }],
  );
  const answer = fullSoilOfProbe(facts, layers.length === 0 ? null : layers, farm);
  if (!answer.ok) return null;

  const { setup } = facts;
  const { daysToStress } = answer.value;
  const settings = adviceSettings(setup.settings);
  const { waterMm, durationMin } = waterFor(answer.value, settings, 0, setup.installation);
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
  probe: ProbeFacts,
  layers: BalanceLayers | null,
  farm: FarmConditions,
): FullSoilAnswer {
  const { facts, past } = zoneOfProbe(probe, layers, farm);
  return balanceFromFullSoil(facts, { ...past, filledOn: null });
}

/** With the weather, and the water that reached the soil, as far back as its balance may begin. */
export function zoneOfProbe(
  { module: { parcelId }, setup, recent, waterings, earlierWaterings }: ProbeFacts,
  layers: BalanceLayers | null,
  farm: FarmConditions,
): { readonly facts: WettedRootZone; readonly past: FarmConditions } {
  const past = farm.longPast ?? farm;
  return {
    facts: {
      season: setup.cropSeason,
      rootDepthCm: recent.rootDepthCm,
      layers,
      allowedDepletion: setup.settings?.allowedDepletion ?? null,
      fractionWetted: setup.installation?.fractionWetted ?? 1,
      share: netShare(adviceSettings(setup.settings)),
      waterings: [...earlierWaterings, ...waterings],
      rain: past.rainInto(parcelId, setup.settings),
      settings: setup.settings,
    },
    past,
  };
}
