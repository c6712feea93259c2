import { isPlaceZone } from '../../domain/company/place-zones.ts';
import { LANGS, type Lang } from '../../domain/lang.ts';
import type { Environment } from '../process/environment.ts';

/** From the shell's locale ("fr_FR.UTF-8"), else from the system's; Linux has only the former. */
function systemLocale(env: Environment, platform: NodeJS.Platform): Intl.Locale | null {
  const variable = env.LC_ALL || env.LC_MESSAGES || env.LANG;
  const [, language, country] = /^([a-z]{2,3})(?:_([A-Z]{2})\b)?/.exec(variable ?? '') ?? [];
  if (language !== undefined)
    return new Intl.Locale(language, country === undefined ? {} : { region: country });
  if (variable || platform === 'linux') return null;
  return new Intl.Locale(Intl.DateTimeFormat().resolvedOptions().locale);
}

export const systemCountry = (env: Environment, platform: NodeJS.Platform): string | null =>
  systemLocale(env, platform)?.region ?? null;

/** Null for a language that Acequia does not speak. */
export function systemLang(env: Environment, platform: NodeJS.Platform): Lang | null {
  const language = systemLocale(env, platform)?.language;
  return LANGS.find((lang) => lang === language) ?? null;
}

interface LocaleZones {
  readonly timeZones?: readonly string[];
  /** Replaces `timeZones` since Node 23. */
  getTimeZones?(): readonly string[];
}

/**
 * The zone of the country if it has only one, else that of the system. Null for UTC,
 * which servers use, and for an abbreviation.
 */
export function defaultTimeZone(country: string | null): string | null {
  const locale =
    country === null ? null : (new Intl.Locale(`und-${country}`) as Intl.Locale & LocaleZones);
  const zones = locale?.getTimeZones?.() ?? locale?.timeZones ?? [];
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const zone = zones.length === 1 ? zones[0] : timeZone;
  return zone !== undefined && isPlaceZone(zone) ? zone : null;
}
