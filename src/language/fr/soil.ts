import type { UsdaClass } from '../../domain/soil/soil-catalog.ts';
import type { Language } from '../en/index.ts';
import type { SoilLayerFacts } from '../en/soil.ts';

import { withDe } from './grammar.ts';

const TEXTURE_NAMES: Record<UsdaClass, string> = {
  Sand: 'Sable',
  'Loamy sand': 'Sable limoneux',
  'Sandy loam': 'Limon sableux',
  'Sandy clay loam': 'Limon argilo-sableux',
  'Sandy clay': 'Argile sableuse',
  Loam: 'Limon',
  'Clay loam': 'Limon argileux',
  Clay: 'Argile',
  'Silt loam': 'Limon fin',
  Silt: 'Limon très fin',
  'Silty clay loam': 'Limon argileux fin',
  'Silty clay': 'Argile limoneuse',
};

const formatLayer = ({ texture, top, bottom }: SoilLayerFacts): string => `${texture} de ${top} à ${bottom} cm`;

export const frenchSoil: Language['soil'] = {
  texture: (usdaClass) => TEXTURE_NAMES[usdaClass],
  layer: formatLayer,
  layerWithThresholds: (layer, fieldCapacity, wiltingPoint) =>
    `${formatLayer(layer)} (capacité au champ ${fieldCapacity} %, point de flétrissement ${wiltingPoint} %)`,
  noProfile: (parcel) =>
    `Aucun sol n’est déclaré pour ${parcel} : demandez sa texture et déclarez-la avec set_soil_profile.`,
  profile: (parcel, layers) => `Le sol ${withDe(parcel)}, de haut en bas : ${layers.join(' ; ')}.`,
  declaredLayers: (parcel, layers) =>
    `Déclaré pour ${parcel} à partir de maintenant : ${layers.length === 0 ? 'rien de nouveau' : layers.join(', ')}.`,
  closedLayers: (layers) => `Closes, et gardées pour les dates passées : ${layers.join(', ')}.`,
  layersStillInForce: (layers) => `Toujours en vigueur : ${layers.join(', ')}.`,
  overlappingLayers: (layers) =>
    `${layers.join(', ')} ${layers.length === 1 ? 'chevauche' : 'chevauchent'} les couches déclarées : là où deux couches couvrent une profondeur, celle qui commence le plus bas compte. Avec closeOthers true, les autres sont closes.`,
  textures: (names) =>
    `${names.length} classes de texture, de la plus sableuse à la moins sableuse : ${names.join(', ')}.`,
};
