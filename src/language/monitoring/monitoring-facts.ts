import type { ThresholdBasis } from '../../domain/moisture/agronomic-state.ts';
import type { GatewayBody } from '../../schema/company.ts';

export type ThresholdKind = 'stressPoint' | 'fieldCapacity';

export interface ThresholdFacts {
  readonly kind: ThresholdKind;
  readonly value: string;
  readonly basis: ThresholdBasis;
}

export interface GatewayHealthFacts {
  readonly name: string;
  readonly imei: string;
  readonly status: GatewayBody['status'];
  readonly lastContact: string;
  readonly soc: number | null;
  readonly level: number | null;
}
