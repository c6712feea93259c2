/** What the words of a text say about when, before it is placed on a day. */
import { bareHourTokens } from './clock-words.ts';
import { unmarkNumbers } from './number-words.ts';
import type { ClockPhrase, DayPart, DayWord, TimeToken } from './word-rule.ts';
import { tokenizeTimeWords } from './word-scanner.ts';

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
