import { distance } from 'fastest-levenshtein';

/**
 * As a share of the length of the longer text: "blok" is 0.2 from "block", "south" 0.4 from
 * "north".
 */
const MAX_DISTANCE = 0.3;

/** 0 if the texts differ by more than a misspelling. */
export function spellingLikeness(some: string, other: string): number {
  const length = Math.max(some.length, other.length, 1);
  if (leastDistance(some, other) > MAX_DISTANCE * length) return 0;

  const share = (isSwapped(some, other) ? 1 : distance(some, other)) / length;
  return share > MAX_DISTANCE ? 0 : 1 - share;
}

/** True if the texts differ only by two swapped neighbouring letters, such as "Nroth". */
function isSwapped(some: string, other: string): boolean {
  if (some.length !== other.length) return false;
  let first = 0;
  while (first < some.length && some[first] === other[first]) first++;
  return (
    first < some.length - 1 &&
    some[first] === other[first + 1] &&
    some[first + 1] === other[first] &&
    some.slice(first + 2) === other.slice(first + 2)
  );
}

/** Letters whose codes differ by a multiple of it count as the same. */
const LETTER_COUNTS = 64;
const counts = new Int16Array(LETTER_COUNTS);

/**
 * What the distance is at least: the letters that one of the texts has beyond those of the other.
 * It takes far less time than the distance, and tells most names apart.
 */
export function leastDistance(some: string, other: string): number {
  counts.fill(0);
  for (let index = 0; index < some.length; index++)
    counts[some.charCodeAt(index) % LETTER_COUNTS]!++;
  for (let index = 0; index < other.length; index++)
    counts[other.charCodeAt(index) % LETTER_COUNTS]!--;

  let onlySome = 0;
  let onlyOther = 0;
  for (const count of counts) {
    if (count > 0) onlySome += count;
    else onlyOther -= count;
  }
  return Math.max(onlySome, onlyOther);
}
