import type { MeasurementType } from '../moisture/measurement.ts';
import { failure, ok, type Result } from '../result.ts';

export type ChartType = MeasurementType | 'humidity-detail' | 'humidity-heatmap';

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

const CHART_TYPES_WITH_UNIT: readonly ChartType[] = ['humidity', 'humidity-detail'];

export function resolveAnnotationUnit(
  chartType: ChartType,
  requested: AnnotationUnit | null | undefined,
): Result<AnnotationUnit | null, 'unit_elsewhere'> {
  if (CHART_TYPES_WITH_UNIT.includes(chartType)) return ok(requested ?? 'vwc');
  return requested == null ? ok(null) : failure('unit_elsewhere');
}

export const lineHeightInUnit = ({ p1 }: Pick<AnnotationDrawing, 'p1'>): number => p1[1];

export const pointsAtHeight = (
  { p1, p2 }: Pick<AnnotationDrawing, 'p1' | 'p2'>,
  height: number,
): { p1: AnnotationPoint; p2: AnnotationPoint | null } => ({
  p1: [p1[0], height],
  p2: p2 && [p2[0], height],
});

/** Each part is a value to set, null to empty it, or undefined if it is not sent. */
interface ContentChange {
  readonly style?: AnnotationContent['style'] | null;
  readonly text?: string | null | undefined;
  readonly content?: AnnotationContent | undefined;
  readonly keepsUnsent?: boolean | undefined;
}

/**
 * Whatever is sent, within `content` or beside it, replaces the whole content, unless
 * `keepsUnsent`. An empty `content` empties it; nothing sent leaves it.
 */
export function updateContent(
  current: AnnotationContent,
  { content, keepsUnsent = false, ...parts }: ContentChange,
): AnnotationContent {
  if (Object.values({ content, ...parts }).every((part) => part === undefined)) return current;

  const base = keepsUnsent && content === undefined ? current : (content ?? {});
  const { style = base.style, text = base.text } = parts;
  return omitAbsentContent({ style: style ?? undefined, text: text ?? undefined });
}

export function omitAbsentContent({ style, text }: AnnotationContent): AnnotationContent {
  const content: { style?: Readonly<Record<string, unknown>>; text?: string } = {};
  if (style !== undefined) content.style = style;
  if (text !== undefined) content.text = text;
  return content;
}
