/** What a curve measures: a station's humidity is that of the air. */
export type MeasureKind = 'moisture' | 'air_humidity' | 'temperature' | 'tension';

export interface RoundedDuration {
  readonly count: number;
  readonly unit: 'day' | 'hour' | 'minute' | 'second';
}

export interface DepthRange {
  readonly first: number;
  readonly last: number;
  readonly count: number;
  readonly basis: 'depth_weights' | 'root_uptake' | 'equal';
}

export interface PointText {
  readonly value: string;
  readonly at: string;
}

export interface SeriesTrend {
  readonly measure: MeasureKind;
  readonly first: PointText;
  readonly min: PointText;
  readonly max: PointText;
  readonly direction: 'up' | 'down' | 'level';
  /** Without its sign. */
  readonly change: number;
  readonly mean: RoundedDuration | null;
}
