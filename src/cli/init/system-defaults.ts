import { isUtcZone } from '../../domain/time-zone.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** From the locale of the shell ("fr_FR.UTF-8"), else that of the system, which Linux says in the shell alone. */
export function systemCountry(env: Environment, platform: NodeJS.Platform): string | null {
  const variable = env.LC_ALL || env.LC_MESSAGES || env.LANG;
  if (variable) return /^[a-z]{2,3}_([A-Z]{2})\b/.exec(variable)?.[1] ?? null;
  if (platform === 'linux') return null;
  return new Intl.Locale(Intl.DateTimeFormat().resolvedOptions().locale).region ?? null;
}

/** Null for UTC: that is how servers and containers are set, and no farm is there. */
export function systemTimeZone(): string | null {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return timeZone === undefined || isUtcZone(timeZone) ? null : timeZone;
}
