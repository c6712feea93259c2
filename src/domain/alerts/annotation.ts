import { MAX_TENSION_KPA } from '../moisture/agronomic-state.ts';

export const CHART_TYPES = [
  'humidity',
  'humidity-detail',
  'humidity-heatmap',
  'temperature',
  'tensio',
] as const;
export type ChartType = (typeof CHART_TYPES)[number];

/** `line` occurs in stored annotations only. */
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

export type AnnotationPoint = readonly [at: number, value: number];

interface AnnotationContent {
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

const CHART_TYPES_WITH_UNIT: readonly ChartType[] = ['humidity', 'humidity-detail'];

const SHAPES_WITH_TWO_POINTS: readonly AnnotationShape[] = [
  'segment',
  'ray',
  'infinite',
  'arrow',
  'rect',
];

export function resolveAnnotationUnit(
  chartType: ChartType,
  requested: AnnotationUnit | null | undefined,
): { unit: AnnotationUnit | null } | { refusal: 'unit_elsewhere' } {
  if (CHART_TYPES_WITH_UNIT.includes(chartType)) return { unit: requested ?? 'vwc' };
  return requested == null ? { unit: null } : { refusal: 'unit_elsewhere' };
}

/** Values of style.fill: field capacity and wilting point. */
const THRESHOLD_FILLS = ['threshold1', 'threshold2'] as const;
export type ThresholdFill = (typeof THRESHOLD_FILLS)[number];

/** Values of style.fill on the tensio curve: levels in kPa. */
const TENSION_FILLS = ['wet', 'dry'] as const;
export type TensionFill = (typeof TENSION_FILLS)[number];

const tensionFillOfStyle = ({ style }: AnnotationContent): TensionFill | null =>
  TENSION_FILLS.find((fill) => fill === style?.fill) ?? null;

export const tensionFillOf = ({
  chartType,
  shape,
  content,
}: AnnotationDrawing): TensionFill | null =>
  chartType === 'tensio' && shape === 'h-line' ? tensionFillOfStyle(content) : null;

/** Drawings and lines are oldest first: the last line counts. */
export const tensionLines = <D extends AnnotationDrawing>(
  drawings: readonly D[],
  fill: TensionFill,
): D[] => drawings.filter((drawing) => tensionFillOf(drawing) === fill);

const thresholdFillOfStyle = ({ style }: AnnotationContent): ThresholdFill | null =>
  THRESHOLD_FILLS.find((fill) => fill === style?.fill) ?? null;

export const thresholdFillOf = ({
  shape,
  unit,
  content,
}: AnnotationDrawing): ThresholdFill | null =>
  shape === 'h-line' && unit === 'vwc' ? thresholdFillOfStyle(content) : null;

export type LineFill = ThresholdFill | TensionFill;

/** Null for a drawing on which no agronomic state depends. */
export const lineFillOf = (drawing: AnnotationDrawing): LineFill | null =>
  thresholdFillOf(drawing) ?? tensionFillOf(drawing);

export type DrawingFault =
  | 'second_point_missing'
  | 'threshold_unit'
  | 'threshold_shape'
  | 'threshold_height'
  | 'threshold_fraction'
  | 'tension_chart'
  | 'tension_height';

export function findDrawingFault(drawing: AnnotationDrawing): DrawingFault | null {
  if (drawing.p2 === null && SHAPES_WITH_TWO_POINTS.includes(drawing.shape))
    return 'second_point_missing';

  const height = lineHeightInUnit(drawing);
  if (tensionFillOfStyle(drawing.content) !== null) {
    if (drawing.chartType !== 'tensio') return 'tension_chart';
    if (drawing.shape !== 'h-line') return 'threshold_shape';
    return height > 0 && height <= MAX_TENSION_KPA ? null : 'tension_height';
  }

  if (thresholdFillOfStyle(drawing.content) === null) return null;
  if (drawing.unit !== 'vwc') return 'threshold_unit';
  if (drawing.shape !== 'h-line') return 'threshold_shape';
  if (height < 0 || height > 100) return 'threshold_height';

  return isMoistureFraction(height) ? 'threshold_fraction' : null;
}

/** No plant dries soil below 1 %, but some people write 0.18 for 18 %. */
export const isMoistureFraction = (percent: number): boolean => percent >= 0.01 && percent < 1;

export const lineHeightInUnit = ({ p1 }: Pick<AnnotationDrawing, 'p1'>): number => p1[1];

/** Drawings and lines are oldest first: the last line counts. */
export const thresholdLines = <D extends AnnotationDrawing>(
  drawings: readonly D[],
  fill: ThresholdFill,
): D[] =>
  drawings.filter(
    (drawing) => drawing.chartType === 'humidity' && thresholdFillOf(drawing) === fill,
  );

export const pointsAtHeight = (
  { p1, p2 }: Pick<AnnotationDrawing, 'p1' | 'p2'>,
  height: number,
): { p1: AnnotationPoint; p2: AnnotationPoint | null } => ({
  p1: [p1[0], height],
  p2: p2 && [p2[0], height],
});

export function updateContent(
  current: AnnotationContent,
  change: AnnotationContent & { readonly content?: AnnotationContent | undefined },
): AnnotationContent {
  const { content, ...parts } = change;
  const replacement = { ...omitAbsentContent(content ?? {}), ...omitAbsentContent(parts) };
  return content === undefined && Object.keys(replacement).length === 0 ? current : replacement;
}

export function omitAbsentContent({ style, text }: AnnotationContent): AnnotationContent {
  const content: { style?: Readonly<Record<string, unknown>>; text?: string } = {};
  if (style !== undefined) content.style = style;
  if (text !== undefined) content.text = text;
  return content;
}

export interface WiltingPointLine {
  readonly id: string;
  readonly height: number;
}

/**
 * Lines are oldest first, and only the newest one has an active alert. While the newest line stays
 * the same nothing is enabled, so that an alert that a person disabled stays disabled.
 */
export function planLineAlertChanges(
  before: readonly WiltingPointLine[],
  after: readonly WiltingPointLine[],
) {
  const [previousId, newest] = [before.at(-1)?.id, after.at(-1)];
  const enable = newest !== undefined && newest.id !== previousId ? newest : null;
  const isGone = ({ id }: WiltingPointLine): boolean => !after.some((line) => line.id === id);

  return {
    disable: before
      .filter((line) => isGone(line) || (line.id === previousId && enable !== null))
      .map(({ id }) => id),
    update: after.filter(
      ({ id, height }) =>
        id !== enable?.id && before.some((line) => line.id === id && line.height !== height),
    ),
    enable,
  };
}
