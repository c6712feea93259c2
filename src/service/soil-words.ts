/** A soil layer; depths in cm. */
export interface SaidLayer {
  readonly texture: string;
  readonly top: number;
  readonly bottom: number;
}

/** What is said of soil profiles. */
export interface SoilWords {
  /** "Loam 0 to 40 cm". */
  layer(said: SaidLayer): string;
  /** A layer with what it holds, in whole % of volume. */
  holding(said: SaidLayer, fieldCapacity: number, wiltingPoint: number): string;
  none(parcel: string): string;
  profile(parcel: string, layers: readonly string[]): string;
  /** Layers declared, none where others were closed alone. */
  declared(parcel: string, layers: readonly string[]): string;
  closed(layers: readonly string[]): string;
  kept(layers: readonly string[]): string;
  overlapping(layers: readonly string[]): string;
  textures(named: readonly string[]): string;
}
