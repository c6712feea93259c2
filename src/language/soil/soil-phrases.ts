import type { UsdaClass } from '../../domain/soil/soil-catalog.ts';

/** A soil layer; depths in cm. */
export interface SoilLayerFacts {
  readonly texture: string;
  readonly top: number;
  readonly bottom: number;
}

/** What is said of soil profiles. */
export interface SoilPhrases {
  texture(usdaClass: UsdaClass): string;
  /** "Loam 0 to 40 cm". */
  layer(said: SoilLayerFacts): string;
  /** A layer with what it holds, in whole % of volume. */
  layerWithThresholds(said: SoilLayerFacts, fieldCapacity: number, wiltingPoint: number): string;
  noProfile(parcel: string): string;
  profile(parcel: string, layers: readonly string[]): string;
  /** Layers declared, none where others were closed alone. */
  declaredLayers(parcel: string, layers: readonly string[]): string;
  closedLayers(layers: readonly string[]): string;
  layersStillInForce(layers: readonly string[]): string;
  overlappingLayers(layers: readonly string[]): string;
  textures(named: readonly string[]): string;
}
