import type { UsdaClass } from '../../domain/soil/soil-catalog.ts';

export interface SoilLayerFacts {
  readonly texture: string;
  /** Depths in cm. */
  readonly top: number;
  readonly bottom: number;
}

/** Layers in lists are texts that `layer` made. */
export interface SoilPhrases {
  texture(usdaClass: UsdaClass): string;
  /** "Loam 0 to 40 cm". */
  layer(layer: SoilLayerFacts): string;
  /** Thresholds in % of volume. */
  layerWithThresholds(layer: SoilLayerFacts, fieldCapacity: number, wiltingPoint: number): string;
  noProfile(parcel: string): string;
  profile(parcel: string, layers: readonly string[]): string;
  /** None where others were only closed. */
  declaredLayers(parcel: string, layers: readonly string[]): string;
  closedLayers(layers: readonly string[]): string;
  layersStillInForce(layers: readonly string[]): string;
  overlappingLayers(layers: readonly string[]): string;
  textures(names: readonly string[]): string;
}
