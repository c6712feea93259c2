import type { ParsedInstant, ParseFailure } from '../../../src/domain/iso-date-time.ts';
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

export function resultText(read: ParsedInstant | ParseFailure): string {
  if ('error' in read) return `refused: ${programText(read.error)}`;
  return `${new Date(read.at).toISOString()}${read.resolution === 'gap' || read.resolution === 'fold' ? ` ${read.resolution}` : ''}`;
}

/** An instant of a table as `resultText` writes it. */
export function expectedText(expected: string): string {
  const [instant, resolution] = expected.split(' ');
  return [new Date(instant!).toISOString(), resolution].filter(Boolean).join(' ');
}
