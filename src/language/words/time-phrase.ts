import { firstOf } from '../../domain/items.ts';
import { failure, ok, type Parsed, type Result } from '../../domain/result.ts';
import { say, verbatim } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import { LANGUAGE_WORDS } from '../index.ts';
import { bareHourTokens, clockRules, partRules } from './clock.ts';
import { dayRules } from './day.ts';
import { elapsedRules } from './duration.ts';
import type { LanguageWords } from './language-words.ts';
import { type DayOfPeriod, monthDayRules } from './month-day.ts';
import { HESITATIONS, NUMBER, normalizeWords, numberMarker, unmarkNumbers } from './number.ts';
import { startRules, yearFiller } from './start.ts';
import {
  type ClockPhrase,
  type DayPart,
  type DayWord,
  type TimeToken,
  type WordRule,
  wordRule,
} from './word-rule.ts';

const MAX_TEXT_LENGTH = 120;

/** The T of "2026-07-01T6:30". */
const ISO_DATE_AND_TIME = /(?<=\d{4}-\d{1,2}-\d{1,2})t(?=\d)/;

export interface TimePhrase {
  elapsedMs: number | null;
  days: DayWord[];
  part: DayPart | null;
  clock: ClockPhrase | null;
  tense: 'past' | 'future' | null;
}

interface TimeReader {
  markNumbers: (text: string) => string;
  /** Tried in order, so that a duration is not taken for an hour, nor a date for two numbers. */
  rules: readonly WordRule[];
  fillYear: (text: string, thisYear: number) => string;
  datedRules: Record<DatedBy['of'], readonly WordRule[]>;
}

/**
 * `wordsLeft` counts from the refused word on: the reason comes from the language that got furthest.
 */
interface Refusal {
  reason: Text;
  isUnknown: boolean;
  wordsLeft: number;
}

/** Built on first use: most processes never read a phrase. */
let readers: readonly TimeReader[] | undefined;

/** Beside days and hours, what people also say for the start of something or for a date. */
interface DatedBy {
  /** `start`: by month or year. `first`, `last`: by the first or last day of a month. */
  readonly of: 'start' | DayOfPeriod;
  readonly thisYear: number;
}

export function parseTimePhrase(text: string, datedBy?: DatedBy): Parsed<TimePhrase> {
  if (text.trim() === '') return failure(say`it is empty`);
  if (text.length > MAX_TEXT_LENGTH)
    return failure(say`it is longer than ${MAX_TEXT_LENGTH} characters`);

  readers ??= LANGUAGE_WORDS.map(timeReader);
  const normalized = normalizeWords(text).replace(ISO_DATE_AND_TIME, ' ');
  const refusals: Refusal[] = [];

  for (const reader of readers) {
    const marked = reader.markNumbers(normalized);
    const tokens = datedBy
      ? tokenize(reader.fillYear(marked, datedBy.thisYear), reader.datedRules[datedBy.of])
      : tokenize(marked, reader.rules);
    const phrase = tokens.ok ? combineTokens(tokens.value) : tokens;
    if (phrase.ok) return phrase;
    refusals.push(phrase.failure);
  }

  refusals.sort((a, b) => a.wordsLeft - b.wordsLeft || Number(a.isUnknown) - Number(b.isUnknown));
  return failure(firstOf(refusals).reason);
}

function timeReader(words: LanguageWords): TimeReader {
  const { fillers, tenses } = words;
  const filler = (pattern: string, leadsTo: 'hour' | 'date' | null): WordRule =>
    wordRule(pattern, () => [{ kind: 'filler', leadsTo }]);

  const days = [...elapsedRules(words), ...dayRules(words)];
  const parts = partRules(words);
  const others = [
    ...clockRules(words),
    wordRule(NUMBER, (_, text) => [{ kind: 'number', text }]),
    wordRule(tenses.past, () => [{ kind: 'tense', tense: 'past' }]),
    wordRule(tenses.future, () => [{ kind: 'tense', tense: 'future' }]),
    filler(fillers.hour, 'hour'),
    filler(fillers.date, 'date'),
    filler(`${fillers.other}|${HESITATIONS}|,`, null),
  ];

  const since = filler(words.starts.since, 'date');

  return {
    markNumbers: numberMarker(words.numbers),
    rules: [...days, ...parts, ...others],
    fillYear: yearFiller(words),
    datedRules: {
      start: [...days, ...startRules(words), ...parts, since, ...others],
      first: [...days, ...monthDayRules(words, 'first'), ...parts, since, ...others],
      last: [...days, ...monthDayRules(words, 'last'), ...parts, ...others],
    },
  };
}

function tokenize(text: string, rules: readonly WordRule[]): Result<TimeToken[], Refusal> {
  const tokens: TimeToken[] = [];
  let position = 0;
  while (position < text.length) {
    if (text[position] === ' ') {
      position++;
      continue;
    }

    const rest = text.slice(position);
    const wordsLeft = rest.split(' ').length;
    const match = firstMatch(rules, text, position);
    if (match === null)
      return failure({ reason: unknownWordReason(rest), isUnknown: true, wordsLeft });

    position += match.length;
    for (const token of match.tokens) {
      if (token.kind === 'error')
        return failure({ reason: token.error, isUnknown: false, wordsLeft });
      tokens.push(token);
    }
  }

  return ok(tokens);
}

function firstMatch(
  rules: readonly WordRule[],
  text: string,
  position: number,
): { length: number; tokens: TimeToken[] } | null {
  for (const { pattern, read } of rules) {
    pattern.lastIndex = position;
    const match = pattern.exec(text);
    if (match !== null)
      return { length: match[0].length, tokens: read(match.groups ?? {}, match[0]) };
  }
  return null;
}

/** Only a plain word is quoted; anything else could be longer than a word. */
function unknownWordReason(rest: string): Text {
  const word = /^[\p{L}\p{N}:'-]{1,24}(?=$|\s)/u.exec(rest)?.[0];
  return word === undefined
    ? say`it is not understood`
    : say`"${verbatim(word)}" is not understood`;
}

function combineTokens(tokens: TimeToken[]): Result<TimePhrase, Refusal> {
  const refused = (reason: Text) => failure({ reason, isUnknown: false, wordsLeft: 0 });
  const phrase: TimePhrase = { elapsedMs: null, days: [], part: null, clock: null, tense: null };
  let expectsHour = false;

  for (const [index, token] of tokens.entries()) {
    if (token.kind === 'number' && !expectsHour && tokens[index + 1]?.kind !== 'part') {
      return refused(
        say`${verbatim(unmarkNumbers(token.text))} alone is not an hour: write 06:00 or 6 am`,
      );
    }

    const reason = addToken(
      phrase,
      token.kind === 'number' ? firstOf(bareHourTokens(token.text)) : token,
    );
    if (reason !== null) return refused(reason);

    expectsHour =
      token.kind === 'filler' && (token.leadsTo === null ? expectsHour : token.leadsTo === 'hour');
  }

  if (phrase.elapsedMs !== null && namesMoreThanElapsed(phrase)) return refused(TWO_INSTANTS);
  return ok(phrase);
}

const TWO_INSTANTS = say`it names more than one instant`;

/** Changes the phrase, or gives the reason why the token does not go with it. */
function addToken(phrase: TimePhrase, token: TimeToken): Text | null {
  switch (token.kind) {
    case 'error':
      return token.error;
    case 'clock':
      if (phrase.clock !== null) return say`it names more than one hour`;
      phrase.clock = token.clock;
      break;
    case 'part': {
      const both = phrase.part === null ? token.part : mergeDayParts(phrase.part, token.part);
      if (both === null) return say`it names more than one part of the day`;
      phrase.part = both;
      break;
    }
    case 'day':
      phrase.days.push(token.day);
      break;
    case 'elapsed':
      if (phrase.elapsedMs !== null) return TWO_INSTANTS;
      phrase.elapsedMs = token.ms;
      break;
    case 'tense':
      phrase.tense = token.tense;
      break;
  }

  return null;
}

const namesMoreThanElapsed = ({ clock, part, days, tense }: TimePhrase): boolean =>
  clock !== null || part !== null || days.length > 0 || tense !== null;

/** "ce matin à 6h du matin" names the same part twice. */
function mergeDayParts(a: DayPart, b: DayPart): DayPart | null {
  return a.name === b.name ? { name: a.name, isThis: a.isThis || b.isThis } : null;
}
