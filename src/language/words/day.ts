import { type CivilDate, isCivilDate } from '../../domain/calendar.ts';
import { describeDate, type YearlessDate } from '../../domain/iso-date-time.ts';
import { itemAt, withoutNulls } from '../../domain/items.ts';
import { LocalDay } from '../../domain/local-day.ts';
import { failure, ok, type Parsed } from '../../domain/result.ts';
import { list, say, verbatim } from '../../domain/text/say.ts';
import type { LanguageWords } from './language-words.ts';
import { figureValue, NUMBER, NUMBER_WORD, normalizeWords, numberValue } from './number.ts';
import {
  type DayWord,
  errorToken,
  fillTemplate,
  type Groups,
  groupOf,
  offsetToken,
  type TimeToken,
  type Weekday,
  type WordRule,
  wordRule,
} from './word-rule.ts';

/** Further from today, a date without a year could be in either of two years. */
const NEAR_DAYS = 90;

/** A year that has every date, also 29 February. */
const LEAP_YEAR = 2000;

export function resolveDay(
  word: DayWord,
  today: LocalDay,
  yearless: YearlessDate,
): Parsed<LocalDay> {
  switch (word.type) {
    case 'offset':
      return ok(today.plus(word.days));
    case 'weekday': {
      const daysSince = (today.weekday - word.weekday + 7) % 7;
      const daysUntil = 7 - daysSince;
      if (word.which === 'next' && word.weekday > today.weekday)
        return nextWhileStillToCome(today, daysUntil);
      if (word.which === 'next' || word.which === 'coming') return ok(today.plus(daysUntil));
      return ok(today.plus(word.which === 'last' && daysSince === 0 ? -7 : -daysSince));
    }
    case 'calendar':
      if (word.year !== null) return existingDate(word.year, word.month, word.day);
      return yearlessDate(today, yearless, (year) => ({ ...word, year }));
    case 'computed':
      return word.date(today, yearless);
  }
}

/**
 * "next Friday" on a Wednesday means this week's to some people and next week's to others. Nobody
 * says "next Thursday" for tomorrow.
 */
function nextWhileStillToCome(today: LocalDay, daysUntil: number): Parsed<LocalDay> {
  const nextWeek = today.plus(daysUntil + 7);
  if (daysUntil === 1) return ok(nextWeek);

  const dates = [today.plus(daysUntil), nextWeek].map(({ civil }) => describeDate(civil));
  return failure(say`that could be ${list(dates.map(verbatim), 'or')}: give the date`);
}

/** A 29 February is at most eight years away. */
const MAX_YEARS_AWAY = 8;

/** `dateIn` may give a date that does not exist in that year. */
export function yearlessDate(
  today: LocalDay,
  yearless: YearlessDate,
  dateIn: (year: number) => CivilDate,
): Parsed<LocalDay> {
  const thisYear = today.civil.year;
  const existing = (years: readonly number[]): LocalDay[] =>
    years
      .map(dateIn)
      .filter(({ year, month, day }) => isCivilDate(year, month, day))
      .map(LocalDay.of);
  const yearsAway = [...Array(MAX_YEARS_AWAY + 1).keys()];
  const latest = existing(yearsAway.map((years) => thisYear - years)).find(
    (date) => date.daysUntil(today) >= 0,
  );
  const next = existing(yearsAway.map((years) => thisYear + years)).find(
    (date) => date.daysUntil(today) < 0,
  );
  if (latest === undefined || next === undefined) {
    const { year, month, day } = dateIn(thisYear);
    return existingDate(year, month, day);
  }

  if (yearless === 'past') return ok(latest);
  const near = [latest, next].find((date) => Math.abs(date.daysUntil(today)) <= NEAR_DAYS);
  if (near !== undefined) return ok(near);
  return yearless === 'coming'
    ? ok(next)
    : failure(say`the year is missing and the date is not near: say the year`);
}

export function existingDate(year: number, month: number, day: number): Parsed<LocalDay> {
  return isCivilDate(year, month, day)
    ? ok(LocalDay.of({ year, month, day }))
    : failure(say`${verbatim(describeDate({ year, month, day }))} does not exist`);
}

export const dayRules = (words: LanguageWords): WordRule[] => [
  ...countedDayRules(words),
  ...dateRules(words),
  ...weekdayRules(words),
];

/** "yesterday", "3 days ago", "in two weeks". */
function countedDayRules({ days, numbers }: LanguageWords): WordRule[] {
  const figure = numbers.one === undefined ? NUMBER : `${NUMBER}|${numbers.one}`;
  const count = `(?<n>${figure}) (?:${days.days}|(?<weeks>${days.weeks}))`;
  const countedDays = (g: Groups): number =>
    figureValue(groupOf(g, 'n')) * (g.weeks === undefined ? 1 : 7);

  return withoutNulls([
    ...days.offsets.map(([pattern, offset]) => wordRule(pattern, () => [offsetToken(offset)])),
    days.daysOrWeeks === undefined
      ? null
      : wordRule(days.daysOrWeeks, () =>
          errorToken(say`that could be days or whole weeks: say the date, or how many weeks`),
        ),
    ...days.ago.map((ago) =>
      wordRule(fillTemplate(ago, count), (g) => [offsetToken(-countedDays(g))]),
    ),
    wordRule(fillTemplate(days.ahead, count), (g) => [offsetToken(countedDays(g))]),
  ]);
}

/** "2026-07-01", "1 July", "July 1st, 2026". */
function dateRules(words: LanguageWords): WordRule[] {
  const { days, fillers } = words;
  const month = `(?<month>${monthPatterns(words).join('|')})`;
  // Reversed, so that "#20 first" is tried before "first".
  const nth = days.ordinals.toReversed().join('|');
  const year = `(?:(?: ,)? (?:(?:${days.of}) )?(?<year>[12]\\d{3}))?`;
  const monthOf = monthNumber(words);

  const namedDate = (g: Groups): TimeToken[] =>
    calendarToken({
      year: g.year === undefined ? null : Number(g.year),
      month: monthOf(groupOf(g, 'month')),
      day: g.nth === undefined ? numberValue(groupOf(g, 'day')) : days.ordinals.indexOf(g.nth) + 1,
      isIso: false,
    });

  return [
    wordRule('(?<year>\\d{4})(?<mark>[-/.])(?<month>\\d{1,2})\\k<mark>(?<day>\\d{1,2})', (g) =>
      calendarToken({
        year: Number(g.year),
        month: Number(g.month),
        day: Number(g.day),
        isIso: true,
      }),
    ),
    wordRule(
      `(?:(?<day>\\d{1,2}|${NUMBER_WORD})(?:${days.ordinal})?|(?<nth>${nth})) (?:(?:${days.of}) )?${month}${year}`,
      namedDate,
    ),
    wordRule(
      `${month} (?:(?:${fillers.date}) )?(?:(?<day>\\d{1,2})(?:${days.ordinal})?|(?<nth>${nth}))${year}`,
      namedDate,
    ),
    wordRule(`\\d{1,2}(?:${days.ordinal})`, () => errorToken(say`the month is missing`)),
    wordRule('\\d{1,4}[/.-]\\d{1,4}[/.-]\\d{1,4}|\\d{1,2}/\\d{1,2}', (_, text) =>
      dateInFigures(text),
    ),
  ];
}

/** "last Tuesday", "next Friday", "Sunday". */
function weekdayRules({ format, days }: LanguageWords): WordRule[] {
  const weekdays = namePatterns(format.weekdays('long'), days.shortWeekdays);

  const weekday = (template: string, which: Weekday['which']): WordRule[] =>
    weekdays.map((name, index) =>
      wordRule(fillTemplate(template, name), () => [
        { kind: 'day', day: { type: 'weekday', weekday: index + 1, which } },
      ]),
    );

  return [
    ...weekday(days.lastWeekday, 'last'),
    ...weekday(days.nextWeekday, 'next'),
    ...weekday(days.comingWeekday, 'coming'),
    wordRule(fillTemplate(days.thisWeekday, weekdays.join('|')), () =>
      errorToken(say`that day could be past or coming: say last or next, or the date`),
    ),
    ...weekday('{}', null),
  ];
}

export const monthNumber = (words: LanguageWords) => {
  const months = monthPatterns(words).map((pattern) => new RegExp(`^(?:${pattern})$`));
  return (name: string): number => months.findIndex((month) => month.test(name)) + 1;
};

export const monthPatterns = ({ format, days }: LanguageWords): string[] =>
  namePatterns(format.months('long'), days.shortMonths);

const namePatterns = (names: readonly string[], others: readonly string[] = []): string[] =>
  names.map((name, index) => [normalizeWords(name), others[index] ?? []].flat().join('|'));

type CalendarDate = Extract<DayWord, { type: 'calendar' }>;

const calendarToken = (date: Omit<CalendarDate, 'type'>): TimeToken[] => [
  { kind: 'day', day: { type: 'calendar', ...date } },
];

/**
 * "22/11/2026" can only be November; "5/11/2026" is the 5th of November to some people and the 11th
 * of May to others.
 */
function dateInFigures(text: string): TimeToken[] {
  const groups = text.split(/[/.-]/);
  const yearIndex = groups.findIndex((group) => group.length === 4);
  if (groups.length === 3 && yearIndex !== 0 && yearIndex !== 2)
    return errorToken(
      say`the year of ${verbatim(text)} is not clear: write the date as 2026-07-01`,
    );

  const year = yearIndex < 0 ? null : Number(groups[yearIndex]);
  const figures = groups.filter((_, index) => index !== yearIndex).map(Number);
  const [a, b] = [itemAt(figures, 0), itemAt(figures, 1)];
  const orders = [{ day: a, month: b }];
  if (a !== b) orders.push({ day: b, month: a });

  const dates = orders
    .map(({ day, month }) => ({ year, month, day, isIso: false }))
    .filter(({ month, day }) => isCivilDate(year ?? LEAP_YEAR, month, day));
  const [date, other] = dates;
  if (date === undefined) return errorToken(say`${verbatim(text)} does not exist`);
  if (other === undefined) return calendarToken(date);

  const ways = dates.map(({ month, day }) => describeDate({ year, month, day }));
  return errorToken(
    say`${verbatim(text)} can be read two ways, ${list(ways.map(verbatim), 'or')}: say which`,
  );
}
