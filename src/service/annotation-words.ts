import type { AnnotationShape, ChartType, ThresholdFill } from '../domain/annotation.ts';

/** The unit of a height: of moisture, of the measure of a curve, or null where it has none. */
export type HeightUnitCode = 'vwc' | 'vwc_max' | 'mm' | 'temperature' | 'tensio' | null;

/** A drawing in parts that are said. */
export interface DrawingFacts {
  readonly shape: AnnotationShape;
  readonly threshold: ThresholdFill | null;
  /** A threshold that counts is on the humidity curve. */
  readonly counts: boolean;
  readonly height: string;
  readonly unit: HeightUnitCode;
  /** When it is, with its zone. */
  readonly when: string;
}

/** What is said of what is drawn on a curve. */
export interface AnnotationPhrases {
  /** "the wilting point as a line at 14 % (vwc)", "a segment, today 06:00 to 07:00 (Europe/Paris)". */
  drawing(said: DrawingFacts): string;
  created(chart: ChartType, name: string, drawing: string): string;
  updated(chart: ChartType, name: string, drawing: string): string;
  readonly deleted: string;
  nothingDrawn(chart: ChartType, name: string): string;
  /** How many there are, and the thresholds that count. */
  list(chart: ChartType, name: string, count: number, counting: readonly string[]): string;
  /** How many older ones are not shown. */
  olderOmitted(count: number): string;
  readonly noSoilMoisture: string;
  contentPartRemoved(part: 'style' | 'text'): string;
}
