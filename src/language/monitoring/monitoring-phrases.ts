import type { ThresholdBasis } from '../../domain/moisture/agronomic-state.ts';

/** A threshold in % of volume, as text, with what it rests on. */
export interface ThresholdFacts {
  readonly kind: ThresholdKind;
  readonly value: string;
  readonly basis: ThresholdBasis;
}

export type ThresholdKind = 'stressPoint' | 'fieldCapacity';

/** What is said of the agronomic state of a probe. */
export interface StatePhrases {
  readonly noSoilMoisture: string;
  noMoisture(name: string): string;
  /** The newest moisture and when it was: "24.1 % by volume today 11:45 (Europe/Paris)". */
  reading(value: string, at: string): string;
  state(name: string, state: 'saturated' | 'comfort' | 'stress', read: string): string;
  noThresholds(name: string, read: string): string;
  staleData(name: string, age: string, read: string): string;
  thresholds(known: readonly ThresholdFacts[]): string;
  readonly crossedThresholds: string;
  /** At least one. */
  missingThresholds(missing: readonly ThresholdKind[]): string;
}
