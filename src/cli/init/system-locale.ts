import { isPlaceZone } from '../../domain/company/place-zones.ts';
import type { Environment } from '../process/environment.ts';

/** From the shell's locale ("fr_FR.UTF-8"), else from the system's; Linux has only the former. */
export function systemCountry(env: Environment, platform: NodeJS.Platform): string | null {
  const variable = env.LC_ALL || env.LC_MESSAGES || env.LANG;
  if (variable) return /^[a-z]{2,3}_([A-Z]{2})\b/.exec(variable)?.[1] ?? null;
  if (platform === 'linux') return null;
  return new Intl.Locale(Intl.DateTimeFormat().resolvedOptions().locale).region ?? null;
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
