import { type CivilDate, padTwo } from '../../domain/calendar.ts';
import type { LocalDay } from '../../domain/local-day.ts';
import { curveOf, type Measure } from '../../domain/moisture/measurement.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../domain/periods.ts';
import { civilAt } from '../../domain/time-zone.ts';
import type { Language } from '../en/index.ts';

export type ChartLabels = Language['chartLabels'];

/** One decimal at most. */
export const formatChartNumber = (value: number, { format }: ChartLabels): string =>
  format.number(Number(value.toFixed(1)));

export const formatChartValue = (value: number, measure: Measure, words: ChartLabels): string =>
  `${formatChartNumber(value, words)}\u00a0${curveOf(measure).symbol}`;

export const formatAxisDate = ({ month, day }: CivilDate, words: ChartLabels): string =>
  `${day} ${words.format.months('short')[month - 1]}`;

export const formatAxisWeekday = (day: LocalDay, words: ChartLabels): string =>
  `${words.format.weekdays('short')[day.weekday - 1]} ${day.civil.day}`;

export const formatAxisTime = (hour: number, minute: number): string =>
  `${padTwo(hour)}:${padTwo(minute)}`;

const MAX_PERIOD_WITH_HOURS_MS = 50 * HOUR_MS;

/**
 * "24 Jun – 1 Jul 2026"; short periods with hours. The end is excluded: at midnight, the day before
 * is the last.
 */
export function formatChartPeriod(
  start: number,
  end: number,
  zone: string,
  words: ChartLabels,
): string {
  const from = civilAt(start, zone);
  if (end - start <= MAX_PERIOD_WITH_HOURS_MS) {
    const to = civilAt(end, zone);
    const [begins, ends] = [from, to].map(({ hour, minute }) => formatAxisTime(hour, minute));
    const [first, last] = [from, to].map((day) => `${formatAxisDate(day, words)} ${day.year}`);
    return first === last
      ? `${first}, ${begins} – ${ends}`
      : `${first}, ${begins} – ${last}, ${ends}`;
  }

  const to = civilAt(end - 1, zone);
  const [first, last] = [from, to].map((date) => formatAxisDate(date, words));
  const opening = from.year === to.year ? first : `${first} ${from.year}`;

  return opening === last ? `${last} ${to.year}` : `${opening} – ${last} ${to.year}`;
}

/** "26 hours", from two days on "3 days". */
export const formatChartAge = (ageMs: number, words: ChartLabels): string =>
  ageMs < 2 * DAY_MS
    ? words.age(Math.floor(ageMs / HOUR_MS), 'hour')
    : words.age(Math.floor(ageMs / DAY_MS), 'day');

/** "15 minutes", "6 hours", "1 day". */
export function formatBucketLength(lengthMs: number, words: ChartLabels): string {
  if (lengthMs % DAY_MS === 0) return words.age(lengthMs / DAY_MS, 'day');
  return lengthMs % HOUR_MS === 0
    ? words.age(lengthMs / HOUR_MS, 'hour')
    : words.age(Math.round(lengthMs / MINUTE_MS), 'minute');
}
