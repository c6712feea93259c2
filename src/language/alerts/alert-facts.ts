import type { AnnotationShape, ThresholdFill } from '../../domain/alerts/annotation.ts';

export interface AlertRuleFacts {
  readonly threshold: string;
  readonly resolveAt: string;
  readonly reminderTime: string;
  readonly zone: string;
}

/** Values in % of volume and instants, as text. */
export interface AlertStateFacts {
  readonly value: string | null;
  readonly at: string | null;
  readonly isStale: boolean;
  readonly since: string | null;
  readonly isBelow: boolean;
}

export interface BacktestFacts {
  readonly times: number;
  readonly isCut: boolean;
  readonly hoursBelow: string;
  readonly reminders: number;
}

export type HeightUnitCode = 'vwc' | 'vwc_max' | 'mm' | 'temperature' | 'tensio' | null;

export interface DrawingFacts {
  readonly shape: AnnotationShape;
  readonly threshold: ThresholdFill | null;
  /** Thresholds are used on the humidity curve only. */
  readonly counts: boolean;
  readonly height: string;
  readonly unit: HeightUnitCode;
  readonly when: string;
}
