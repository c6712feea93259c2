import type { BalanceLayers } from '../../balance/root-zone-soil.ts';
import { roundAmountOrNull, roundTo } from '../../decimal.ts';
import type { ProbeFacts } from '../../facts/probe-facts.ts';
import { adviceSettings } from '../advice-settings.ts';
import { DAY_DECIMALS, MINUTE_DECIMALS, waterFor } from '../probe/advised-amounts.ts';
import type { FarmConditions } from '../probe/farm-conditions.ts';
import type { Meanwhile } from '../probe-advice.ts';
import { netShare } from '../watering-advice.ts';
import { balanceFromFullSoil, type FullSoilAnswer } from './balance-from-full.ts';
import { pastOfProbe } from './balance-past.ts';

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
