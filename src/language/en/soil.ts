import type { UsdaClass } from '../../domain/soil/soil-catalog.ts';
import type { SoilLayerFacts, SoilPhrases } from '../soil/soil-phrases.ts';
import { englishNoun } from './grammar.ts';

const TEXTURE_NAMES: Record<UsdaClass, string> = {
  Sand: 'Sand',
  'Loamy sand': 'Loamy sand',
  'Sandy loam': 'Sandy loam',
  'Sandy clay loam': 'Sandy clay loam',
  'Sandy clay': 'Sandy clay',
  Loam: 'Loam',
  'Clay loam': 'Clay loam',
  Clay: 'Clay',
  'Silt loam': 'Silt loam',
  Silt: 'Silt',
  'Silty clay loam': 'Silty clay loam',
  'Silty clay': 'Silty clay',
};

const formatLayer = ({ texture, top, bottom }: SoilLayerFacts): string => `${texture} ${top} to ${bottom} cm`;

export const englishSoil: SoilPhrases = {
  texture: (usdaClass) => TEXTURE_NAMES[usdaClass],
  layer: formatLayer,
  layerWithThresholds: (layer, fieldCapacity, wiltingPoint) =>
    `${formatLayer(layer)} (field capacity ${fieldCapacity} %, wilting point ${wiltingPoint} %)`,
  noProfile: (parcel) =>
    `No soil is declared for ${parcel}: ask for its texture, then declare it with set_soil_profile.`,
  profile: (parcel, layers) => `The soil of ${parcel} from the top: ${layers.join('; ')}.`,
  declaredLayers: (parcel, layers) =>
    `Declared for ${parcel} from now on: ${layers.length === 0 ? 'nothing new' : layers.join(', ')}.`,
  closedLayers: (layers) => `Closed, and kept for past dates: ${layers.join(', ')}.`,
  layersStillInForce: (layers) => `Still in force: ${layers.join(', ')}.`,
  overlappingLayers: (layers) =>
    `${layers.join(', ')} ${englishNoun(layers.length, 'overlaps', 'overlap')} the declared layers: where two cover a depth, the one that starts deeper counts. Use closeOthers true to close the others.`,
  textures: (names) => `${names.length} texture classes, sandiest first: ${names.join(', ')}.`,
};
