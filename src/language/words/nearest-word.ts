import { distance } from 'fastest-levenshtein';
import { itemAt } from '../../domain/items.ts';
import { foldText } from '../../domain/text.ts';
import { readSpokenName } from './spoken-name.ts';

/** Null if no known word is similar: an unrelated suggestion would mislead. */
export function nearestWord(text: string, known: Iterable<string>): string | null {
  const distanceTo = (word: string): number => distance(text.toLowerCase(), word.toLowerCase());
  const [nearest] = [...known].sort((a, b) => distanceTo(a) - distanceTo(b));
  return nearest !== undefined && distanceTo(nearest) <= Math.max(2, text.length / 3)
    ? nearest
    : null;
}

const meaningOf = (name: string): string =>
  JSON.stringify({ ...readSpokenName(name), compact: null });

/** A word of more letters would take long to compare. */
const LONG_WORD = /^\p{L}{4,100}$/u;

/**
 * True for a misspelling, other spaces, or the same meaning in words or another language ("nord
 * un"). Short words and digits must match: "North 1" and "North 2" are two names.
 */
export function isSimilarName(a: string, b: string): boolean {
  const wordsOf = (name: string): string[] => foldText(name).match(/[\p{L}\p{N}]+/gu) ?? [];

  const [words, others] = [wordsOf(a), wordsOf(b)];
  if (words.length > 0 && words.join('') === others.join('')) return true;
  if (meaningOf(a) === meaningOf(b)) return true;

  const isMisspelt = (word: string, other: string): boolean =>
    LONG_WORD.test(word) &&
    LONG_WORD.test(other) &&
    distance(word, other) <= Math.min(2, Math.floor(word.length / 4));

  return (
    words.length > 0 &&
    words.length === others.length &&
    words.every((word, index) => word === others[index] || isMisspelt(word, itemAt(others, index)))
  );
}
