/** Drawings over curves: what belongs together in one, and which of them drive an alert. Source: spec, "Annotation". */

export const CHART_TYPES = ['humidity', 'humidity-detail', 'humidity-heatmap', 'temperature', 'tensio'] as const;
export type ChartType = (typeof CHART_TYPES)[number];

/** Shapes; `line` is the one that older annotations carry. */
export const ANNOTATION_SHAPES = [
  'h-line',
  'v-line',
  'segment',
  'ray',
  'infinite',
  'arrow',
  'h-free',
  'rect',
  'text',
  'line',
] as const;
export type AnnotationShape = (typeof ANNOTATION_SHAPES)[number];

export const ANNOTATION_UNITS = ['vwc', 'vwc_max', 'mm'] as const;
export type AnnotationUnit = (typeof ANNOTATION_UNITS)[number];

/** An instant in ms since 1970 UTC, and a value in the drawing's unit. */
export type AnnotationPoint = readonly [at: number, value: number];

/** What a drawing looks like and says; each is absent where none was given. */
export interface AnnotationContent {
  readonly style?: Readonly<Record<string, unknown>> | undefined;
  readonly text?: string | undefined;
}

export interface AnnotationDrawing {
  readonly chartType: ChartType;
  readonly shape: AnnotationShape;
  readonly unit: AnnotationUnit | null;
  readonly p1: AnnotationPoint;
  readonly p2: AnnotationPoint | null;
  readonly content: AnnotationContent;
}

/** Curves whose drawings say in which unit their heights are. */
const CHART_TYPES_WITH_UNIT: readonly ChartType[] = ['humidity', 'humidity-detail'];

/** Shapes that are nothing without a second point. */
const SHAPES_WITH_TWO_POINTS: readonly AnnotationShape[] = ['segment', 'ray', 'infinite', 'arrow', 'rect'];

/** The unit of a drawing: as asked, vwc where the curve has units and none was asked, null on other curves. */
export function resolveAnnotationUnit(
  chartType: ChartType,
  requested: AnnotationUnit | null | undefined,
): { unit: AnnotationUnit | null } | { refusal: 'unit_elsewhere' } {
  if (CHART_TYPES_WITH_UNIT.includes(chartType)) return { unit: requested ?? 'vwc' };
  return requested == null ? { unit: null } : { refusal: 'unit_elsewhere' };
}

/** Marks of the agronomic thresholds in a line's style.fill: field capacity and wilting point. */
export const THRESHOLD_FILLS = ['threshold1', 'threshold2'] as const;
export type ThresholdFill = (typeof THRESHOLD_FILLS)[number];

const thresholdFillOfStyle = ({ style }: AnnotationContent): ThresholdFill | null =>
  THRESHOLD_FILLS.find((fill) => fill === style?.fill) ?? null;

/** Which agronomic threshold a drawing is, or null: an h-line so marked, in vwc. */
export const thresholdFillOf = ({ shape, unit, content }: AnnotationDrawing): ThresholdFill | null =>
  shape === 'h-line' && unit === 'vwc' ? thresholdFillOfStyle(content) : null;

export type DrawingFault = 'second_point_missing' | 'threshold_unit' | 'threshold_shape' | 'threshold_height';

/** Why a drawing cannot stand, or null. A threshold is an h-line at 0 to 100 % volumetric water content. */
export function findDrawingFault(drawing: AnnotationDrawing): DrawingFault | null {
  if (drawing.p2 === null && SHAPES_WITH_TWO_POINTS.includes(drawing.shape)) return 'second_point_missing';
  if (thresholdFillOfStyle(drawing.content) === null) return null;
  if (drawing.unit !== 'vwc') return 'threshold_unit';
  if (drawing.shape !== 'h-line') return 'threshold_shape';
  return lineHeightInUnit(drawing) >= 0 && lineHeightInUnit(drawing) <= 100 ? null : 'threshold_height';
}

/** Height of an h-line, in its unit. */
export const lineHeightInUnit = ({ p1 }: Pick<AnnotationDrawing, 'p1'>): number => p1[1];

/** The lines on the summary curve that mark a threshold, of drawings from oldest to newest: the last one counts. */
export const thresholdLines = <D extends AnnotationDrawing>(drawings: readonly D[], fill: ThresholdFill): D[] =>
  drawings.filter((drawing) => drawing.chartType === 'humidity' && thresholdFillOf(drawing) === fill);

/** A line's points with the line at another height. */
export const pointsAtHeight = (
  { p1, p2 }: Pick<AnnotationDrawing, 'p1' | 'p2'>,
  height: number,
): { p1: AnnotationPoint; p2: AnnotationPoint | null } => ({ p1: [p1[0], height], p2: p2 && [p2[0], height] });

/** The content after a change: what is sent is all there is, and where nothing is sent it stays. */
export function updateContent(
  current: AnnotationContent,
  change: AnnotationContent & { readonly content?: AnnotationContent | undefined },
): AnnotationContent {
  const { content, ...parts } = change;
  const replacement = { ...omitAbsentContent(content ?? {}), ...omitAbsentContent(parts) };
  return content === undefined && Object.keys(replacement).length === 0 ? current : replacement;
}

/** Content without the parts that were not given. */
export const omitAbsentContent = ({ style, text }: AnnotationContent): AnnotationContent => ({
  ...(style !== undefined && { style }),
  ...(text !== undefined && { text }),
});

/** A wilting-point line as its alert sees it: height in % volumetric water content. */
export interface WiltingPointLine {
  readonly id: string;
  readonly height: number;
}

export interface LineAlertChanges {
  /** Lines whose alert is disabled: they are no wilting points any more, or another one counts now. */
  readonly disable: readonly string[];
  /** Lines whose alert moves to their height, enabled or not. */
  readonly update: readonly WiltingPointLine[];
  /** The line that counts from now on: its alert is created or enabled again, at its height. */
  readonly enable: WiltingPointLine | null;
}

/**
 * What the alerts do when the wilting-point lines of a probe, oldest first, change: the newest one's watches. While the same
 * line counts, nothing is enabled, so that an alert that a person has disabled stays so.
 */
export function planLineAlertChanges(
  before: readonly WiltingPointLine[],
  after: readonly WiltingPointLine[],
): LineAlertChanges {
  const [countedId, counting] = [before.at(-1)?.id, after.at(-1)];
  const enable = counting !== undefined && counting.id !== countedId ? counting : null;
  const isGone = ({ id }: WiltingPointLine): boolean => !after.some((line) => line.id === id);
  return {
    disable: before.filter((line) => isGone(line) || (line.id === countedId && enable !== null)).map(({ id }) => id),
    update: after.filter(
      ({ id, height }) => id !== enable?.id && before.some((line) => line.id === id && line.height !== height),
    ),
    enable,
  };
}
