import type { IntlFormat } from '../intl-format.ts';
import type { PartOfDay } from './word-rule.ts';

/** Source of a regular expression over text as `normalizeWords` writes it, with number words as marked figures ("#6"). */
type Pattern = string;

/** A pattern in which `{}` stands for the thing it is about: "{} ago", "il y a {}". */
type Template = string;

/**
 * The words in which a language says when and how much. The parser supplies what every language writes alike: figures,
 * "6:30", "6h30", "6 pm", ISO dates and the symbols of units.
 */
export interface LanguageWords {
  /** Names of months and weekdays. */
  format: IntlFormat;
  numbers: NumberWords;
  durations: DurationWords;
  days: DayWords;
  clock: ClockWords;
  amounts: AmountWords;
  /** Words that say nothing about when; behind `hour` a bare number is an hour ("at 6"), behind `date` it is not. */
  fillers: { hour: Pattern; date: Pattern; other: Pattern };
  tenses: { past: Pattern; future: Pattern };
  /** What an end may begin with, and a start may not. Matched before accents are removed. */
  until: Pattern;
}

export interface NumberWords {
  /** Values of number words: 0 to 99, a hundred, a thousand and, where they are one word, the other hundreds. */
  values: ReadonlyMap<string, number>;
  /** Where one of these words is another word ("1 sept" is a month). */
  except?: Pattern;
  /** Words for one that are no number words: "an hour". */
  one?: Pattern;
  and: Pattern;
  /** Halves and quarters, in hours or of an hour, with their minutes; the first that a text contains counts. */
  fractions: readonly (readonly [pattern: Pattern, minutes: number])[];
}

export interface DurationWords {
  hours: Pattern;
  minutes: Pattern;
  seconds: Pattern;
  /** A fraction of an hour: "half an hour". */
  fractionOfHour: Pattern;
  /** A fraction behind a number of hours: the end of "an hour and a half", without "and". */
  fractionAfterHours: Pattern;
  /** Other forms, with the groups `hours` (one where absent) and `plus`: "two and a half hours". */
  others?: (figure: Pattern) => readonly Pattern[];
  now: Pattern;
  ago: readonly Template[];
  ahead: readonly Template[];
}

export interface DayWords {
  /** Days from today. */
  offsets: readonly (readonly [pattern: Pattern, days: number])[];
  days: Pattern;
  weeks: Pattern;
  ago: readonly Template[];
  ahead: Template;
  /** Numbers of days that may mean whole weeks: "il y a huit jours". */
  daysOrWeeks?: Pattern;
  /** Beside the full names: abbreviations and other spellings, Monday first. */
  shortWeekdays?: readonly Pattern[];
  /** January first. */
  shortMonths: readonly Pattern[];
  lastWeekday: Template;
  nextWeekday: Template;
  comingWeekday: Template;
  /** A weekday that may be past or to come: "this Friday". */
  thisWeekday: Template;
  first: Pattern;
  /** What follows the figure of a day: "1st". */
  ordinal: Pattern;
  /** Between day, month and year. */
  of: Pattern;
}

export interface ClockWords {
  noon: Pattern;
  midnight: Pattern;
  /** What may follow "06:30". */
  hours: Pattern;
  phrases: readonly ClockWording[];
  /** What could be an hour or a span of hours: "five to seven". */
  hourOrSpan?: Pattern;
  parts: readonly PartWording[];
  /** A night that may be the past or the coming one. */
  whichNight?: Pattern;
}

/** A way to say an hour, with the groups h (a number, noon or midnight), m, past and to (minutes or a fraction), half. */
export interface ClockWording {
  pattern: Pattern;
  /** As in `ClockPhrase`; `figures` is exact or written by how the hour is written. Spoken where absent. */
  form?: 'exact' | 'written' | 'midnight' | 'figures';
  /** Days from today that the words name too: "ce midi". */
  day?: number;
}

export interface PartWording {
  pattern: Pattern;
  part: PartOfDay;
  /** The part of today. */
  isThis?: boolean;
  /** Days from today that the words name too: "last evening". */
  day?: number;
}

export interface AmountWords {
  units: Record<
    | 'millimetre'
    | 'centimetre'
    | 'inch'
    | 'litre'
    | 'hectolitre'
    | 'kilolitre'
    | 'cubicMetre'
    | 'squareMetre'
    | 'hectare',
    Pattern
  >;
  per: Pattern;
  /** Half before a unit: "half an inch". */
  half: Pattern;
  andAHalf: Pattern;
  /** Words that make a figure a rough one. */
  rough: Pattern;
  fillers: Pattern;
  /** Of the United States or of Britain, which differ. */
  gallon: Pattern;
}
