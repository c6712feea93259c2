import { netShare } from '../../domain/advice/watering-advice.ts';
import { SETTING_DEFAULTS } from '../../domain/moisture/probe-settings.ts';
import type { IrrigationSetupBody, ProbeSettingsBody } from '../../schema/probe-settings.ts';

/** An earlier version of a remote service has no settings. */
export const adviceSettings = (settings: ProbeSettingsBody | null | undefined) => ({
  refillPercent: settings?.refillPercent ?? SETTING_DEFAULTS.refillPercent,
  efficiencyPercent: settings?.efficiencyPercent ?? SETTING_DEFAULTS.efficiencyPercent,
  leachingPercent: settings?.leachingPercent ?? SETTING_DEFAULTS.leachingPercent,
  hoursPerDay: settings?.hoursPerDay ?? SETTING_DEFAULTS.hoursPerDay,
});

const settingsOn = ({ settingsVersions = [] }: IrrigationSetupBody, at: number): ProbeSettingsBody | null =>
  settingsVersions.find(({ validFrom }) => validFrom !== null && Date.parse(validFrom) <= at) ?? null;

export const netShareOn = (setup: IrrigationSetupBody, at: number): number =>
  netShare(adviceSettings(settingsOn(setup, at)));

/** Undefined where a service has no dated settings. */
export const rootDepthOn = (setup: IrrigationSetupBody, at: number): number | null | undefined =>
  setup.settingsVersions === undefined ? undefined : (settingsOn(setup, at)?.rootDepthCm ?? null);
