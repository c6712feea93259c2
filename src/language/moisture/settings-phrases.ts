import type { SettingsValues } from '../../schema/moisture/probe-settings.ts';
import { nextCall } from '../next-calls.ts';

type Setting = keyof SettingsValues;

export const settingsPhrases = {
  labels: {
    rootDepthCm: 'root depth',
    depthWeights: 'weights',
    allowedDepletion: 'allowed depletion',
    refillPercent: 'refill',
    efficiencyPercent: 'efficiency',
    leachingPercent: 'leaching',
    hoursPerDay: 'longest watering a day',
    restFrom: 'first day of rest',
    restUntil: 'last day of rest',
  } as Readonly<Record<Setting, string>>,
  /** Settings whose default is not a figure. */
  defaults: {
    rootDepthCm: 'down to the deepest sensor',
    depthWeights: 'by root depth, or all depths alike without one',
    efficiencyPercent: '100 %, no losses',
  } as Readonly<Partial<Record<Setting, string>>>,
  noDefault: 'none',
  ofParcel: (name: string) => `${name}, where its probes have no settings of their own`,
  perDay: (duration: string) => `at most ${duration} a day`,
  inForce: (values: readonly string[]) => `Settings: ${values.join('; ')}.`,
  change: (label: string, from: string | null, to: string | null, byDefault: string) =>
    to === null
      ? `${label} unset, it was ${from} (now the default: ${byDefault})`
      : `${label} ${from === null ? `${to}, not set before` : `from ${from} to ${to}`} (default: ${byDefault})`,
  changed: (name: string, changes: readonly string[], since: string) =>
    `${name}, ${since}: ${changes.join('; ')}.`,
  until: (instant: string, zone: string) =>
    `Later settings still apply from ${instant} (${zone}) on.`,
  withoutEffect:
    'It measures no soil moisture, so no deficit is computed and these settings have no effect: was another probe meant?',
  rootsBelowSensors: (rootDepth: string, deepest: string) =>
    `Its deepest sensor is at ${deepest} cm: the moisture from there down to ${rootDepth} cm is taken to be the same.`,
  rootsTooDeep: (set: string, crop: string, usual: string) =>
    `Roots of ${set} cm are deeper than usual: FAO-56 has ${usual} cm for a grown crop (${crop}), and young plants have less. The amount of water depends on it: dig, and set what you find.`,
  noRootDepth: (crop: string, usual: string) =>
    `No root depth is set for this parcel: FAO-56 has ${usual} cm for a grown crop (${crop}), and young plants have less. The amount of water depends on it: dig, and say how deep they are.${nextCall('set_parcel', 'rootDepthCm')}`,
  rootsOfProbesDiffer: (probes: string) =>
    `It counts where no probe measures: advice at ${probes} of this parcel goes by settings with another root depth, or none.${nextCall('set_probe_settings', 'rootDepthCm')}`,
  harvestAhead: (day: string) =>
    `The harvest on ${day} is still to come: until then the crop is advised on as before.`,
  unchanged: (name: string) => `Nothing changed: ${name} already has these settings.`,
};
