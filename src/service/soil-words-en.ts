import type { SaidLayer, SoilWords } from './soil-words.ts';

const layer = ({ texture, top, bottom }: SaidLayer): string => `${texture} ${top} to ${bottom} cm`;

export const englishSoils: SoilWords = {
  layer,
  holding: (said, fieldCapacity, wiltingPoint) =>
    `${layer(said)} (field capacity ${fieldCapacity} %, wilting point ${wiltingPoint} %)`,
  none: (parcel) => `No soil is declared for ${parcel}: ask for its texture and declare it with set_soil_profile.`,
  profile: (parcel, layers) => `The soil of ${parcel}, top down: ${layers.join('; ')}.`,
  declared: (parcel, layers) =>
    `Declared for ${parcel} from now on: ${layers.length === 0 ? 'nothing new' : layers.join(', ')}.`,
  closed: (layers) => `Closed, and kept for the past: ${layers.join(', ')}.`,
  kept: (layers) => `Still in force: ${layers.join(', ')}.`,
  overlapping: (layers) =>
    `${layers.join(', ')} ${layers.length === 1 ? 'overlaps' : 'overlap'} what was declared: where two cover a depth, the one that starts deeper counts. closeOthers true closes the others.`,
  textures: (named) => `${named.length} texture classes, from the sandiest on: ${named.join(', ')}.`,
};
