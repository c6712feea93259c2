import { distance } from 'fastest-levenshtein';

/** Null if no known word is similar: an unrelated suggestion would mislead. */
export function nearestWord(text: string, known: Iterable<string>): string | null {
  const distanceTo = (word: string): number => distance(text.toLowerCase(), word.toLowerCase());
  const [nearest] = [...known].sort((a, b) => distanceTo(a) - distanceTo(b));
  return nearest !== undefined && distanceTo(nearest) <= Math.max(2, text.length / 3) ? nearest : null;
}
