import type { Lang } from '../domain/lang.ts';
import type { ChartMeasure, ChartTheme, ChartView } from '../schema/chart-options.ts';

/** Everything that the picture of a probe is drawn from. Instants in ms since 1970 UTC. */
export interface MoistureChart {
  /** The probe, and the parcel it stands in. */
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
  /** Length of a bucket in ms, null for raw instants. A bucket is drawn at its middle. */
  readonly intervalMs: number | null;
  readonly curve: readonly CurvePoint[];
  readonly depths: readonly ChartedDepth[];
  /** The newest reading there is at all, also outside of the period. */
  readonly newestAt: number | null;
  /** % by volume. */
  readonly fieldCapacity: number | null;
  readonly stressPoint: number | null;
  /** Thresholds of alerts in force, % by volume. */
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
  /** Dose over the whole area, null where it is not known. */
  readonly mm: number | null;
  readonly isPlanned: boolean;
}
/** A value of a curve; null where there should be one and is none. Instants in ms, in order. */

export interface CurvePoint {
  readonly at: number;
  readonly value: number | null;
}
