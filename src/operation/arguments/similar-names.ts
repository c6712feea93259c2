import { distance } from 'fastest-levenshtein';
import { type TimeSlice, visitInSlices } from '../../domain/event-loop.ts';
import { foldText } from '../../domain/strings.ts';
import { readSpokenName, type SpokenName } from '../../language/words/spoken-name.ts';
import { Candidate, type NamedEntity } from './name-candidates.ts';

/** In characters: what is longer is no misspelt name. */
const MAX_MISSPELT_LENGTH = 200;
const MAX_MISSPELT_WORDS = 12;

interface SimilarName<T> {
  readonly entity: T;
  readonly likeness: number;
}

/** Names that share a word with the text or are a misspelling of it, most similar first. */
export async function similarNames<T extends NamedEntity>(
  text: string,
  candidates: readonly Candidate<T>[],
  slice: TimeSlice,
): Promise<SimilarName<T>[]> {
  const likeness = new NameLikeness(text);
  const similar: SimilarName<T>[] = [];

  await visitInSlices(
    candidates,
    (candidate) => {
      const { entity } = candidate;
      const sum = likeness.to(candidate) + likeness.toCrop(entity.type ?? null);
      if (sum > 0) similar.push({ entity, likeness: sum });
    },
    slice,
  );
  return similar.sort((a, b) => b.likeness - a.likeness || a.entity.id - b.entity.id);
}

/** The words of at least three letters. */
const wordsIn = (text: string): string[] => text.match(/\p{L}{3,}/gu) ?? [];

/** False for "probe", "block" and other words that do not tell one name from another. */
const distinguishes = (word: string): boolean => readSpokenName(word).words.length > 0;

/** Plants of one crop count as similar, such as nectarines and peaches. */
const withoutPlant = (words: readonly string[]): string[] =>
  words.map((word) => word.replace(/^(crop \w+) \d+$/, '$1'));

/** A word of a text with one bit for each of its letters. */
interface SpelledWord {
  readonly text: string;
  readonly letters: number;
}

const NO_LIKENESS: readonly number[] = [];

/** Compares one text with names. */
class NameLikeness {
  readonly #folded: string;
  readonly #spoken: SpokenName;
  readonly #words: readonly string[];
  readonly #wordCount: number;
  /** The words that tell names apart, once each. */
  readonly #spelledWords: readonly SpelledWord[];
  /** The likeness of words of names that may be a misspelling. */
  readonly #likenessOfWords = new Map<string, readonly number[]>();
  readonly #likenessOfCrops = new Map<string, number>();

  constructor(text: string) {
    this.#folded = foldText(text.slice(0, MAX_MISSPELT_LENGTH));
    this.#spoken = readSpokenName(this.#folded);
    this.#words = withoutPlant(this.#spoken.words);
    const words = wordsIn(this.#folded);
    this.#wordCount = words.length;
    this.#spelledWords = [...new Set(words)]
      .filter(distinguishes)
      .slice(0, MAX_MISSPELT_WORDS)
      .map((word) => ({ text: word, letters: lettersIn(word) }));
  }

  /** 0 without a shared or a misspelt word: a shared number alone does not count. */
  to({ folded, spoken }: Candidate): number {
    if (folded === null) return 0;
    const shared = this.#sharedWords(spoken);
    const spelling = this.#likenessOfSpelling(folded);
    if (shared === 0 && spelling === 0) return 0;

    const sharedNumbers = this.#spoken.numbers.filter((number) =>
      spoken.numbers.includes(number),
    ).length;

    // A misspelt word counts half as much as a shared one, and a shared number a quarter.
    return shared + spelling / 2 + sharedNumbers / 4;
  }

  toCrop(crop: string | null): number {
    if (crop === null) return 0;
    const known = this.#likenessOfCrops.get(crop);
    if (known !== undefined) return known;
    const likeness = this.to(new Candidate({ id: 0, name: crop }));
    this.#likenessOfCrops.set(crop, likeness);
    return likeness;
  }

  #sharedWords(spoken: SpokenName): number {
    if (this.#words.length === 0) return 0;
    const words = withoutPlant(spoken.words);
    return this.#words.filter((word) => words.includes(word)).length;
  }

  #likenessOfSpelling(folded: string): number {
    const words = wordsIn(folded);
    const likeWords = this.#spelledWords.map(() => 0);
    for (const word of words)
      for (const [index, likeness] of this.#likenessToWords(word).entries())
        likeWords[index] = Math.max(likeWords[index] ?? 0, likeness);

    // Whole texts are compared only if they differ in the number of words, as if by a stray space;
    // otherwise "north 12" would be like "south 12".
    const hasOtherWordCount = words.length === 0 || words.length !== this.#wordCount;
    return Math.max(
      hasOtherWordCount ? spellingLikeness(this.#folded, folded) : 0,
      likeWords.reduce((sum, likeness) => sum + likeness, 0),
    );
  }

  /** To each word of the text; empty if it is like none. */
  #likenessToWords(word: string): readonly number[] {
    const letters = lettersIn(word);
    if (!this.#spelledWords.some((spelled) => mayBeMisspelling(spelled, { text: word, letters })))
      return NO_LIKENESS;

    const known = this.#likenessOfWords.get(word);
    if (known !== undefined) return known;
    const likeness = this.#spelledWords.map(({ text }) => spellingLikeness(text, word));
    this.#likenessOfWords.set(word, likeness);
    return likeness;
  }
}

/** Letters whose codes differ by a multiple of 32 share a bit. */
function lettersIn(word: string): number {
  let bits = 0;
  for (let index = 0; index < word.length; index++) bits |= 1 << word.charCodeAt(index);
  return bits;
}

function countBits(bits: number): number {
  let count = 0;
  for (let left = bits; left !== 0; left &= left - 1) count++;
  return count;
}

/** Quick to see: most words of a farm differ in length, or in more letters than are misspelt. */
function mayBeMisspelling(some: SpelledWord, other: SpelledWord): boolean {
  const maxDistance = MAX_DISTANCE * Math.max(some.text.length, other.text.length);
  return (
    Math.abs(some.text.length - other.text.length) <= maxDistance &&
    countBits(some.letters & ~other.letters) <= maxDistance &&
    countBits(other.letters & ~some.letters) <= maxDistance
  );
}

/**
 * As a share of the length of the longer text: "blok" is 0.2 from "block", "south" 0.4 from
 * "north".
 */
const MAX_DISTANCE = 0.3;

/** 0 if the texts differ by more than a misspelling. */
export function spellingLikeness(some: string, other: string): number {
  const length = Math.max(some.length, other.length, 1);
  const maxDistance = MAX_DISTANCE * length;
  if (Math.abs(some.length - other.length) > maxDistance) return 0;
  if (leastDistance(some, other) > maxDistance) return 0;

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
 * The least that the distance can be: the letters that one of the texts has beyond those of the
 * other. It takes far less time than the distance, and tells most names apart.
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
