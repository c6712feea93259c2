import { englishNoun } from '../en/grammar.ts';
import { nextCall, sameCallWith } from '../next-calls.ts';

export interface SoilLayerFacts {
  readonly texture: string;
  readonly top: number;
  readonly bottom: number;
}

/** Those that stay in force beside the declared ones. */
interface OtherLayers {
  readonly layers: readonly string[];
  /** False if closing them would remove soil above or between the declared layers. */
  readonly areAllBelow: boolean;
}

const formatLayer = ({ texture, top, bottom }: SoilLayerFacts): string =>
  `${texture} ${top} to ${bottom} cm`;

export const soilPhrases = {
  layer: formatLayer,
  layerWithThresholds: (layer: SoilLayerFacts, fieldCapacity: number, wiltingPoint: number) =>
    `${formatLayer(layer)} (field capacity ${fieldCapacity} %, wilting point ${wiltingPoint} %)`,
  noProfile: (parcel: string) =>
    `No soil is declared for ${parcel}: ask for its texture, then declare it.${nextCall('set_soil_profile')}`,
  profile: (parcel: string, layers: readonly string[]) =>
    `The soil of ${parcel} from the top: ${layers.join('; ')}.`,
  declaredLayers: (parcel: string, layers: readonly string[], others: OtherLayers) =>
    `Declared for ${parcel} from now on: ${layers.length === 0 ? 'nothing new' : layers.join(', ')}${soilPhrases.otherLayers(others)}.`,
  otherLayers: ({ layers, areAllBelow }: OtherLayers) =>
    layers.length === 0
      ? ''
      : `; ${layers.join(', ')} ${englishNoun(layers.length, 'stays', 'stay')} from before${areAllBelow ? `, unless what you declared is the whole soil${sameCallWith('closeOthers: true', `if these layers are the whole profile: it removes ${layers.join(' and ')}`)}` : ''}`,
  closedLayers: (layers: readonly string[]) =>
    `Closed, and kept for past dates: ${layers.join(', ')}.`,
  layersAsBefore: `The same layers were in force before: if they were declared twice by mistake, take these back.${nextCall('undo')}`,
  layersStillInForce: (layers: readonly string[]) => `Still in force: ${layers.join(', ')}.`,
  overlappingLayers: (layers: readonly string[]) =>
    `${layers.join(', ')} ${englishNoun(layers.length, 'overlaps', 'overlap')} the declared layers: where two cover a depth, the one that starts deeper counts.`,
  textures: (names: readonly string[]) =>
    `${names.length} texture classes, sandiest first: ${names.join(', ')}.`,
};
