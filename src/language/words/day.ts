/** Days in words: today, three days ago, last Monday, 12 July. */
import { addCivilDays, type CivilDate, daysBetween, epochDay, isCivilDate, weekdayOf } from '../../domain/calendar.ts';
import { describeDate } from '../iso-date-time.ts';
import { NUMBER, NUMBER_WORD, numberValue } from './number.ts';
import { type DayWord, refusedToken, type TimeToken, type Weekday, type WordRule, wordRule } from './word-rule.ts';

/** "next Friday" said on a Wednesday means this week's to some and next week's to others. */
const THIS_WEEK_OR_NEXT = { refused: 'that could be the day of this week or of next week: give the date' };

/** A date without a year is read when it lies this near; further off, the year could be either. */
const NEAR_DAYS = 90;

/** The day that a word names, seen from `today`. */
export function resolveDay(word: DayWord, today: CivilDate): CivilDate | { refused: string } {
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

function existingDate(year: number, month: number, day: number): CivilDate | { refused: string } {
  return isCivilDate(year, month, day)
    ? { year, month, day }
    : { refused: `${describeDate({ year, month, day })} does not exist` };
}

function nearestYear(month: number, day: number, today: CivilDate): CivilDate | { refused: string } {
  const years = [today.year - 1, today.year, today.year + 1];
  const near = years
    .filter((year) => isCivilDate(year, month, day))
    .map((year) => ({ year, month, day }))
    .find((date) => Math.abs(daysBetween(date, today)) <= NEAR_DAYS);
  if (near !== undefined) return near;
  if (!isCivilDate(2000, month, day)) return existingDate(today.year, month, day);
  return { refused: 'the year is missing and the date is not near: say the year' };
}

const WEEKDAYS: readonly (readonly [name: string, weekday: number])[] = [
  ['mon(?:day)?|lundi', 1],
  ['tue(?:s|sday)?|mardi', 2],
  ['wed(?:nesday)?|mercredi', 3],
  ['thu(?:r|rs|rsday)?|jeudi', 4],
  ['fri(?:day)?|vendredi', 5],
  ['sat(?:urday)?|samedi', 6],
  ['sun(?:day)?|dimanche', 7],
];

const MONTHS = [
  'jan(?:uary|v|vier)?',
  'feb(?:ruary)?|fev(?:r|rier)?',
  'mar(?:ch|s)?',
  'apr(?:il)?|avr(?:il)?',
  'may|mai',
  'june?|juin',
  'july?|juil(?:let)?',
  'aug(?:ust)?|aout',
  'sept?(?:ember|embre)?',
  'oct(?:ober|obre)?',
  'nov(?:ember|embre)?',
  'dec(?:ember|embre)?',
];
export const MONTH = `(?:${MONTHS.join('|')})`;
const YEAR = '(?:(?: ,)? (?<year>[12]\\d{3}))?';
const DAY = `(?<day>\\d{1,2}|${NUMBER_WORD}|premier|first)`;
const monthOf = (name: string): number => MONTHS.findIndex((each) => new RegExp(`^(?:${each})$`).test(name)) + 1;

const offsetToken = (days: number): TimeToken[] => [{ kind: 'day', day: { type: 'offset', days } }];
export const DAY_UNIT = '(?:days?|jours?|weeks?|semaines?)';
const UNIT = `(?<unit>${DAY_UNIT})`;
const COUNT = `(?<n>${NUMBER}|an?)`;
const inDays = (g: Record<string, string | undefined>): number =>
  (/^an?$/.test(g.n!) ? 1 : numberValue(g.n!)) * (/^[ws]/.test(g.unit!) ? 7 : 1);

export const DAY_RULES: readonly WordRule[] = [
  wordRule('(?:the )?day before yesterday|avant hier', () => offsetToken(-2)),
  wordRule('(?:the )?day after tomorrow|apres demain', () => offsetToken(2)),
  wordRule("today|aujourd'? ?hui", () => offsetToken(0)),
  wordRule('yesterday|hier', () => offsetToken(-1)),
  wordRule('tomorrow|demain', () => offsetToken(1)),
  wordRule(`${COUNT} ${UNIT} (?:ago|back)`, (g) => offsetToken(-inDays(g))),
  // Eight and fifteen days are how French says one and two weeks.
  wordRule('(?:il y a|dans) (?:8|huit|15|quinze|#8|#15) jours?', () =>
    refusedToken('that could be days or whole weeks: say the date, or how many weeks'),
  ),
  wordRule(`il y a ${COUNT} ${UNIT}`, (g) => offsetToken(-inDays(g))),
  wordRule(`(?:in|dans) ${COUNT} ${UNIT}`, (g) => offsetToken(inDays(g))),
  wordRule('(?<year>\\d{4})-(?<month>\\d{2})-(?<day>\\d{2})(?:t(?=\\d))?', (g) =>
    calendarToken(g.year, Number(g.month), g.day),
  ),
  wordRule(`${DAY}(?:st|nd|rd|th|er)? (?:of |de )?(?<month>${MONTH})${YEAR}`, (g) =>
    calendarToken(g.year, monthOf(g.month!), g.day),
  ),
  wordRule(`(?<month>${MONTH}) (?:the )?(?<day>\\d{1,2})(?:st|nd|rd|th)?${YEAR}`, (g) =>
    calendarToken(g.year, monthOf(g.month!), g.day),
  ),
  wordRule('\\d{1,2}(?:st|nd|rd|th|er)', () => refusedToken('the month is missing')),
  wordRule('\\d+[/.-]\\d+[/.-]\\d+|\\d{1,2}/\\d{1,2}', () =>
    refusedToken('a date in figures alone can be read two ways: write it as 2026-07-01'),
  ),
  ...WEEKDAYS.flatMap(([name, weekday]) => [
    wordRule(`(?:last|(?:this )?past) (?:${name})|(?:le )?(?:${name}) (?:dernier|passe)`, () =>
      weekdayToken(weekday, 'last'),
    ),
    wordRule(`next (?:${name})|(?:le )?(?:${name}) prochain`, () => weekdayToken(weekday, 'next')),
    wordRule(`(?:this )?coming (?:${name})|(?:le )?(?:${name}) qui vient`, () => weekdayToken(weekday, 'coming')),
    wordRule(`(?:this|ce) (?:${name})`, () =>
      refusedToken('that day could be past or to come: say last or next, or the date'),
    ),
    wordRule(name, () => weekdayToken(weekday, null)),
  ]),
];

const weekdayToken = (weekday: number, which: Weekday['which']): TimeToken[] => [
  { kind: 'day', day: { type: 'weekday', weekday, which } },
];

function calendarToken(year: string | undefined, month: number, day: string | undefined): TimeToken[] {
  const number = day === 'premier' || day === 'first' ? 1 : numberValue(day ?? '');
  return [
    { kind: 'day', day: { type: 'calendar', year: year === undefined ? null : Number(year), month, day: number } },
  ];
}

/** Whether two days are the same. */
export const isSameDay = (a: CivilDate, b: CivilDate): boolean => epochDay(a) === epochDay(b);
