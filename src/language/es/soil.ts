import type { UsdaClass } from '../../domain/soil/soil-catalog.ts';
import type { Language } from '../en/index.ts';
import type { SoilLayerFacts } from '../en/soil.ts';

const TEXTURE_NAMES: Record<UsdaClass, string> = {
  Sand: 'Arena',
  'Loamy sand': 'Arena franca',
  'Sandy loam': 'Franco arenoso',
  'Sandy clay loam': 'Franco arcillo-arenoso',
  'Sandy clay': 'Arcilla arenosa',
  Loam: 'Franco',
  'Clay loam': 'Franco arcilloso',
  Clay: 'Arcilla',
  'Silt loam': 'Franco limoso',
  Silt: 'Limo',
  'Silty clay loam': 'Franco arcillo-limoso',
  'Silty clay': 'Arcilla limosa',
};

const formatLayer = ({ texture, top, bottom }: SoilLayerFacts): string => `${texture} de ${top} a ${bottom} cm`;

export const spanishSoil: Language['soil'] = {
  texture: (usdaClass) => TEXTURE_NAMES[usdaClass],
  layer: formatLayer,
  layerWithThresholds: (layer, fieldCapacity, wiltingPoint) =>
    `${formatLayer(layer)} (capacidad de campo ${fieldCapacity} %, punto de marchitez ${wiltingPoint} %)`,
  noProfile: (parcel) =>
    `No hay ningún suelo declarado para ${parcel}: pregunte su textura y declárela con set_soil_profile.`,
  profile: (parcel, layers) => `El suelo de ${parcel}, de arriba abajo: ${layers.join('; ')}.`,
  declaredLayers: (parcel, layers) =>
    `Declarado para ${parcel} a partir de ahora: ${layers.length === 0 ? 'nada nuevo' : layers.join(', ')}.`,
  closedLayers: (layers) => `Cerradas, y conservadas para el pasado: ${layers.join(', ')}.`,
  layersStillInForce: (layers) => `Siguen en vigor: ${layers.join(', ')}.`,
  overlappingLayers: (layers) =>
    `${layers.join(', ')} ${layers.length === 1 ? 'se solapa' : 'se solapan'} con lo declarado: donde dos capas cubren una profundidad, cuenta la que empieza más abajo. closeOthers true cierra las demás.`,
  textures: (names) => `${names.length} clases de textura, de la más arenosa a la menos arenosa: ${names.join(', ')}.`,
};
