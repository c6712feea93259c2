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

export interface LineMark {
  readonly kind: 'line';
  readonly points: readonly Point[];
  readonly stroke: string;
  readonly strokeWidth: number;
}

export interface DotMark extends Point {
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

export interface RectMark extends Point, RectStyle {
  readonly kind: 'rect';
  readonly width: number;
  readonly height: number;
}

export interface RuleMark {
  readonly kind: 'rule';
  readonly from: Point;
  readonly to: Point;
  readonly stroke: string;
  readonly strokeWidth?: number;
  /** Lengths of dashes and gaps in turn. */
  readonly dashes?: readonly number[];
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
