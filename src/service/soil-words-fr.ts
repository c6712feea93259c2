import { of } from '../domain/french.ts';
import type { SaidLayer, SoilWords } from './soil-words.ts';

const layer = ({ texture, top, bottom }: SaidLayer): string => `${texture} de ${top} à ${bottom} cm`;

export const frenchSoils: SoilWords = {
  layer,
  holding: (said, fieldCapacity, wiltingPoint) =>
    `${layer(said)} (capacité au champ ${fieldCapacity} %, point de flétrissement ${wiltingPoint} %)`,
  none: (parcel) =>
    `Aucun sol n’est déclaré pour ${parcel} : demandez sa texture et déclarez-la avec set_soil_profile.`,
  profile: (parcel, layers) => `Le sol ${of(parcel)}, de haut en bas : ${layers.join(' ; ')}.`,
  declared: (parcel, layers) =>
    `Déclaré pour ${parcel} à partir de maintenant : ${layers.length === 0 ? 'rien de nouveau' : layers.join(', ')}.`,
  closed: (layers) => `Closes, et gardées pour le passé : ${layers.join(', ')}.`,
  kept: (layers) => `Toujours en vigueur : ${layers.join(', ')}.`,
  overlapping: (layers) =>
    `${layers.join(', ')} ${layers.length === 1 ? 'chevauche' : 'chevauchent'} ce qui est déclaré : là où deux couches couvrent une profondeur, celle qui commence le plus bas compte. closeOthers true clôt les autres.`,
  textures: (named) =>
    `${named.length} classes de texture, de la plus sableuse à la moins sableuse : ${named.join(', ')}.`,
};
