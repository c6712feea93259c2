import type { Lang } from '../domain/lang.ts';
import type { Measure } from '../domain/moisture/measurement.ts';
import type { UnitSystem } from '../domain/units.ts';
import type { ChartTheme, MoistureChartView } from '../schema/advice/moisture-chart.ts';

/** Instants in ms since 1970 UTC, depths in cm, soil moisture in % by volume. */
export interface MoistureChart {
  readonly name: string;
  readonly parcel: string | null;
  readonly start: number;
  readonly end: number;
  readonly now: number;
  readonly zone: string;
  readonly lang: Lang;
  readonly units: UnitSystem;
  readonly theme: ChartTheme;
  readonly view: MoistureChartView;
  readonly measure: Measure;
  /** Null for raw readings. */
  readonly intervalMs: number | null;
  readonly curve: readonly CurvePoint[];
  readonly depths: readonly ChartedDepth[];
  readonly newestAt: number | null;
  /** Null if the newest reading is not in the period. */
  readonly newestValue: number | null;
  /** The field capacity, or the wet level of a tensiometer. */
  readonly wetLevel: number | null;
  /** The stress point, or the dry level of a tensiometer. */
  readonly dryLevel: number | null;
  /** Null unless a line is drawn for it. */
  readonly wiltingPoint: number | null;
  /** Thresholds of alerts, in the unit of the curve. */
  readonly alertLevels: readonly number[];
  readonly waterings: readonly ChartedWatering[];
  readonly rain: readonly ChartedRain[];
}

interface ChartedDepth {
  readonly depth: number | null;
  readonly points: readonly CurvePoint[];
}

export interface ChartedWatering {
  readonly at: number;
  readonly durationMin: number | null;
  readonly mm: number | null;
  readonly isPlanned: boolean;
  /** It counts as done, and nobody saw it. */
  readonly isAssumed?: boolean;
}

/** The rain of a local day. */
export interface ChartedRain {
  /** Midnight at the start of the day. */
  readonly at: number;
  readonly mm: number;
}

export interface CurvePoint {
  readonly at: number;
  readonly value: number | null;
}
