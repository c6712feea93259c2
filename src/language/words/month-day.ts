import { monthsBefore } from '../../domain/calendar.ts';
import { LocalDay } from '../../domain/local-day.ts';
import { ok } from '../../domain/result.ts';
import { say } from '../../domain/text/say.ts';
import { monthNumber, monthPatterns, yearlessDate } from './day.ts';
import type { LanguageWords } from './language-words.ts';
import { dayOfPeriod, partOfPeriodRule, seasonRule } from './start.ts';
import { errorToken, type Groups, type TimeToken, type WordRule, wordRule } from './word-rule.ts';

/** The day of a month or a year that is meant by its name. */
export type DayOfPeriod = 'first' | 'last';

/** The day of a month for a date: "April", "April 2027", "end of April", "end of next month". */
export const monthDayRules = (words: LanguageWords, side: DayOfPeriod): WordRule[] => [
  seasonRule(words),
  ...(side === 'first' ? firstDayRules(words) : lastDayRules(words)),
  // "at 1830" is an hour.
  wordRule(`(?<!(?:${words.fillers.hour}) )(?:${words.starts.yearWord} )?#?[12]\\d{3}`, () =>
    errorToken(say`the month and the day are missing`),
  ),
];

const monthOfYear = (words: LanguageWords): string =>
  `(?:(?<month>${monthPatterns(words).join('|')})(?: (?:(?:${words.days.of}) )?#?(?<year>[12]\\d{3}))?|(?<year2>\\d{4})[-/.](?<month2>\\d{1,2}))`;

function firstDayRules(words: LanguageWords): WordRule[] {
  const { starts, ends } = words;
  const firstOf = `(?:${starts.firstOf})?`;
  return [
    partOfPeriodRule(words),
    wordRule(firstOf + monthOfYear(words), (g) => namedMonth(words, g, 'first')),
    ...ends.periods
      .filter(([, , ahead]) => ahead > 0)
      .map(([pattern, unit, ahead]) =>
        wordRule(`${firstOf}(?:${pattern})`, () =>
          dayOfPeriod((today) => ok(dayOfCurrent(today, unit, ahead, 'first'))),
        ),
      ),
  ];
}

function lastDayRules(words: LanguageWords): WordRule[] {
  const { starts, ends } = words;
  const lastOf = `(?:${ends.lastOf})`;
  return [
    wordRule(lastOf + monthOfYear(words), (g) => namedMonth(words, g, 'last')),
    ...ends.periods.map(([pattern, unit, ahead]) =>
      wordRule(`${lastOf}(?:${pattern})`, () =>
        dayOfPeriod((today) => ok(dayOfCurrent(today, unit, ahead, 'last'))),
      ),
    ),
    wordRule(`(?:${starts.partOf}|${starts.firstOf.trimEnd()}) ?${monthOfYear(words)}`, () =>
      errorToken(say`the day is missing: say the day, or the end of the month`),
    ),
    wordRule(monthOfYear(words), () =>
      errorToken(say`it could be the first or the last day of that month: say which`),
    ),
  ];
}

function namedMonth(words: LanguageWords, g: Groups, side: DayOfPeriod): TimeToken[] {
  const year = g.year ?? g.year2;
  const month = g.month === undefined ? Number(g.month2) : monthNumber(words)(g.month);
  if (month > 12) return errorToken(say`month ${month} does not exist`);
  return dayOfPeriod((today, yearless) =>
    year === undefined
      ? yearlessDate(today, yearless, (inYear) => dayOfMonth(inYear, month, side).civil)
      : ok(dayOfMonth(Number(year), month, side)),
  );
}

/** The first or last day of the month or year that is `ahead` of today's by so many; 0 is today's. */
function dayOfCurrent(
  { civil: today }: LocalDay,
  unit: 'month' | 'year',
  ahead: number,
  side: DayOfPeriod,
): LocalDay {
  if (unit === 'year') return dayOfMonth(today.year + ahead, side === 'first' ? 1 : 12, side);
  const { year, month } = monthsBefore({ ...today, day: 1 }, -ahead);
  return dayOfMonth(year, month, side);
}

const dayOfMonth = (year: number, month: number, side: DayOfPeriod): LocalDay =>
  side === 'first'
    ? LocalDay.of({ year, month, day: 1 })
    : LocalDay.of(monthsBefore({ year, month, day: 1 }, -1)).plus(-1);
