import type { ThresholdBasis } from '../../domain/moisture/agronomic-state.ts';
import type { GatewayBody } from '../../schema/company.ts';

export type ThresholdKind = 'stressPoint' | 'fieldCapacity';

export interface ThresholdFacts {
  readonly kind: ThresholdKind;
  readonly value: string;
  readonly basis: ThresholdBasis;
}

export interface StatePhrases {
  readonly noSoilMoisture: string;
  noMoisture(name: string): string;
  reading(value: string, at: string): string;
  state(name: string, state: 'saturated' | 'comfort' | 'stress', reading: string): string;
  noThresholds(name: string, reading: string): string;
  staleData(name: string, age: string, reading: string): string;
  thresholds(thresholds: readonly ThresholdFacts[]): string;
  readonly crossedThresholds: string;
  missingThresholds(missing: readonly ThresholdKind[]): string;
}

export interface GatewayHealthFacts {
  readonly name: string;
  readonly imei: string;
  readonly status: GatewayBody['status'];
  readonly lastContact: string;
  readonly soc: number | null;
  readonly level: number | null;
}

export interface GatewayPhrases {
  readonly noContact: string;
  lastContact(at: string): string;
  readonly noMatch: string;
  faulty(imei: string, lastContact: string, modules: readonly string[]): string;
  list(names: string, faulty: readonly string[]): string;
  unplugged(name: string): string;
  health(health: GatewayHealthFacts): string;
}
