import { bareHourTokens, CLOCK_RULES, PART_RULES } from './clock.ts';
/** Cuts a text into turns of phrase. Nothing is skipped: a word that no rule knows ends the reading. */
import { DAY_RULES } from './day.ts';
import { ELAPSED_RULES } from './duration.ts';
import { markNumbers, NUMBER, unmarkNumbers } from './number.ts';
import { type ClockPhrase, type DayPart, type DayWord, type TimeToken, type WordRule, wordRule } from './word-rule.ts';

/** What the words of a text say about when, before it is placed on a day. */

const fillerToken = (leadsTo: 'hour' | 'date' | null): TimeToken[] => [{ kind: 'filler', leadsTo }];

const FILLER_RULES: readonly WordRule[] = [
  wordRule('(?:the )?earlier|plus tot', () => [{ kind: 'tense', tense: 'past' }]),
  wordRule('later(?: on)?|plus tard', () => [{ kind: 'tense', tense: 'future' }]),
  wordRule(
    'at|a|around|about|approximately|approx|roughly|circa|vers|environ|aux environs de|a peu pres|exactly|pile',
    () => fillerToken('hour'),
  ),
  wordRule('on|le|the', () => fillerToken('date')),
  wordRule(
    "u+m+|u+h+|erm?|e+u+h+|he+u+|hm+|well|so|like|let's see|ben|bah|alors|voyons|les|ca|c'etait|it was|early|late|tot|tard|sharp|precises?|tapantes?|,",
    () => fillerToken(null),
  ),
];

/** Tried in this order, so that a stretch of time is not taken for an hour, nor a date for two numbers. */
const RULES: readonly WordRule[] = [
  ...ELAPSED_RULES,
  ...DAY_RULES,
  ...PART_RULES,
  ...CLOCK_RULES,
  wordRule(NUMBER, (_, text) => [{ kind: 'number', text }]),
  ...FILLER_RULES,
];

/** Lower case, no accents, plain apostrophes, hyphens in words as spaces, no closing punctuation. */
export function normalizeWords(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[\u2018\u2019\u02bc`]/g, "'")
    .replace(/(?<=\p{L})[-\u2010\u2011](?=\p{L})/gu, ' ')
    .replace(/\b([ap])(?:\. ?| )m\b\.?/g, '$1m')
    .replace(/(?<!\d),|,(?!\d)/g, ' , ')
    .replace(/(?<=\p{L})\.(?=\s|$)|[.!?…\s]+$/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** What the words of a text say, in their order; refused at the first word that is not understood. */
export function tokenizeTimeWords(original: string): TimeToken[] | { refused: string } {
  const text = markNumbers(normalizeWords(original));
  const findings: TimeToken[] = [];
  let position = 0;
  while (position < text.length) {
    if (text[position] === ' ') {
      position++;
      continue;
    }
    const match = firstMatch(text, position);
    if (match === null) return { refused: unknownWordReason(text.slice(position)) };
    position += match.length;
    for (const finding of match.findings) {
      if (finding.kind === 'refused') return { refused: finding.refused };
      findings.push(finding);
    }
  }
  return findings;
}

function firstMatch(text: string, position: number): { length: number; findings: TimeToken[] } | null {
  for (const { pattern, read } of RULES) {
    pattern.lastIndex = position;
    const match = pattern.exec(text);
    if (match !== null) return { length: match[0].length, findings: read(match.groups ?? {}, match[0]) };
  }
  return null;
}

/** Only a plain word is repeated back; anything else could be more than a word. */
function unknownWordReason(rest: string): string {
  const word = /^[\p{L}\p{N}:'-]{1,24}(?=$|\s)/u.exec(rest)?.[0];
  return word === undefined ? 'it is not understood' : `"${word}" is not understood`;
}

const MAX_TEXT_LENGTH = 120;

/** What a text says about when, each thing once. */
export interface TimePhrase {
  elapsedMs: number | null;
  days: DayWord[];
  part: DayPart | null;
  clock: ClockPhrase | null;
  tense: 'past' | 'future' | null;
}

/** Reads a text whole; refused where a word is not understood, or where it says a thing twice. */
export function parseTimePhrase(text: string): TimePhrase | { refused: string } {
  if (text.trim() === '') return { refused: 'it is empty' };
  if (text.length > MAX_TEXT_LENGTH) return { refused: `it is longer than ${MAX_TEXT_LENGTH} characters` };
  const findings = tokenizeTimeWords(text);
  return 'refused' in findings ? findings : combineTokens(findings);
}

function combineTokens(findings: TimeToken[]): TimePhrase | { refused: string } {
  const phrase: TimePhrase = { elapsedMs: null, days: [], part: null, clock: null, tense: null };
  let expectsHour = false;
  for (const [index, finding] of findings.entries()) {
    if (finding.kind === 'number' && !expectsHour && findings[index + 1]?.kind !== 'part') {
      return { refused: `${unmarkNumbers(finding.text)} alone is not an hour: write 06:00 or 6 am` };
    }
    const hour = finding.kind === 'number' ? bareHourTokens(finding.text)[0]! : finding;
    expectsHour = finding.kind === 'filler' && (finding.leadsTo === null ? expectsHour : finding.leadsTo === 'hour');
    switch (hour.kind) {
      case 'refused':
        return { refused: hour.refused };
      case 'clock':
        if (phrase.clock !== null) return { refused: 'it names more than one hour' };
        phrase.clock = hour.clock;
        break;
      case 'part': {
        const both = phrase.part === null ? hour.part : mergeDayParts(phrase.part, hour.part);
        if (both === null) return { refused: 'it names more than one part of the day' };
        phrase.part = both;
        break;
      }
      case 'day':
        phrase.days.push(hour.day);
        break;
      case 'elapsed':
        if (phrase.elapsedMs !== null) return { refused: 'it names more than one instant' };
        phrase.elapsedMs = hour.ms;
        break;
      case 'tense':
        phrase.tense = hour.tense;
        break;
    }
  }
  const hasMore = phrase.clock !== null || phrase.part !== null || phrase.days.length > 0 || phrase.tense !== null;
  if (phrase.elapsedMs !== null && hasMore) return { refused: 'it names more than one instant' };
  return phrase;
}

/** "ce matin à 6h du matin" says the same part twice. */
function mergeDayParts(a: DayPart, b: DayPart): DayPart | null {
  return a.name === b.name ? { name: a.name, isThis: a.isThis || b.isThis } : null;
}
