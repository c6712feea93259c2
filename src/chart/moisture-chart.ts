import type { Lang } from '../domain/lang.ts';
import type { ChartMeasure, ChartTheme, ChartView } from '../schema/chart-options.ts';

/** What the picture of a probe is drawn from. Instants in ms since 1970 UTC. */
export interface MoistureChart {
  /** Of the probe. */
  readonly name: string;
  readonly parcel: string | null;
  readonly start: number;
  /** Excluded. */
  readonly end: number;
  readonly now: number;
  readonly zone: string;
  readonly lang: Lang;
  readonly theme: ChartTheme;
  readonly view: ChartView;
  readonly measure: ChartMeasure;
  /** Length of a bucket in ms, drawn at its middle; null for raw readings. */
  readonly intervalMs: number | null;
  readonly curve: readonly CurvePoint[];
  readonly depths: readonly ChartedDepth[];
  /** Of all readings, also outside of the period. */
  readonly newestAt: number | null;
  /** % by volume. */
  readonly fieldCapacity: number | null;
  readonly stressPoint: number | null;
  /** Thresholds of active alerts, % by volume. */
  readonly alerts: readonly number[];
  readonly waterings: readonly ChartedWatering[];
}

export interface ChartedDepth {
  /** cm; null for a sensor without one. */
  readonly depth: number | null;
  readonly points: readonly CurvePoint[];
}

export interface ChartedWatering {
  readonly at: number;
  readonly durationMin: number | null;
  /** Dose over the whole area; null if unknown. */
  readonly mm: number | null;
  readonly isPlanned: boolean;
}

export interface CurvePoint {
  readonly at: number;
  /** Null if the reading is missing. */
  readonly value: number | null;
}
