import { firstOf } from '../../domain/items.ts';
import { LANGS, type Lang } from '../../domain/lang.ts';
import { CROP_DEPLETIONS, CROPS, type Crop } from '../../domain/soil/allowed-depletion.ts';
import { SOIL_HORIZONS, type SoilHorizon } from '../../domain/soil/soil-catalog.ts';
import { foldText } from '../../domain/strings.ts';
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

/** Free text that names a greenhouse or tunnel, in any language. */
export function isUnderCover(text: string): boolean {
  const spoken = ` ${cropWords(text).join(' ')} `;
  return LANGS.some((lang) => {
    const { greenhouse, tunnel } = languageOf(lang).names.descriptors;
    return [greenhouse, tunnel]
      .flatMap((names) => names.split(', '))
      .some((name) => spoken.includes(` ${cropWords(name).join(' ')} `));
  });
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
