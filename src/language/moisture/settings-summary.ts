import type { ProbeSettingsAnswer, SettingsValues } from '../../schema/moisture/probe-settings.ts';
import { formatWeights } from '../company/place-summary.ts';
import { languageOf } from '../index.ts';
import { formatMinutes } from '../number-format.ts';
import { moduleName, type SummaryContext } from '../summary-context.ts';
import { describeValidFrom, formatInstant } from '../time.ts';

type SettingName = keyof SettingsValues;

export async function summarizeProbeSettings(
  answer: ProbeSettingsAnswer,
  context: SummaryContext,
): Promise<string> {
  const { moduleId, settings, validTo, before, defaults } = answer;
  const phrases = languageOf(context.lang).settings;
  const name = await moduleName(context.directory, moduleId);
  const changed = Object.keys(before) as SettingName[];
  if (changed.length === 0) return phrases.unchanged(name);

  const changes = changed.map((setting) =>
    phrases.change(
      phrases.labels[setting],
      formatSetting(setting, before, context),
      formatSetting(setting, settings, context),
      phrases.defaults[setting] ?? formatSetting(setting, defaults, context)!,
    ),
  );

  return [
    phrases.changed(name, changes, describeValidFrom(settings.validFrom!, context)),
    ...(validTo === null
      ? []
      : [phrases.until(formatInstant(Date.parse(validTo), context), context.zone)]),
  ].join(' ');
}

/** An earlier version of a remote service sends no settings. */
export function describeSettings(
  { settings }: { readonly settings?: SettingsValues | undefined },
  context: SummaryContext,
): string[] {
  const { labels, perDay, inForce } = languageOf(context.lang).settings;
  const texts = (Object.keys(labels) as SettingName[]).flatMap((setting) => {
    const text = settings === undefined ? null : formatSetting(setting, settings, context);
    return text === null
      ? []
      : [setting === 'hoursPerDay' ? perDay(text) : `${labels[setting]} ${text}`];
  });
  return texts.length === 0 ? [] : [inForce(texts)];
}

function formatSetting(
  name: SettingName,
  values: Partial<SettingsValues>,
  { lang }: SummaryContext,
): string | null {
  const { format } = languageOf(lang);
  const value = values[name];
  if (value == null) return null;
  if (typeof value === 'object') return formatWeights(value, { lang });
  if (name === 'rootDepthCm') return `${format.number(value)} cm`;
  if (name === 'hoursPerDay') return formatMinutes(60 * value);
  return `${format.number(name === 'allowedDepletion' ? Math.round(1000 * value) / 10 : value)} %`;
}
