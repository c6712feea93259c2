import { FORESEEABLE_DAYS } from '../domain/advice/watering-advice.ts';
import { withoutNulls } from '../domain/items.ts';
import { DEFAULT_LANG, type Lang } from '../domain/lang.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../domain/periods.ts';
import { languageOf } from './index.ts';

// The rules by which sentences round. Structured results keep the exact values. A person's text
// names the language; without one it is English, as all that a model reads.

export const formatNumber = (value: number | string, lang: Lang = DEFAULT_LANG): string =>
  languageOf(lang).format.number(value);

const round = (value: number, decimals: number): number => Number(value.toFixed(decimals));

/**
 * One decimal, two below 1, none from 100 on: finer than any watering is measured, and enough to
 * check a dose by hand.
 */
export const sensibleAmount = (value: number): number => round(value, decimalsOfAmount(value));

export function decimalsOfAmount(value: number): number {
  const size = Math.abs(value);
  if (size >= 100) return 0;
  return size < 1 ? 2 : 1;
}

/** A recorded amount. */
export const formatAmount = (value: number, lang: Lang = DEFAULT_LANG): string =>
  formatNumber(sensibleAmount(value), lang);

/** An amount computed from the soil: two digits, whole units from 10 on. */
export function formatEstimate(value: number, lang: Lang = DEFAULT_LANG): string {
  const size = Math.abs(value);
  if (size >= 10) return formatNumber(round(value, 0), lang);
  return formatNumber(round(value, size >= 1 ? 1 : 2), lang);
}

/** One decimal, as in measured moisture; also for the thresholds of the soil. */
export const sensibleMoisture = (percent: number): number => round(percent, 1);

export const formatMoisture = (percent: number, lang: Lang = DEFAULT_LANG): string =>
  formatNumber(sensibleMoisture(percent), lang);

/** Three digits: a flow rate is computed from the label of an emitter. */
export const formatRate = (value: number, lang: Lang = DEFAULT_LANG): string =>
  formatNumber(Number(value.toPrecision(3)), lang);

/** "35 %" for 0.35. */
export const formatShare = (share: number, lang: Lang = DEFAULT_LANG): string =>
  `${formatRate(100 * share, lang)} %`;

/** An amount or area as it was entered, to three digits and whole from 100 on: 318 m3 for 350 gpm in 4 h. */
export const formatEntered = (value: number, lang: Lang = DEFAULT_LANG): string =>
  formatNumber(Math.abs(value) < 100 ? Number(value.toPrecision(3)) : round(value, 0), lang);

export const PRECISE_DIGITS = 6;

/** Keeps the decimals of an entered figure, up to six digits. */
export const formatPrecise = (value: number, lang: Lang = DEFAULT_LANG): string =>
  formatNumber(Number(value.toPrecision(PRECISE_DIGITS)), lang);

/** "45 min", "2 h", "5 h 15 min"; every language writes these units alike. */
export function formatMinutes(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return withoutNulls([
    hours === 0 ? null : `${hours} h`,
    hours > 0 && rest === 0 ? null : `${rest} min`,
  ]).join(' ');
}

/** Computed minutes, at least 1: in steps of 5 min from an hour on, of an hour from a day on. */
export function formatAdvisedMinutes(minutes: number): string {
  if (minutes === 0) return formatMinutes(0);
  if (minutes < 59.5) return formatMinutes(Math.max(1, Math.round(minutes)));
  const step = minutes < 24 * 60 ? 5 : 60;
  return formatMinutes(Math.round(minutes / step) * step);
}

/** "less than a day", "about 4 days", "more than two weeks": a drying rate is no more precise. */
export function formatDaysAhead(days: number, lang: Lang = DEFAULT_LANG): string {
  const { lessThanADay, aboutDays, moreThanTwoWeeks } = languageOf(lang).time;
  if (days < 1) return lessThanADay;
  return days >= FORESEEABLE_DAYS ? moreThanTwoWeeks : aboutDays(Math.round(days));
}

/** A total time: "15 min", "37 h", from two days on "13 days". */
export function formatTotalHours(hours: number, lang: Lang = DEFAULT_LANG): string {
  const ms = hours * HOUR_MS;
  return ms < 2 * DAY_MS
    ? formatAdvisedMinutes(ms / MINUTE_MS)
    : languageOf(lang).format.duration(Math.round(ms / DAY_MS), 'day');
}
