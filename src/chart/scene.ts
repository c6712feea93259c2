/** Marks in drawing order. Positions and sizes in CSS px, y downward. */
export interface Scene {
  readonly width: number;
  readonly height: number;
  readonly background: string;
  readonly fontFamily: string;
  readonly marks: readonly Mark[];
}

export type Mark = LineMark | DotMark | RectMark | RuleMark | TextMark;

export interface Point {
  readonly x: number;
  readonly y: number;
}

interface LineMark {
  readonly kind: 'line';
  readonly points: readonly Point[];
  readonly stroke: string;
  readonly strokeWidth: number;
}

interface DotMark extends Point {
  readonly kind: 'dot';
  readonly radius: number;
  readonly fill: string;
}

export interface RectStyle {
  readonly fill?: string;
  readonly opacity?: number;
  readonly stroke?: string;
  readonly strokeWidth?: number;
}

interface RectMark extends Point, RectStyle {
  readonly kind: 'rect';
  readonly width: number;
  readonly height: number;
}

interface RuleMark {
  readonly kind: 'rule';
  readonly from: Point;
  readonly to: Point;
  readonly stroke: string;
  readonly strokeWidth?: number;
  /** Lengths of dashes and gaps in turn. */
  readonly dashes?: readonly number[] | undefined;
}

/** `y` is the middle of all lines. */
export interface TextMark extends Point {
  readonly kind: 'text';
  readonly lines: readonly string[];
  readonly fill: string;
  readonly size: number;
  readonly align?: 'left' | 'center' | 'right';
}

export const lineHeight = (size: number): number => size + 3;

/** Firefox has segmenters only since version 125. Without them, marks count on their own. */
const segmenter =
  'Segmenter' in Intl ? new Intl.Segmenter(undefined, { granularity: 'grapheme' }) : null;

const graphemesOf = (text: string): string[] =>
  segmenter === null ? [...text] : Array.from(segmenter.segment(text), ({ segment }) => segment);

/** An estimate. Other scripts count as wide, like the box for a missing glyph. */
function graphemeWidthEm(grapheme: string): number {
  if (/^[ .,:;'’|!ijlftr()-]/.test(grapheme)) return 0.38;
  if (/^[MWmw@%…—ŒÆ]/.test(grapheme)) return 0.86;
  if (/^[A-ZÀ-ÞΑ-ΩА-Я]/.test(grapheme)) return 0.66;
  return /^[ -~\u00a0-\u05ff]/.test(grapheme) ? 0.57 : 1.05;
}

export const textWidth = (text: string, size: number): number =>
  graphemesOf(text).reduce((sum, grapheme) => sum + graphemeWidthEm(grapheme) * size, 0);

export function truncateText(text: string, size: number, width: number): string {
  if (textWidth(text, size) <= width) return text;

  const available = width - textWidth('…', size);
  let used = 0;
  let result = '';

  for (const grapheme of graphemesOf(text)) {
    used += textWidth(grapheme, size);
    if (used > available) break;
    result += grapheme;
  }

  return `${result.trimEnd()}…`;
}
