import { groupBy } from '../../domain/groups.ts';
import { entryOf, firstOf, itemAt } from '../../domain/items.ts';
import { LANGS } from '../../domain/lang.ts';
import type { Crop } from '../../domain/soil/allowed-depletion.ts';
import { foldText } from '../../domain/strings.ts';
import type { Device } from '../en/names.ts';
import { LANGUAGE_WORDS, languageOf } from '../index.ts';
import { cropPhrases } from './farming-terms.ts';

/** A name by its meaning: "le bloc nord 2" and "North block two" are the same. */
export interface SpokenName {
  /** Words in the order of the text, with no spaces between letters: "northblock 2". */
  readonly compact: string;
  /**
   * The words that distinguish it, in alphabetical order: known words as their meaning, others in
   * the singular.
   */
  readonly words: readonly string[];
  readonly places: readonly string[];
  readonly devices: readonly Device[];
  /** Numbers in the order of the text; "second" is "2.". */
  readonly numbers: readonly string[];
}

type Kind = 'filler' | 'number' | 'place' | 'device' | 'word';

interface Phrase {
  readonly words: readonly string[];
  readonly kind: Kind;
  readonly meaning: string;
}

const fold = (text: string): string =>
  foldText(text.normalize('NFC').replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' '))
    .replaceAll('œ', 'oe')
    .replaceAll('æ', 'ae')
    .replaceAll('ß', 'ss');

const LETTERS = /\p{L}+/gu;

const phrasesOf = (forms: string, kind: Kind, meaning: string): Phrase[] =>
  forms.split(', ').map((text) => ({ words: fold(text).match(LETTERS) ?? [], kind, meaning }));

const phrasesIn = (formsByMeaning: Readonly<Record<string, string>>, kind: Kind): Phrase[] =>
  Object.entries(formsByMeaning).flatMap(([meaning, forms]) => phrasesOf(forms, kind, meaning));

const NAME_WORDS = LANGS.map((lang) => languageOf(lang).names);

/** Olives, choux, boxes, melones, cherries, nueces. */
const pluralsOf = (word: string): string[] =>
  NAME_WORDS.flatMap(({ plurals }) =>
    plurals
      .filter(([ending]) => word.endsWith(ending))
      .map(([ending, plural]) => word.slice(0, word.length - ending.length) + plural),
  );

const LIKELY_PLURAL = new RegExp(
  `(?:${NAME_WORDS.map(({ likelyPlural }) => likelyPlural).join('|')})$`,
  'u',
);

/** Guesses the singular of a word that is in no list. */
const singularOfUnknown = (word: string): string => word.replace(LIKELY_PLURAL, '');

/** Maps each word and its plurals to its singular. */
function singularsOf(words: ReadonlySet<string>): Map<string, string> {
  const plurals = [...words].flatMap((word) =>
    pluralsOf(word).map((plural) => [plural, word] as const),
  );
  return new Map([
    ...[...words].map((word) => [word, word] as const),
    ...plurals.filter(([plural, word]) => plural !== word),
  ]);
}

/** The longest phrase first. */
function byFirstWord(phrases: readonly Phrase[]): Map<string, Phrase[]> {
  const table = groupBy(phrases, ({ words }) => firstOf(words));
  for (const list of table.values()) list.sort((a, b) => b.words.length - a.words.length);
  return table;
}

function buildTables() {
  const endings = NAME_WORDS.flatMap(({ ordinalEndings }) => ordinalEndings.map(fold));
  const pluralizable = [
    ...cropPhrases().flatMap(({ name, plant }) => phrasesOf(name, 'word', `crop ${plant}`)),
    ...NAME_WORDS.flatMap(({ places, devices, descriptors }) => [
      ...phrasesIn(places, 'place'),
      ...phrasesIn(devices, 'device'),
      ...phrasesIn(descriptors, 'word'),
    ]),
  ];

  const singulars = singularsOf(new Set(pluralizable.flatMap(({ words }) => words)));
  return {
    elision: new RegExp(
      `(?<!\\p{L})(?:${NAME_WORDS.flatMap(({ elisions }) => elisions).join('|')})['\u2018\u2019\u02bc]`,
      'gu',
    ),
    ordinal: new RegExp(
      `(?<![\\p{L}\\p{N}])(\\d{1,3})(?:${endings.join('|')})(?![\\p{L}\\p{N}])`,
      'gu',
    ),
    exact: byFirstWord([
      ...LANGUAGE_WORDS.flatMap(({ numbers }) =>
        [...numbers.values].flatMap(([text, value]) => phrasesOf(text, 'number', String(value))),
      ),
      ...NAME_WORDS.flatMap(({ ordinals }) =>
        ordinals.flatMap((forms, index) => phrasesOf(forms, 'number', `${index + 1}.`)),
      ),
      ...NAME_WORDS.flatMap(({ fillers }) => phrasesOf(fillers, 'filler', '')),
    ]),
    pluralizable: byFirstWord(
      pluralizable.map((phrase) => ({
        ...phrase,
        words: phrase.words.map((word) => entryOf(singulars, word)),
      })),
    ),
    singulars,
  };
}

/** In characters; longer than any name. */
export const MAX_NAME_LENGTH = 1_000;

/** "No. 3", "n° 3", "nº 3"; without a mark NO may be the north-west. */
const NUMBER_SIGN = /(?<![\p{L}\p{N}])(?:n|no|nr|num)\s?[.°º]\s*(?=\p{N})/gu;

let tables: ReturnType<typeof buildTables> | undefined;

interface ScannedWord {
  readonly kind: Kind;
  readonly meaning: string;
  readonly text: string;
  readonly isPlural?: boolean;
}

/** "The two probes", "the two north probes" say how many are meant, and "probe two" which one. */
const withoutCounts = (words: readonly ScannedWord[]): ScannedWord[] =>
  words.filter(({ kind }, index) => {
    const counted = index === 0 ? words.slice(1) : words.slice(index + 1, index + 2);
    return !(kind === 'number' && counted.some((each) => each.kind === 'device' && each.isPlural));
  });

const startsWithPhrase = (
  words: readonly string[],
  start: number,
  { words: phrase }: Phrase,
): boolean => phrase.every((word, offset) => word === words[start + offset]);

function scan(name: string): ScannedWord[] {
  tables ??= buildTables();
  const { elision, ordinal, exact, pluralizable, singulars } = tables;
  // An ordinal is marked: "2nd" becomes "2#".
  const plain = fold(name.slice(0, MAX_NAME_LENGTH))
    .replaceAll('#', ' ')
    .replace(NUMBER_SIGN, ' ')
    .replace(elision, ' ')
    .replace(ordinal, '$1#');
  const words = plain.match(/\p{L}+|\p{N}+#?|\p{So}/gu) ?? [];
  const wordsInSingular = words.map((word) => singulars.get(word) ?? singularOfUnknown(word));
  const found: ScannedWord[] = [];

  for (let index = 0; index < words.length; ) {
    const asWritten = exact
      .get(itemAt(words, index))
      ?.find((phrase) => startsWithPhrase(words, index, phrase));
    const inSingular = pluralizable
      .get(itemAt(wordsInSingular, index))
      ?.find((phrase) => startsWithPhrase(wordsInSingular, index, phrase));
    const isLonger = (inSingular?.words.length ?? 0) > (asWritten?.words.length ?? 0);
    const phrase = isLonger ? inSingular : asWritten;
    const length = phrase?.words.length ?? 1;

    const text = words.slice(index, index + length).join('');
    const isPlural = words[index] !== wordsInSingular[index];
    if (phrase) found.push({ kind: phrase.kind, meaning: phrase.meaning, text, isPlural });
    else if (/^\p{N}/u.test(text))
      found.push({
        kind: 'number',
        meaning: text.replace(/^0+(?=\p{N})/u, '').replace('#', '.'),
        text,
      });
    else found.push({ kind: 'word', meaning: itemAt(wordsInSingular, index), text });

    index += length;
  }

  const meaningful = withoutCounts(found.filter(({ kind }) => kind !== 'filler'));
  return meaningful.length > 0
    ? withHundreds(meaningful)
    : found.map((word) => ({ ...word, kind: 'word', meaning: word.text }));
}

/** "Two hundred and twelve" is one number. */
function withHundreds(words: readonly ScannedWord[]): ScannedWord[] {
  const found: ScannedWord[] = [];
  for (const word of words) {
    const last = found.at(-1);
    const number = last === undefined ? null : joinNumbers(last, word);
    if (last === undefined || number === null) found.push(word);
    else found[found.length - 1] = { ...last, meaning: String(number) };
  }
  return found;
}

/** Null if the two words are not one number. */
function joinNumbers(first: ScannedWord, second: ScannedWord): number | null {
  const [before, value] = [numberWordValue(first), numberWordValue(second)];
  if (before === null || value === null || before === 0) return null;
  if (value === 100 && before < 10) return before * value;
  return before % 100 === 0 && value < 100 ? before + value : null;
}

/** Null for figures and other words. */
const numberWordValue = ({ kind, text, meaning }: ScannedWord): number | null =>
  kind === 'number' && /^\p{L}/u.test(text) ? Number(meaning) : null;

/** More than the names of the largest farms. */
const MAX_KNOWN_NAMES = 20_000;
const knownNames = new Map<string, SpokenName>();

/** For names of a store, which are read for each call: each is parsed once. */
export function spokenNameOf(name: string): SpokenName {
  const known = knownNames.get(name);
  if (known) return known;

  if (knownNames.size >= MAX_KNOWN_NAMES) knownNames.clear();
  const spoken = readSpokenName(name);
  knownNames.set(name, spoken);
  return spoken;
}

export function readSpokenName(text: string): SpokenName {
  const scanned = scan(text);
  const meanings = (kind: Kind): string[] =>
    scanned.filter((word) => word.kind === kind).map(({ meaning }) => meaning);

  return {
    compact: scanned
      .map(({ kind, meaning, text }) => (kind === 'number' ? ` ${meaning} ` : text))
      .join(''),
    words: meanings('word').sort(),
    places: meanings('place').sort(),
    devices: meanings('device').sort() as Device[],
    numbers: meanings('number'),
  };
}

export const ordinalsAsNumbers = (spoken: SpokenName): SpokenName => ({
  ...spoken,
  compact: spoken.compact.replace(/(?<=\d)\.(?= )/g, ''),
  numbers: spoken.numbers.map((number) => number.replace(/\.$/, '')),
});

const TREE_CROPS: readonly Crop[] = [
  'almond',
  'apple',
  'apricot',
  'avocado',
  'cherry',
  'citrus',
  'kiwi',
  'olive',
  'peach',
  'pear',
  'pistachio',
  'plum',
  'walnut',
];
const VINES: readonly Crop[] = ['wineGrape', 'tableGrape'];

/** The words by which people name a parcel after its crop, from its type. */
export const cropWordsOf = (type: string | null | undefined): readonly string[] =>
  readSpokenName(type ?? '').words.filter((word) => word.startsWith('crop ') || word === 'orchard');

/**
 * Adds words that are often used for these crops: "the grapes" for wine grapes, "la vigne" for
 * table grapes, "the orchard" for trees.
 */
export function looseCropWords(cropWords: readonly string[]): readonly string[] {
  const grows = (crops: readonly Crop[]): boolean =>
    crops.some((crop) => cropWords.some((word) => word.startsWith(`crop ${crop} `)));

  const words = [...cropWords];
  if (grows(TREE_CROPS)) words.push('orchard');
  if (grows(VINES)) words.push(...VINES.map((crop) => `crop ${crop} 0`));
  return words;
}
