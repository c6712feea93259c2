import type { ThresholdBasis } from '../domain/agronomic-state.ts';

/** A threshold in % of volume, as text, with what it rests on. */
export interface SaidThreshold {
  readonly kind: ThresholdKind;
  readonly value: string;
  readonly restsOn: ThresholdBasis;
}

export type ThresholdKind = 'stressPoint' | 'fieldCapacity';

/** What is said of the agronomic state of a probe. */
export interface StateWords {
  readonly noSoilMoisture: string;
  noMoisture(name: string): string;
  /** The newest moisture and when it was: "24.1 % by volume today 11:45 (Europe/Paris)". */
  read(value: string, at: string): string;
  stands(name: string, state: 'saturated' | 'comfort' | 'stress', read: string): string;
  noThresholds(name: string, read: string): string;
  old(name: string, age: string, read: string): string;
  thresholds(known: readonly SaidThreshold[]): string;
  readonly crossed: string;
  /** At least one. */
  undeclared(missing: readonly ThresholdKind[]): string;
}
