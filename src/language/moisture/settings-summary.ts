import { withoutNulls } from '../../domain/items.ts';
import type { Mulch } from '../../domain/moisture/mulch.ts';
import { keysOf } from '../../domain/records.ts';
import { exact, minutes, share } from '../../domain/text/figures.ts';
import { join, list, name, say, sentences } from '../../domain/text/say.ts';
import type { List, Text } from '../../domain/text/text.ts';
import { dayOfYear, fromTime, timeWithZone } from '../../domain/text/times.ts';
import {
  type ParcelSettingsAnswer,
  type ProbeSettingsAnswer,
  type ProbeSettingsBody,
  readFigures,
  type SettingsValues,
} from '../../schema/moisture/setting-fields.ts';
import { describeWeights } from '../company/farm-entry-summary.ts';
import type { SummaryContext } from '../summary-context.ts';
import { moduleText, parcelText } from '../text/names-of-farm.ts';
import { describeWaterTimes } from './water-times-summary.ts';

type Setting = keyof SettingsValues;

export const SETTING_LABELS: Readonly<Record<Setting, Text>> = {
  rootDepthCm: say`root depth`,
  depthWeights: say`weights`,
  stonesByDepth: say`stones`,
  emitterDepthCm: say`depth of emitters`,
  mulch: say`mulch`,
  allowedDepletion: say`allowed depletion`,
  refillPercent: say`refill`,
  efficiencyPercent: say`efficiency`,
  leachingPercent: say`leaching`,
  hoursPerDay: say`longest watering a day`,
  restFrom: say`first day of rest`,
  restUntil: say`last day of rest`,
  waterTimes: say`water`,
  waterSource: say`source of water`,
};

const MULCH_WORDS: Readonly<Record<Mulch, Text>> = {
  none: say`none`,
  organic: say`organic`,
  plastic: say`plastic`,
};

/** Defaults that are no figures. */
const DEFAULTS: Readonly<Partial<Record<Setting, Text>>> = {
  rootDepthCm: say`down to the deepest sensor`,
  depthWeights: say`by root depth, or all depths alike without one`,
  emitterDepthCm: say`on the surface`,
  efficiencyPercent: say`100 %, no losses`,
};

export const summarizeProbeSettings = async (
  answer: ProbeSettingsAnswer,
  { directory }: SummaryContext,
): Promise<Text> => summarizeSettings(answer, await moduleText(directory, answer.moduleId));

export async function summarizeParcelSettings(
  answer: ParcelSettingsAnswer,
  { directory }: SummaryContext,
): Promise<Text> {
  const parcel = await parcelText(directory, answer.parcelId);
  return summarizeSettings(answer, say`${parcel}, where its probes have no settings of their own`);
}

function summarizeSettings(
  { settings, validTo, before, defaults }: Omit<ProbeSettingsAnswer, 'moduleId'>,
  name: Text,
): Text {
  const changed = keysOf<Setting>(before);
  if (changed.length === 0) return say`Nothing changed: ${name} already has these settings.`;

  const changes = changed.map((setting) => {
    const byDefault = DEFAULTS[setting] ?? describeSetting(setting, defaults) ?? say`none`;
    const change = describeChange(setting, before, settings, byDefault);
    return say`${SETTING_LABELS[setting]} ${change}`;
  });
  return sentences([
    say`${name}, ${fromTime(settings.validFrom ?? 0)}: ${join(changes, say`; `)}.`,
    validTo === null ? null : say`Later settings still apply from ${timeWithZone(validTo)} on.`,
  ]);
}

function describeChange(
  setting: Setting,
  before: Partial<SettingsValues>,
  after: Partial<SettingsValues>,
  byDefault: Text,
): Text {
  const from = describeSetting(setting, before);
  const to = describeSetting(setting, after);
  if (to === null) return say`unset, it was ${from} (now the default: ${byDefault})`;
  if (from === null) return say`${to}, not set before (default: ${byDefault})`;

  const depths = withoutNulls([before.rootDepthCm ?? null, after.rootDepthCm ?? null]);
  const both = setting === 'rootDepthCm' ? exact(depths, 'cm', 'to') : say`${from} to ${to}`;
  return say`from ${both} (default: ${byDefault})`;
}

/** A service of the specification sends no settings. `settingsVersions` are most recent first. */
export function describeSettings(
  {
    settings,
    settingsVersions = [],
  }: {
    readonly settings?: SettingsValues | undefined;
    readonly settingsVersions?: readonly ProbeSettingsBody[] | undefined;
  },
  now: number,
): Text[] {
  const inForce = keysOf<Setting>(SETTING_LABELS).map((setting) =>
    settings === undefined ? null : describeSettingInForce(setting, settings),
  );
  return [
    ...(inForce.every((text) => text === null) ? [] : [say`Settings: ${join(inForce, say`; `)}.`]),
    ...describeSettingsAhead(settings ?? {}, settingsVersions.toReversed(), now),
  ];
}

function describeSettingInForce(setting: Setting, values: Partial<SettingsValues>): Text | null {
  const value = describeSetting(setting, values);
  if (value === null || setting === 'waterTimes') return value;
  return setting === 'hoursPerDay'
    ? say`at most ${value} a day`
    : say`${SETTING_LABELS[setting]} ${value}`;
}

/** What each version that is still to begin changes. `versions` are oldest first. */
function describeSettingsAhead(
  inForce: Partial<SettingsValues>,
  versions: readonly ProbeSettingsBody[],
  now: number,
): Text[] {
  const ahead = versions.filter(({ validFrom }) => Date.parse(validFrom ?? '') > now);
  return ahead.flatMap((version, index) => {
    const before = ahead[index - 1] ?? inForce;
    const changed = keysOf<Setting>(SETTING_LABELS).filter(
      (setting) => JSON.stringify(version[setting]) !== JSON.stringify(before[setting] ?? null),
    );
    if (changed.length === 0) return [];
    const changes = changed.map(
      (setting) =>
        describeSettingInForce(setting, version) ?? say`${SETTING_LABELS[setting]} no longer set`,
    );
    return [say`Ahead, ${fromTime(version.validFrom ?? 0)}: ${join(changes, say`; `)}.`];
  });
}

const describeStones = (stones: readonly string[]): List =>
  list(
    readFigures(stones).map(({ depthCm, figure }) =>
      depthCm === 0
        ? say`${exact(figure, '%')} from the surface`
        : say`${exact(figure, '%')} from ${exact(depthCm, 'cm')} down`,
    ),
  );

function describeSetting(setting: Setting, values: Partial<SettingsValues>): Text | null {
  const value = values[setting];
  if (value == null) return null;
  if (typeof value === 'object' && 'everyHours' in value) return describeWaterTimes(value);
  if (typeof value === 'object')
    return say`${setting === 'stonesByDepth' ? describeStones(value) : describeWeights(value)}`;
  if (setting === 'waterSource') return say`${name(String(value))}`;
  if (setting === 'mulch' && values.mulch != null) return MULCH_WORDS[values.mulch];
  if (typeof value === 'string') return say`${dayOfYear(value)}`;
  if (setting === 'rootDepthCm' || setting === 'emitterDepthCm') return say`${exact(value, 'cm')}`;
  if (setting === 'hoursPerDay') return say`${minutes(60 * value)}`;
  if (setting === 'allowedDepletion') return say`${share(value)}`;
  return say`${exact(value, '%')}`;
}
