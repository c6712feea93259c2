import { firstOf } from '../../domain/items.ts';
import { LANGS, type Lang } from '../../domain/lang.ts';
import { CROP_DEPLETIONS, CROPS, type Crop } from '../../domain/soil/allowed-depletion.ts';
import { SOIL_HORIZONS, type SoilHorizon } from '../../domain/soil/soil-catalog.ts';
import { foldText } from '../../domain/strings.ts';
import type { Cover } from '../../domain/weather/parcel-rain.ts';
import { languageOf } from '../index.ts';

/** Lists the names of each plant of the crop. */
const plantsOf = (lang: Lang, crop: Crop): string[][] =>
  languageOf(lang)
    .crops[crop].split('; ')
    .map((names) => names.split(', '));

/** The usual name, without an article. */
export const cropName = (crop: Crop, lang: Lang): string => firstOf(firstOf(plantsOf(lang, crop)));

/**
 * Reduces plurals of the three languages to the form of their singular: olives, choux, melones,
 * nueces, cherries.
 */
function withoutPlural(word: string): string {
  const withoutS = word.length > 3 ? word.replace(/[sx]$/, '') : word;
  const stem = withoutS.length > 3 ? withoutS.replace(/e$/, '') : withoutS;
  return stem.replace(/y$/, 'i').replace(/z$/, 'c');
}

const cropWords = (text: string): string[] =>
  (foldText(text).match(/\p{L}+/gu) ?? []).map(withoutPlural);

interface CropPhrase {
  readonly name: string;
  readonly words: readonly string[];
  readonly crop: Crop;
  /** Identifies a plant of the crop, whatever the language of the name. */
  readonly plant: string;
}

let cachedPhrases: readonly CropPhrase[] | undefined;

/** The longest first. */
export const cropPhrases = (): readonly CropPhrase[] =>
  (cachedPhrases ??= CROPS.flatMap((crop) =>
    LANGS.flatMap((lang) =>
      plantsOf(lang, crop).flatMap((names, index) =>
        names.map((name) => ({ name, words: cropWords(name), crop, plant: `${crop} ${index}` })),
      ),
    ),
  ).sort((a, b) => b.words.length - a.words.length));

/**
 * The crop that free text names in any language: "Oliviers", "verger de pêchers", "wine grapes,
 * old". If it names several, the one that suffers from drought first.
 */
export function cropIn(text: string | null): Crop | null {
  const words = cropWords(text ?? '');
  const found: Crop[] = [];
  for (let index = 0; index < words.length; ) {
    const phrase = cropPhrases().find((candidate) =>
      candidate.words.every((word, offset) => word === words[index + offset]),
    );
    if (phrase) found.push(phrase.crop);
    index += phrase?.words.length ?? 1;
  }

  return found.sort((a, b) => CROP_DEPLETIONS[a] - CROP_DEPLETIONS[b])[0] ?? null;
}

interface NamedParcel {
  readonly name: string;
  readonly type?: string | null | undefined;
}

/**
 * A parcel is under a roof, or not, as its type says. A name only suggests it, since "La Serre" and
 * "Tunnel Road" are names of places.
 */
export function coverOf({ name, type }: NamedParcel): Cover {
  if (mentions(type ?? '', ({ openAir }) => [openAir])) return 'open';
  if (mentions(type ?? '', roofsOf)) return 'roof';
  return mentions(name, roofsOf) ? 'unknown' : 'open';
}

type NameWords = ReturnType<typeof languageOf>['names'];

const roofsOf = ({ descriptors: { greenhouse, tunnel } }: NameWords): string[] => [
  greenhouse,
  tunnel,
];

/** Whether free text has one of these phrases, in any language. */
function mentions(text: string, phrasesOf: (words: NameWords) => readonly string[]): boolean {
  const spoken = ` ${cropWords(text).join(' ')} `;
  return LANGS.some((lang) =>
    phrasesOf(languageOf(lang).names)
      .flatMap((phrases) => phrases.split(', '))
      .some((phrase) => spoken.includes(` ${cropWords(phrase).join(' ')} `)),
  );
}

interface FoundTexture {
  readonly horizon: SoilHorizon;
  readonly name: string;
  readonly isExact: boolean;
}

const MAX_NAME_LENGTH = 100;

const foldTexture = (text: string): string =>
  foldText(text.slice(0, MAX_NAME_LENGTH)).replace(/[\s-]+/g, ' ');

/**
 * Classes with exactly this name in one of the languages; otherwise those whose name contains it;
 * otherwise all. Only the whole name is exact: "loamy" soil is seldom a loamy sand.
 */
export function findTextures(text: string): FoundTexture[] {
  const wanted = foldTexture(text);
  const named = LANGS.flatMap((lang) =>
    SOIL_HORIZONS.map((horizon) => ({
      horizon,
      name: languageOf(lang).labels.texture(horizon.usdaClass),
    })),
  );
  const exact = named.filter(({ name }) => foldTexture(name) === wanted);
  const similar = named.filter(({ name }) => foldTexture(name).includes(wanted));

  const found =
    [exact, similar].find(({ length }) => length > 0) ?? named.slice(0, SOIL_HORIZONS.length);
  // The first language that matches wins.
  const byHorizon = new Map(found.toReversed().map((texture) => [texture.horizon.id, texture]));

  return [...byHorizon.values()]
    .sort((a, b) => a.horizon.id - b.horizon.id)
    .map((texture) => ({ ...texture, isExact: exact.length > 0 }));
}
