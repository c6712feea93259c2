import type { SettingsFacts } from '../facts/probe-facts.ts';
import { SETTING_DEFAULTS } from '../moisture/probe-settings.ts';
import type { AdviceSettings } from './probe-advice.ts';

export const adviceSettings = (settings: SettingsFacts | null): AdviceSettings => ({
  refillPercent: settings?.refillPercent ?? SETTING_DEFAULTS.refillPercent,
  efficiencyPercent: settings?.efficiencyPercent ?? SETTING_DEFAULTS.efficiencyPercent,
  leachingPercent: settings?.leachingPercent ?? SETTING_DEFAULTS.leachingPercent,
  hoursPerDay: settings?.hoursPerDay ?? SETTING_DEFAULTS.hoursPerDay,
});
