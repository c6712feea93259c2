import type { YearlessDate } from '../../domain/iso-date-time.ts';
import type { LocalDay } from '../../domain/local-day.ts';
import type { Parsed } from '../../domain/result.ts';
import type { Text } from '../../domain/text/text.ts';

/** Minutes may be negative or above 59 until the hour is assigned to a day ("moins le quart"). */
export interface ClockPhrase {
  hour: number;
  minute: number;
  second: number;
  /**
   * exact: "06:30", "18h", "6 pm", noon. 24-hour: "4h30", "4h". written: "6:30". spoken: "at six",
   * "six heures", which most people also say for the afternoon. A part of the day can move all but
   * exact hours to the afternoon.
   */
  form: 'exact' | '24-hour' | 'written' | 'spoken' | 'midnight';
}

/**
 * Last night spans two dates. Languages divide the day differently: "la tarde" lasts until nine.
 */
export type PartOfDay =
  | 'morning'
  | 'middle of the day'
  | 'afternoon'
  | 'afternoon or early evening'
  | 'evening'
  | 'night'
  | 'last night';

export interface DayPart {
  name: PartOfDay;
  isThis: boolean;
}

/** 1 = Monday. Without `which`, the latest one, today included. */
export interface Weekday {
  type: 'weekday';
  weekday: number;
  which: 'last' | 'next' | 'coming' | null;
}

export type DayWord =
  | { type: 'offset'; days: number }
  | Weekday
  | { type: 'calendar'; year: number | null; month: number; day: number; isIso: boolean }
  | ComputedDay;

/** "May 2024", "two years ago", "always", "the end of March". */
export interface ComputedDay {
  type: 'computed';
  /** The first or last day of a month, of a year or of all time, which an hour cannot refine. */
  isOfPeriod: boolean;
  date: (today: LocalDay, yearless: YearlessDate) => Parsed<LocalDay>;
}

export type TimeToken =
  | { kind: 'clock'; clock: ClockPhrase }
  | { kind: 'day'; day: DayWord }
  | { kind: 'part'; part: DayPart }
  /** Time from now, in ms, negative into the past. */
  | { kind: 'elapsed'; ms: number }
  /** A bare number: an hour only if the words around it make it one. */
  | { kind: 'number'; text: string }
  /** A bare number after it is an hour ("at"), a date ("the"), or neither. */
  | { kind: 'filler'; leadsTo: 'hour' | 'date' | null }
  | { kind: 'tense'; tense: 'past' | 'future' }
  | { kind: 'error'; error: Text };

export type Groups = Record<string, string | undefined>;

/** A group that every match of the pattern has. */
export function groupOf(groups: Groups | undefined, name: string): string {
  const text = groups?.[name];
  if (text === undefined) throw new Error(`The pattern has matched without its group ${name}`);
  return text;
}

export interface WordRule {
  readonly pattern: RegExp;
  readonly read: (groups: Groups, text: string) => TimeToken[];
}

const END_OF_WORD = "(?![\\p{L}\\p{N}_]|[:.,/’'-]\\s?[\\p{L}\\p{N}])";

/**
 * Its pattern is built when it is first tried: most phrases need few of the rules, and all take
 * 0.1 s.
 */
export const wordRule = (source: string, read: WordRule['read']): WordRule => {
  let pattern: RegExp | undefined;
  return {
    get pattern() {
      pattern ??= new RegExp(`(?:${source})${END_OF_WORD}`, 'uy');
      return pattern;
    },
    read,
  };
};

export const errorToken = (error: Text): TimeToken[] => [{ kind: 'error', error }];

export const offsetToken = (days: number): TimeToken => ({
  kind: 'day',
  day: { type: 'offset', days },
});

/** The source is grouped, so that its alternatives stay together. */
export const fillTemplate = (template: string, source: string): string =>
  template.replaceAll('{}', `(?:${source})`);
