import type { SettingsFacts, SetupFacts } from '../../facts/probe-facts.ts';
import { adviceSettings } from '../probe/advise-probe.ts';
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

/** That of the probe's own equipment, else of its parcel's; null without any. */
export function wettedFractionAt(
  { versions }: Pick<SetupFacts, 'versions'>,
  at: number,
): number | null {
  const inForce = versions.filter(
    ({ validFrom, validTo }) => validFrom <= at && (validTo === null || at < validTo),
  );
  const effective = inForce.find(({ scope }) => scope === 'module') ?? inForce[0];
  return effective?.fractionWetted ?? null;
}
