import type {
  ParcelSettingsAnswer,
  ProbeSettingsAnswer,
  SettingsValues,
} from '../../schema/moisture/probe-settings.ts';
import { readDepthWeights } from '../../schema/moisture/probe-settings.ts';
import { englishFormat } from '../en/grammar.ts';
import { formatMinutes, formatShare } from '../number-format.ts';
import { joinSentences } from '../sentences.ts';
import { moduleName, parcelName, type SummaryContext } from '../summary-context.ts';
import { describeStart, describeValidFrom, formatDayOfYear, formatInstant } from '../time.ts';
import { settingsPhrases } from './settings-phrases.ts';

type SettingName = keyof SettingsValues;

export async function summarizeProbeSettings(
  answer: ProbeSettingsAnswer,
  context: SummaryContext,
): Promise<string> {
  return summarizeSettings(answer, await moduleName(context.directory, answer.moduleId), context);
}

export async function summarizeParcelSettings(
  answer: ParcelSettingsAnswer,
  context: SummaryContext,
): Promise<string> {
  const name = await parcelName(context.directory, answer.parcelId);
  return summarizeSettings(answer, settingsPhrases.ofParcel(name), context);
}

function summarizeSettings(
  { settings, validTo, before, defaults }: Omit<ProbeSettingsAnswer, 'moduleId'>,
  name: string,
  context: SummaryContext,
): string {
  const changed = Object.keys(before) as SettingName[];
  if (changed.length === 0) return settingsPhrases.unchanged(name);

  const changes = changed.map((setting) =>
    settingsPhrases.change(
      settingsPhrases.labels[setting],
      formatSetting(setting, before),
      formatSetting(setting, settings),
      settingsPhrases.defaults[setting] ??
        formatSetting(setting, defaults) ??
        settingsPhrases.noDefault,
    ),
  );

  const since =
    settings.validFrom === null
      ? describeStart(0, context)
      : describeValidFrom(settings.validFrom, context);
  return joinSentences([
    settingsPhrases.changed(name, changes, since),
    validTo === null
      ? null
      : settingsPhrases.until(formatInstant(Date.parse(validTo), context), context.zone),
  ]);
}

/** A service of the specification sends no settings. */
export function describeSettings({
  settings,
}: {
  readonly settings?: SettingsValues | undefined;
}): string[] {
  const { labels, perDay, inForce } = settingsPhrases;
  const texts = (Object.keys(labels) as SettingName[]).flatMap((setting) => {
    const text = settings === undefined ? null : formatSetting(setting, settings);
    return text === null
      ? []
      : [setting === 'hoursPerDay' ? perDay(text) : `${labels[setting]} ${text}`];
  });
  return texts.length === 0 ? [] : [inForce(texts)];
}

function formatSetting(name: SettingName, values: Partial<SettingsValues>): string | null {
  const value = values[name];
  if (value == null) return null;
  if (typeof value === 'object') return formatWeights(value);
  if (typeof value === 'string') return formatDayOfYear(value);
  if (name === 'rootDepthCm') return `${englishFormat.number(value)} cm`;
  if (name === 'hoursPerDay') return formatMinutes(60 * value);
  if (name === 'allowedDepletion') return formatShare(value);
  return `${englishFormat.number(value)} %`;
}

const formatWeights = (weights: readonly string[]): string =>
  englishFormat.list(
    readDepthWeights(weights).map(
      ({ depthCm, weight }) =>
        `${englishFormat.number(weight)} at ${englishFormat.number(depthCm)} cm`,
    ),
  );
