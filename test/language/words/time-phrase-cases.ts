import type { ParsedInstant } from '../../../src/domain/iso-date-time.ts';
import type { Parsed } from '../../../src/domain/result.ts';
import { programText } from '../../../src/domain/text/program-text.ts';

/**
 * Spoken times, with their instant (a second word names a gap or fold) or the reason for the
 * refusal.
 */
export interface TimePhraseCases {
  zone: string;
  now: string;
  phrases: [phrase: string, expected: string | RegExp][];
}

export function resultText(read: Parsed<ParsedInstant>): string {
  if (!read.ok) return `refused: ${programText(read.failure)}`;
  const { at, resolution } = read.value;
  return `${new Date(at).toISOString()}${resolution === 'gap' || resolution === 'fold' ? ` ${resolution}` : ''}`;
}

/** An instant of a table as `resultText` writes it. */
export function expectedText(expected: string): string {
  const [instant, resolution] = expected.split(' ');
  return [new Date(instant!).toISOString(), resolution].filter(Boolean).join(' ');
}
