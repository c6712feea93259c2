import type { SoilLayer } from './pyfao56.ts';

/** A field trial in which soil water was measured by layer. Days are midnight UTC. */
export interface Trial {
  readonly name: string;
  /** As somebody names the crop of a parcel. */
  readonly crop: string;
  readonly plantedOn: number;
  readonly latitude: number;
  readonly weather: readonly TrialWeather[];
  readonly treatments: readonly Treatment[];
}

export interface TrialWeather {
  readonly day: number;
  readonly temperatureMin: number;
  readonly temperatureMax: number;
  /** In %; null where unknown, as wind and radiation. */
  readonly humidityMin: number | null;
  readonly humidityMax: number | null;
  /** At 2 m. */
  readonly windMs: number | null;
  /** MJ/m2. */
  readonly radiationMj: number | null;
  readonly rainMm: number;
}

export interface Treatment {
  readonly name: string;
  /** Of the deepest roots, as somebody would declare them. */
  readonly rootDepthCm: number;
  /** From the surface down. */
  readonly soil: readonly SoilLayer[];
  /** Measured at the end of their days, oldest first. */
  readonly profiles: readonly TrialProfile[];
  /** mm by day. */
  readonly irrigation: ReadonlyMap<number, number>;
  /** t/ha; null where none is given. */
  readonly yieldTPerHa: number | null;
}

export interface TrialProfile {
  readonly day: number;
  /** Water in m3/m3. */
  readonly layers: readonly { readonly bottomCm: number; readonly water: number }[];
}
