import type { ChartedRain, ChartedWatering } from '../../chart/moisture-chart.ts';
import type { ThemeColours } from '../../chart/theme.ts';
import type { Period } from '../../domain/periods.ts';
import type { AnnotationBody } from '../../schema/annotation.ts';
import type { AxisRange, Drawn, PlotLayout } from './plot-layout.ts';
import type { LinePoint } from './series.ts';
import type { ChartWords } from './words.ts';

export interface DrawnLine {
  readonly key: string;
  readonly colour: string;
  readonly segments: readonly (readonly LinePoint[])[];
}

/** Null ends are open: drawn up to now. */
export interface DrawnEpisode {
  readonly start: number;
  readonly end: number | null;
}

export interface DrawingProps {
  readonly drawn: Drawn;
  /** Null while it moves. */
  readonly view: Period | null;
  readonly layout: PlotLayout;
  readonly range: AxisRange;
  readonly colours: ThemeColours;
  readonly words: ChartWords;
  readonly now: number;
  readonly lines: readonly DrawnLine[];
  readonly waterings: readonly ChartedWatering[];
  readonly rain: readonly ChartedRain[];
  readonly episodes: readonly DrawnEpisode[];
  /** Where the alert is whose episodes are drawn. */
  readonly alertAt: number | null;
  readonly annotations: readonly AnnotationBody[];
}
