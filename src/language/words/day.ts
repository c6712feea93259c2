import { addCivilDays, type CivilDate, daysBetween, epochDay, isCivilDate, weekdayOf } from '../../domain/calendar.ts';
import { describeDate } from '../iso-date-time.ts';
import type { LanguageWords } from './language-words.ts';
import { figureValue, NUMBER, NUMBER_WORD, normalizeWords } from './number.ts';

import {
  type DayWord,
  errorToken,
  fillTemplate,
  type Groups,
  offsetToken,
  type TimeToken,
  type Weekday,
  type WordRule,
  wordRule,
} from './word-rule.ts';

/** "next Friday" on a Wednesday means this week's to some people and next week's to others. */
const THIS_WEEK_OR_NEXT = { error: 'that could be the day of this week or of next week: give the date' };

/** A date without a year is accepted within this distance; further away, either year could be meant. */
const NEAR_DAYS = 90;

export function resolveDay(word: DayWord, today: CivilDate): CivilDate | { error: string } {
  switch (word.type) {
    case 'offset':
      return addCivilDays(today, word.days);
    case 'weekday': {
      const since = (weekdayOf(today) - word.weekday + 7) % 7;
      if (word.which === 'next' && word.weekday > weekdayOf(today)) return THIS_WEEK_OR_NEXT;
      if (word.which === 'next' || word.which === 'coming') return addCivilDays(today, 7 - since);
      return addCivilDays(today, word.which === 'last' && since === 0 ? -7 : -since);
    }
    case 'calendar':
      return word.year === null
        ? nearestYear(word.month, word.day, today)
        : existingDate(word.year, word.month, word.day);
  }
}

function existingDate(year: number, month: number, day: number): CivilDate | { error: string } {
  return isCivilDate(year, month, day)
    ? { year, month, day }
    : { error: `${describeDate({ year, month, day })} does not exist` };
}

function nearestYear(month: number, day: number, today: CivilDate): CivilDate | { error: string } {
  const years = [today.year - 1, today.year, today.year + 1];
  const near = years
    .filter((year) => isCivilDate(year, month, day))
    .map((year) => ({ year, month, day }))
    .find((date) => Math.abs(daysBetween(date, today)) <= NEAR_DAYS);
  if (near !== undefined) return near;
  if (!isCivilDate(2000, month, day)) return existingDate(today.year, month, day);
  return { error: 'the year is missing and the date is not near: say the year' };
}

export const isSameDay = (a: CivilDate, b: CivilDate): boolean => epochDay(a) === epochDay(b);

export function dayRules(words: LanguageWords): WordRule[] {
  const { days, numbers, fillers } = words;
  const months = monthPatterns(words);
  const weekdays = namePatterns(words.format.weekdays('long'), days.shortWeekdays);
  const count = `(?<n>${NUMBER}${numbers.one === undefined ? '' : `|${numbers.one}`}) (?:${days.days}|(?<weeks>${days.weeks}))`;
  const countedDays = (g: Groups): number => figureValue(g.n!) * (g.weeks === undefined ? 1 : 7);
  const month = `(?<month>${months.join('|')})`;
  const year = `(?:(?: ,)? (?:(?:${days.of}) )?(?<year>[12]\\d{3}))?`;
  const monthOf = (name: string): number => months.findIndex((each) => new RegExp(`^(?:${each})$`).test(name)) + 1;
  const namedDate = (g: Groups): TimeToken[] => calendarToken(g.year, monthOf(g.month!), figureValue(g.day!));
  const weekday = (template: string, which: Weekday['which']): WordRule[] =>
    weekdays.map((name, index) =>
      wordRule(fillTemplate(template, name), () => [
        { kind: 'day', day: { type: 'weekday', weekday: index + 1, which } },
      ]),
    );
  return [
    ...days.offsets.map(([pattern, offset]) => wordRule(pattern, () => [offsetToken(offset)])),
    ...(days.daysOrWeeks === undefined
      ? []
      : [
          wordRule(days.daysOrWeeks, () =>
            errorToken('that could be days or whole weeks: say the date, or how many weeks'),
          ),
        ]),
    ...days.ago.map((ago) => wordRule(fillTemplate(ago, count), (g) => [offsetToken(-countedDays(g))])),
    wordRule(fillTemplate(days.ahead, count), (g) => [offsetToken(countedDays(g))]),
    wordRule('(?<year>\\d{4})-(?<month>\\d{2})-(?<day>\\d{2})(?:t(?=\\d))?', (g) =>
      calendarToken(g.year, Number(g.month), Number(g.day)),
    ),
    wordRule(
      `(?<day>\\d{1,2}|${NUMBER_WORD}|${days.first})(?:${days.ordinal})? (?:(?:${days.of}) )?${month}${year}`,
      namedDate,
    ),
    wordRule(`${month} (?:(?:${fillers.date}) )?(?<day>\\d{1,2})(?:${days.ordinal})?${year}`, namedDate),
    wordRule(`\\d{1,2}(?:${days.ordinal})`, () => errorToken('the month is missing')),
    wordRule('\\d+[/.-]\\d+[/.-]\\d+|\\d{1,2}/\\d{1,2}', () =>
      errorToken('a date in figures alone can be read two ways: write it as 2026-07-01'),
    ),
    ...weekday(days.lastWeekday, 'last'),
    ...weekday(days.nextWeekday, 'next'),
    ...weekday(days.comingWeekday, 'coming'),
    wordRule(fillTemplate(days.thisWeekday, weekdays.join('|')), () =>
      errorToken('that day could be past or to come: say last or next, or the date'),
    ),
    ...weekday('{}', null),
  ];
}

export const monthPatterns = ({ format, days }: LanguageWords): string[] =>
  namePatterns(format.months('long'), days.shortMonths);

const namePatterns = (names: readonly string[], others: readonly string[] = []): string[] =>
  names.map((name, index) => [normalizeWords(name), others[index] ?? []].flat().join('|'));

function calendarToken(year: string | undefined, month: number, day: number): TimeToken[] {
  return [{ kind: 'day', day: { type: 'calendar', year: year === undefined ? null : Number(year), month, day } }];
}
