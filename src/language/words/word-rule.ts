/** A rule of the reader of plain words: what one turn of phrase means. */

/** An hour as it was said; minutes may be negative or above 59 until it is placed ("moins le quart"). */
export interface ClockPhrase {
  hour: number;
  minute: number;
  second: number;
  /**
   * exact: "06:30", "18h", "6 pm", noon. written: "6:30", "6h". spoken: "at six", "six heures", which most people say
   * for the afternoon too. Only written and spoken hours can be moved to the afternoon by a part of the day.
   */
  form: 'exact' | 'written' | 'spoken' | 'midnight';
}

/** `this`: the coming or present one of today; `last night` lies on two dates. */
export interface DayPart {
  name: 'morning' | 'afternoon' | 'evening' | 'night' | 'last night';
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
  | { type: 'calendar'; year: number | null; month: number; day: number };

export type TimeToken =
  | { kind: 'clock'; clock: ClockPhrase }
  | { kind: 'day'; day: DayWord }
  | { kind: 'part'; part: DayPart }
  /** A stretch of time from now, in ms, negative into the past. */
  | { kind: 'elapsed'; ms: number }
  /** A bare number: an hour only where the words around it say so. */
  | { kind: 'number'; text: string }
  /** Words that say nothing about when; they make a bare number after them an hour ("at"), a date ("the"), or neither. */
  | { kind: 'filler'; leadsTo: 'hour' | 'date' | null }
  | { kind: 'tense'; tense: 'past' | 'future' }
  | { kind: 'refused'; refused: string };

export interface WordRule {
  /** Sticky, and ends at the end of a word. */
  readonly pattern: RegExp;
  readonly read: (groups: Record<string, string | undefined>, text: string) => TimeToken[];
}

const END_OF_WORD = "(?![\\p{L}\\p{N}_]|[:.,/’'-]\\s?[\\p{L}\\p{N}])";

/**
 * A rule for text in lower case without accents, hyphens in words or punctuation, one space between words. Its pattern is
 * made when a text is first held against it: to make all of them takes a tenth of a start, and few calls are told in words.
 */
export function wordRule(source: string, read: WordRule['read']): WordRule {
  let pattern: RegExp | undefined;
  return {
    get pattern() {
      pattern ??= new RegExp(`(?:${source})${END_OF_WORD}`, 'uy');
      return pattern;
    },
    read,
  };
}

export const refusedToken = (refused: string): TimeToken[] => [{ kind: 'refused', refused }];
