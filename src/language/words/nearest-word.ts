import { distance } from 'fastest-levenshtein';
import { itemAt } from '../../domain/items.ts';
import { foldText } from '../../domain/strings.ts';
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

const wordsOf = (name: string): string[] => foldText(name).match(/[\p{L}\p{N}]+/gu) ?? [];

const isMisspelt = (word: string, other: string): boolean =>
  LONG_WORD.test(word) &&
  LONG_WORD.test(other) &&
  distance(word, other) <= Math.min(2, Math.floor(word.length / 4));

/**
 * Returns whether another name is a misspelling, has other spaces, or means the same in words or
 * another language ("nord un"). Short words and digits must match: "North 1" and "North 2" are two
 * names.
 */
export function similarNameTest(name: string): (other: string) => boolean {
  const words = wordsOf(name);
  const meaning = meaningOf(name);

  return (other) => {
    const others = wordsOf(other);
    if (words.length > 0 && words.join('') === others.join('')) return true;
    if (meaning === meaningOf(other)) return true;
    return (
      words.length > 0 &&
      words.length === others.length &&
      words.every(
        (word, index) => word === others[index] || isMisspelt(word, itemAt(others, index)),
      )
    );
  };
}
