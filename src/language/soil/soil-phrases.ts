import type { UsdaClass } from '../../domain/soil/soil-catalog.ts';

export interface SoilLayerFacts {
  readonly texture: string;
  readonly top: number;
  readonly bottom: number;
}

export interface SoilPhrases {
  texture(usdaClass: UsdaClass): string;
  /** "Loam 0 to 40 cm". */
  layer(layer: SoilLayerFacts): string;
  layerWithThresholds(layer: SoilLayerFacts, fieldCapacity: number, wiltingPoint: number): string;
  noProfile(parcel: string): string;
  profile(parcel: string, layers: readonly string[]): string;
  declaredLayers(parcel: string, layers: readonly string[]): string;
  closedLayers(layers: readonly string[]): string;
  layersStillInForce(layers: readonly string[]): string;
  overlappingLayers(layers: readonly string[]): string;
  textures(names: readonly string[]): string;
}
