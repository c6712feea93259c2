import { LANGS } from '../../domain/lang.ts';
import { SOIL_HORIZONS, type SoilHorizon } from '../../domain/soil/soil-catalog.ts';
import { languageOf } from '../index.ts';
import { foldText } from '../text.ts';

export interface FoundTexture {
  readonly horizon: SoilHorizon;
  readonly name: string;
  readonly isExact: boolean;
}

const MAX_NAME_LENGTH = 100;

const foldTexture = (text: string): string => foldText(text.slice(0, MAX_NAME_LENGTH)).replace(/[\s-]+/g, ' ');

/**
 * Classes with exactly this name in one of the languages; else those with a name that contains it, or all. A part of a
 * name is never enough: "loamy" soil is seldom a loamy sand.
 */
export function findTextures(text: string): FoundTexture[] {
  const wanted = foldTexture(text);
  const named = LANGS.flatMap((lang) =>
    SOIL_HORIZONS.map((horizon) => ({ horizon, name: languageOf(lang).soil.texture(horizon.usdaClass) })),
  );
  const exact = named.filter(({ name }) => foldTexture(name) === wanted);
  const similar = named.filter(({ name }) => foldTexture(name).includes(wanted));
  const found = [exact, similar].find(({ length }) => length > 0) ?? named.slice(0, SOIL_HORIZONS.length);
  const first = new Map(found.toReversed().map((each) => [each.horizon.id, each]));
  return [...first.values()]
    .sort((a, b) => a.horizon.id - b.horizon.id)
    .map((each) => ({ ...each, isExact: exact.length > 0 }));
}
