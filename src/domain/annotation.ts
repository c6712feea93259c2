/** Drawings over curves: what belongs together in one, and which of them drive an alert. Source: spec, "Annotation". */

export const CHART_TYPES = ['humidity', 'humidity-detail', 'humidity-heatmap', 'temperature', 'tensio'] as const;
export type ChartType = (typeof CHART_TYPES)[number];

/** Shapes; `line` is the one that older annotations carry. */
export const SHAPES = [
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
export type Shape = (typeof SHAPES)[number];

export const HEIGHT_UNITS = ['vwc', 'vwc_max', 'mm'] as const;
export type HeightUnit = (typeof HEIGHT_UNITS)[number];

/** An instant in ms since 1970 UTC, and a value in the drawing's unit. */
export type Point = readonly [at: number, value: number];

/** What a drawing looks like and says; each is absent where none was given. */
export interface Content {
  readonly style?: Readonly<Record<string, unknown>> | undefined;
  readonly text?: string | undefined;
}

export interface Drawing {
  readonly chartType: ChartType;
  readonly shape: Shape;
  readonly unit: HeightUnit | null;
  readonly p1: Point;
  readonly p2: Point | null;
  readonly content: Content;
}

/** Curves whose drawings say in which unit their heights are. */
const MEASURED_IN_UNITS: readonly ChartType[] = ['humidity', 'humidity-detail'];

/** Shapes that are nothing without a second point. */
const TWO_POINTS: readonly Shape[] = ['segment', 'ray', 'infinite', 'arrow', 'rect'];

/** The unit of a drawing: as asked, vwc where the curve has units and none was asked, null on other curves. */
export function unitOf(
  chartType: ChartType,
  asked: HeightUnit | null | undefined,
): { unit: HeightUnit | null } | { refused: 'unit_elsewhere' } {
  if (MEASURED_IN_UNITS.includes(chartType)) return { unit: asked ?? 'vwc' };
  return asked == null ? { unit: null } : { refused: 'unit_elsewhere' };
}

/** Marks of the agronomic thresholds in a line's style.fill: field capacity and wilting point. */
export const THRESHOLD_FILLS = ['threshold1', 'threshold2'] as const;
export type ThresholdFill = (typeof THRESHOLD_FILLS)[number];

const thresholdFill = ({ style }: Content): ThresholdFill | null =>
  THRESHOLD_FILLS.find((fill) => fill === style?.fill) ?? null;

/** Which agronomic threshold a drawing is, or null: an h-line so marked, in vwc. */
export const thresholdOf = ({ shape, unit, content }: Drawing): ThresholdFill | null =>
  shape === 'h-line' && unit === 'vwc' ? thresholdFill(content) : null;

export type DrawingFault = 'second_point_missing' | 'threshold_unit' | 'threshold_shape' | 'threshold_height';

/** Why a drawing cannot stand, or null. A threshold is an h-line at 0 to 100 % volumetric water content. */
export function faultOf(drawing: Drawing): DrawingFault | null {
  if (drawing.p2 === null && TWO_POINTS.includes(drawing.shape)) return 'second_point_missing';
  if (thresholdFill(drawing.content) === null) return null;
  if (drawing.unit !== 'vwc') return 'threshold_unit';
  if (drawing.shape !== 'h-line') return 'threshold_shape';
  return heightOf(drawing) >= 0 && heightOf(drawing) <= 100 ? null : 'threshold_height';
}

/** Height of an h-line, in its unit. */
export const heightOf = ({ p1 }: Pick<Drawing, 'p1'>): number => p1[1];

/** The lines on the summary curve that mark a threshold, of drawings from oldest to newest: the last one counts. */
export const thresholdLines = <D extends Drawing>(drawings: readonly D[], fill: ThresholdFill): D[] =>
  drawings.filter((drawing) => drawing.chartType === 'humidity' && thresholdOf(drawing) === fill);

/** A line's points with the line at another height. */
export const pointsAtHeight = (
  { p1, p2 }: Pick<Drawing, 'p1' | 'p2'>,
  height: number,
): { p1: Point; p2: Point | null } => ({ p1: [p1[0], height], p2: p2 && [p2[0], height] });

/** The content after a change: what is sent is all there is, and where nothing is sent it stays. */
export function contentAfter(standing: Content, sent: Content & { readonly content?: Content | undefined }): Content {
  const { content, ...parts } = sent;
  const given = { ...present(content ?? {}), ...present(parts) };
  return content === undefined && Object.keys(given).length === 0 ? standing : given;
}

/** Content without the parts that were not given. */
export const present = ({ style, text }: Content): Content => ({
  ...(style !== undefined && { style }),
  ...(text !== undefined && { text }),
});

/** A wilting-point line as its alert sees it: height in % volumetric water content. */
export interface WiltingPoint {
  readonly id: string;
  readonly height: number;
}

export interface AlertSteps {
  /** Lines whose alert is disabled: they are no wilting points any more, or another one counts now. */
  readonly disarm: readonly string[];
  /** Lines whose alert moves to their height, enabled or not. */
  readonly move: readonly WiltingPoint[];
  /** The line that counts from now on: its alert is created or enabled again, at its height. */
  readonly arm: WiltingPoint | null;
}

/**
 * What the alerts do when the wilting-point lines of a probe, oldest first, change: the newest one's watches. While the same
 * line counts, nothing is enabled, so that an alert that a person has disabled stays so.
 */
export function alertSteps(before: readonly WiltingPoint[], after: readonly WiltingPoint[]): AlertSteps {
  const [countedId, counting] = [before.at(-1)?.id, after.at(-1)];
  const arm = counting !== undefined && counting.id !== countedId ? counting : null;
  const isGone = ({ id }: WiltingPoint): boolean => !after.some((line) => line.id === id);
  return {
    disarm: before.filter((line) => isGone(line) || (line.id === countedId && arm !== null)).map(({ id }) => id),
    move: after.filter(
      ({ id, height }) => id !== arm?.id && before.some((line) => line.id === id && line.height !== height),
    ),
    arm,
  };
}

/** A number as a decimal without an exponent, every digit kept. */
export function decimalText(value: number): string {
  const text = String(value);
  if (!text.includes('e')) return text;
  const [mantissa = '', exponent = '0'] = text.split('e');
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  const plain =
    point <= 0
      ? `0.${'0'.repeat(-point)}${digits}`
      : `${digits.padEnd(point, '0').slice(0, point)}${digits.length > point ? `.${digits.slice(point)}` : ''}`;
  return value < 0 ? `-${plain}` : plain;
}
