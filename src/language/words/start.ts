import { type CivilDate, monthsBefore } from '../../domain/calendar.ts';
import { BEGINNING } from '../../domain/iso-date-time.ts';
import { withoutNulls } from '../../domain/items.ts';
import { LocalDay } from '../../domain/local-day.ts';
import { ok } from '../../domain/result.ts';
import { say } from '../../domain/text/say.ts';
import { existingDate, monthNumber, monthPatterns } from './day.ts';
import type { LanguageWords } from './language-words.ts';
import { figureValue, NUMBER, numberValue } from './number.ts';
import {
  type ComputedDay,
  errorToken,
  fillTemplate,
  type Groups,
  groupOf,
  type TimeToken,
  type WordRule,
  wordRule,
} from './word-rule.ts';

/**
 * A month or a year begins with its first day. A month without a year is the latest one that has
 * begun.
 */
export function startRules(words: LanguageWords): WordRule[] {
  const { days, starts, numbers, fillers } = words;
  const month = `(?<month>${monthPatterns(words).join('|')})`;
  const monthOf = monthNumber(words);
  // "two thousand" becomes "#2000".
  const year = '#?(?<year>[12]\\d{3})';
  const firstOf = `(?:${starts.firstOf})?`;
  const count = (units: string): string =>
    `(?<n>${NUMBER}${numbers.one === undefined ? '' : `|${numbers.one}`}) (?:${units})`;

  const agoTemplates = withoutNulls([...days.ago, starts.lasting ?? null]);

  const ago = (units: string, read: (n: number) => TimeToken[]): WordRule[] =>
    agoTemplates.map((template) =>
      wordRule(fillTemplate(template, count(units)), (g) => read(figureValue(groupOf(g, 'n')))),
    );

  const named = (g: Groups): TimeToken[] =>
    firstOfMonth(g.year === undefined ? null : Number(g.year), monthOf(groupOf(g, 'month')));

  return [
    ...ago(starts.months, (n) => sameDay((today) => monthsBefore(today, n))),
    ...ago(starts.years, (n) => sameDay((today) => monthsBefore(today, 12 * n))),
    ...ago(days.days, (n) => [{ kind: 'day', day: { type: 'offset', days: -n } }]),
    ...ago(days.weeks, (n) => [{ kind: 'day', day: { type: 'offset', days: -7 * n } }]),
    seasonRule(words),
    partOfPeriodRule(words),
    ...starts.periods.map(([pattern, unit, periodsAgo]) =>
      wordRule(`${firstOf}(?:${pattern})`, () =>
        dayOfPeriod(({ civil: today }) =>
          ok(
            LocalDay.of(
              unit === 'month'
                ? monthsBefore({ ...today, day: 1 }, periodsAgo)
                : { year: today.year - periodsAgo, month: 1, day: 1 },
            ),
          ),
        ),
      ),
    ),
    ...(starts.lastMonth ?? []).map((template) =>
      wordRule(fillTemplate(template, month), (g) =>
        firstOfMonth(null, monthOf(groupOf(g, 'month')), 1),
      ),
    ),
    wordRule(`${firstOf}${month}(?: (?:(?:${days.of}) )?${year})?`, named),
    wordRule(
      '(?<year>\\d{4})[-/.](?<month>\\d{1,2})|(?<month2>\\d{1,2})[-/.](?<year2>\\d{4})',
      (g) => firstOfMonth(Number(g.year ?? g.year2), Number(g.month ?? g.month2)),
    ),
    // "at 2000" is a clock time, not a year.
    wordRule(`(?<!(?:${fillers.hour}) )${firstOf}(?:(?:${starts.yearWord}) )?${year}`, (g) =>
      dayOfPeriod(() => existingDate(numberValue(groupOf(g, 'year')), 1, 1)),
    ),
    wordRule(starts.beginning, () => dayOfPeriod(() => ok(BEGINNING))),
  ];
}

/** "May of last year" becomes "May of 2025". */
export function yearFiller(words: LanguageWords): (text: string, thisYear: number) => string {
  const months = monthPatterns(words).join('|');
  const years = [
    ...words.starts.periods,
    ...words.ends.periods.map(([name, unit, ahead]) => [name, unit, -ahead] as const),
  ]
    .filter(([, unit]) => unit === 'year')
    .map(([name, , yearsAgo]) => ({
      pattern: new RegExp(`(?<=(?:${months})(?: (?:${words.days.of}))? )(?:${name})$`, 'u'),
      yearsAgo,
    }));

  return (text, thisYear) => {
    let filled = text;
    for (const { pattern, yearsAgo } of years)
      filled = filled.replace(pattern, String(thisYear - yearsAgo));
    return filled;
  };
}

/** Without a year, `monthsAgo` is how many months ago the latest such month must have begun. */
const firstOfMonth = (year: number | null, month: number, monthsAgo = 0): TimeToken[] =>
  dayOfPeriod(({ civil: today }) => {
    if (year !== null) return existingDate(year, month, 1);
    const latest = monthsBefore({ ...today, day: 1 }, monthsAgo);
    return existingDate(month <= latest.month ? latest.year : latest.year - 1, month, 1);
  });

export const dayOfPeriod = (date: ComputedDay['date']): TimeToken[] => [
  { kind: 'day', day: { type: 'computed', isOfPeriod: true, date } },
];

const sameDay = (date: (today: CivilDate) => CivilDate): TimeToken[] => [
  {
    kind: 'day',
    day: {
      type: 'computed',
      isOfPeriod: false,
      date: ({ civil }) => ok(LocalDay.of(date(civil))),
    },
  },
];

export const partOfPeriodRule = (words: LanguageWords): WordRule => {
  const { partOf, yearWord } = words.starts;
  return wordRule(
    `(?:${partOf}) (?:${monthPatterns(words).join('|')}|#?[12]\\d{3}|${yearWord})`,
    () => errorToken(say`the day is missing: say the day, or the month alone for its first day`),
  );
};

export const seasonRule = ({ starts }: LanguageWords): WordRule =>
  wordRule(starts.season, () =>
    errorToken(say`a season has no first day: say the month or the day`),
  );
