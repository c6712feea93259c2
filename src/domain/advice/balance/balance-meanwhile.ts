import { roundAmountOrNull, roundTo } from '../../decimal.ts';
import type { ProbeFacts } from '../../facts/probe-facts.ts';
import { adviceSettings } from '../advice-settings.ts';
import { MINUTE_DECIMALS, waterFor } from '../probe/advised-amounts.ts';
import type { FarmConditions } from '../probe/farm-conditions.ts';
import type { Meanwhile } from '../probe-advice.ts';
import { netShare } from '../watering-advice.ts';
import { balanceFromFullSoil } from './balance-from-full.ts';

/**
 * By a balance that no reading of the probe sets right: of the declared soil, since it was full.
 * Null where none is possible.
 */
export function meanwhileByBalance(
  { module, setup, recent, waterings }: ProbeFacts,
  farm: FarmConditions,
): Meanwhile | null {
  const layers = recent.depths.flatMap(({ slice, fieldCapacity, wiltingPoint }) =>
    slice === null || fieldCapacity === null || wiltingPoint === null
      ? []
      : [{ ...slice, fieldCapacity, wiltingPoint }],
  );
  const settings = adviceSettings(setup.settings);
  const answer = balanceFromFullSoil(
    {
      season: setup.cropSeason,
      rootDepthCm: recent.rootDepthCm,
      layers: layers.length === 0 ? null : layers,
      fractionWetted: setup.installation?.fractionWetted ?? 1,
      share: netShare(settings),
      waterings,
      rain: farm.isOutdoors(module.parcelId) ? farm.rainOn(module.parcelId) : [],
    },
    { now: farm.now, zone: farm.zone, weather: farm.weather, filledOn: null },
  );
  if ('needs' in answer) return null;

  const { deficitMm } = answer.estimate;
  const deficit = { deficitMm, withoutValue: [], withoutLayer: [] };
  const { waterMm, durationMin } = waterFor(deficit, settings, 0, setup.installation);
  if (waterMm === null) return null;
  return {
    basis: 'balance',
    moduleId: null,
    waterMm: roundAmountOrNull(waterMm),
    durationMin: durationMin === null ? null : roundTo(durationMin, MINUTE_DECIMALS),
  };
}
