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

export interface SeriesPhrases {
  duration(facts: RoundedDuration): string;
  onlyMeasures(name: string, measured: MeasureKind, asked: MeasureKind): string;
  noSensor(name: string, measure: MeasureKind): string;
  noDataEver(name: string, measure: MeasureKind): string;
  staleData(name: string, measure: MeasureKind, age: string, at: string): string;
  noDataInPeriod(name: string, measure: MeasureKind, start: string, end: string, zone: string): string;
  newestReading(at: string): string;
  newestValue(name: string, measure: MeasureKind, depths: DepthRange | null, value: string, when: string): string;
  bucketMean(start: string, length: RoundedDuration | null): string;
  readonly onlyPoint: string;
  trend(facts: SeriesTrend): string;
  /** In whole %, 0 for less than one; null for none. */
  missingReadings(percent: number | null): string;
  missingAndAge(missing: string, age: string): string;
  silentDepths(depths: string, weightPercent: number): string;
  readonly unknownDepth: string;
  readonly differentDepths: string;
}
