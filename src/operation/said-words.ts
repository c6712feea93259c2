/** What the words of a text say about when, before it is placed on a day. */
import { bareHour } from './clock-words.ts';
import { unmark } from './number-words.ts';
import type { Clock, DayPart, DayWord, Finding } from './word-rule.ts';
import { findAll } from './word-scanner.ts';

const LONGEST_TEXT = 120;

/** What a text says about when, each thing once. */
export interface Said {
  elapsedMs: number | null;
  days: DayWord[];
  part: DayPart | null;
  clock: Clock | null;
  tense: 'past' | 'future' | null;
}

/** Reads a text whole; refused where a word is not understood, or where it says a thing twice. */
export function understood(text: string): Said | { refused: string } {
  if (text.trim() === '') return { refused: 'it is empty' };
  if (text.length > LONGEST_TEXT) return { refused: `it is longer than ${LONGEST_TEXT} characters` };
  const findings = findAll(text);
  return 'refused' in findings ? findings : gather(findings);
}

function gather(findings: Finding[]): Said | { refused: string } {
  const said: Said = { elapsedMs: null, days: [], part: null, clock: null, tense: null };
  let isLed = false;
  for (const [index, finding] of findings.entries()) {
    if (finding.kind === 'number' && !isLed && findings[index + 1]?.kind !== 'part') {
      return { refused: `${unmark(finding.text)} alone is not an hour: write 06:00 or 6 am` };
    }
    const hour = finding.kind === 'number' ? bareHour(finding.text)[0]! : finding;
    isLed = finding.kind === 'filler' && (finding.leadsTo === null ? isLed : finding.leadsTo === 'hour');
    switch (hour.kind) {
      case 'refused':
        return { refused: hour.refused };
      case 'clock':
        if (said.clock !== null) return { refused: 'it names more than one hour' };
        said.clock = hour.clock;
        break;
      case 'part': {
        const both = said.part === null ? hour.part : merged(said.part, hour.part);
        if (both === null) return { refused: 'it names more than one part of the day' };
        said.part = both;
        break;
      }
      case 'day':
        said.days.push(hour.day);
        break;
      case 'elapsed':
        if (said.elapsedMs !== null) return { refused: 'it names more than one instant' };
        said.elapsedMs = hour.ms;
        break;
      case 'tense':
        said.tense = hour.tense;
        break;
    }
  }
  const hasMore = said.clock !== null || said.part !== null || said.days.length > 0 || said.tense !== null;
  if (said.elapsedMs !== null && hasMore) return { refused: 'it names more than one instant' };
  return said;
}

/** "ce matin à 6h du matin" says the same part twice. */
function merged(a: DayPart, b: DayPart): DayPart | null {
  return a.name === b.name ? { name: a.name, isThis: a.isThis || b.isThis } : null;
}
