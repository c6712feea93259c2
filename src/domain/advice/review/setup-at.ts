import type { EquipmentFacts, SettingsFacts, SetupFacts } from '../../facts/probe-facts.ts';
import { adviceSettings } from '../advice.ts';
import { netShare } from '../watering-advice.ts';

const settingsAt = (
  { settingsVersions = [] }: Pick<SetupFacts, 'settingsVersions'>,
  at: number,
): SettingsFacts | null =>
  settingsVersions.find(({ validFrom }) => validFrom !== null && validFrom <= at) ?? null;

/** The share of applied water that served the roots. */
export const netShareAt = (setup: Pick<SetupFacts, 'settingsVersions'>, at: number): number =>
  netShare(adviceSettings(settingsAt(setup, at)));

/** In cm. A service without dated settings has the `present` depth alone. */
export const rootDepthAt = (
  setup: Pick<SetupFacts, 'settingsVersions'>,
  at: number,
  present: number | null,
): number | null =>
  setup.settingsVersions === undefined ? present : (settingsAt(setup, at)?.rootDepthCm ?? null);

/** The probe's own equipment, else that of its parcel. */
export function equipmentAt(
  { versions }: Pick<SetupFacts, 'versions'>,
  at: number,
): EquipmentFacts | null {
  const inForce = versions.filter(
    ({ validFrom, validTo }) => validFrom <= at && (validTo === null || at < validTo),
  );
  return inForce.find(({ scope }) => scope === 'module') ?? inForce[0] ?? null;
}
