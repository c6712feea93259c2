/** What a curve measures: a station's humidity is that of the air. */
export type SaidMeasure = 'moisture' | 'air_humidity' | 'temperature' | 'tension';

export interface SaidLength {
  readonly count: number;
  readonly unit: 'day' | 'hour' | 'minute' | 'second';
}

/** Where the figure of a curve comes from; depths in cm. */
export interface SaidDepths {
  readonly first: number;
  readonly last: number;
  readonly count: number;
  readonly basis: 'depth_weights' | 'root_uptake' | 'equal';
}

/** A figure, and when it was; both as text. */
export interface SaidPoint {
  readonly value: string;
  readonly at: string;
}

/** What became of a curve since its first point. */
export interface SaidCourse {
  readonly measure: SaidMeasure;
  readonly first: SaidPoint;
  readonly min: SaidPoint;
  readonly max: SaidPoint;
  readonly direction: 'up' | 'down' | 'level';
  /** Without its sign. */
  readonly change: number;
  /** How long the means last that the extremes are of; null for readings. */
  readonly mean: SaidLength | null;
}

/** What is said of a series. */
export interface SeriesWords {
  /** "15 minutes", "26 hours", "3 days". */
  length(said: SaidLength): string;
  measuresAlone(name: string, measured: SaidMeasure, asked: SaidMeasure): string;
  noSensor(name: string, measure: SaidMeasure): string;
  neverSent(name: string, measure: SaidMeasure): string;
  /** `at` with its zone. */
  old(name: string, measure: SaidMeasure, age: string, at: string): string;
  noneWithin(name: string, measure: SaidMeasure, start: string, end: string, zone: string): string;
  newestReading(at: string): string;
  /** The newest value; null depths where none is known. */
  newest(name: string, measure: SaidMeasure, depths: SaidDepths | null, value: string, when: string): string;
  /** When a bucket is, from its start on, with how long it lasts where the period does not cut it. */
  bucket(start: string, length: SaidLength | null): string;
  readonly onlyPoint: string;
  course(said: SaidCourse): string;
  /** Share of the readings that are missing, in whole %, 0 for less than one; null for none. */
  missing(percent: number | null): string;
  /** The same with the age of the newest reading. */
  missingAndAge(missing: string, age: string): string;
  /** Depths without a value, and the share of the weights that is left in %. */
  silent(depths: string, weightPercent: number): string;
  readonly unknownDepth: string;
  readonly differentDepths: string;
}
