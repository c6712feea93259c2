/** The marks that pictures are put together of, in Vega-Lite; all places in px of the plot, y downward. */

export type Layer = Record<string, unknown>;

export interface PlacedText {
  /** A line each. */
  readonly text: string | readonly string[];
  readonly x: number;
  readonly y: number;
}

export interface TextStyle {
  readonly colour: string;
  readonly size: number;
  readonly align?: 'left' | 'center' | 'right';
}

/** A box, or a line from corner to corner of one. */
export interface Box {
  readonly x: number;
  readonly x2: number;
  readonly y: number;
  readonly y2: number;
}

/** From one line of a text to the next. */
export const lineHeight = (size: number): number => size + 3;

const px = (field: string): Layer => ({ field, type: 'quantitative', scale: null, axis: null });

const layer = (mark: Layer, values: readonly object[], encoding: Layer = {}): Layer[] =>
  values.length === 0 ? [] : [{ data: { values }, mark, encoding: { x: px('x'), y: px('y'), ...encoding } }];

const TO_CORNER = { x2: { field: 'x2' }, y2: { field: 'y2' } };

/** Texts, each with its middle line at `y`. */
export const texts = (placed: readonly PlacedText[], { colour, size, align = 'left' }: TextStyle): Layer[] =>
  layer(
    { type: 'text', align, baseline: 'middle', fontSize: size, color: colour, lineHeight: lineHeight(size) },
    placed,
    { text: { field: 'text', type: 'nominal' } },
  );

export const rules = (boxes: readonly Box[], colour: string, style: Layer = {}): Layer[] =>
  layer({ type: 'rule', color: colour, ...style }, boxes, TO_CORNER);

export const rects = (boxes: readonly Box[], style: Layer): Layer[] =>
  layer({ type: 'rect', ...style }, boxes, TO_CORNER);

/** Lines, each through its own points; a point alone is a dot. */
export function lines(runs: readonly (readonly { x: number; y: number }[])[], colour: string): Layer[] {
  const points = runs.map((run, number) => run.map((point) => ({ ...point, run: number })));
  return [
    ...layer(
      { type: 'line', color: colour, strokeWidth: 3, strokeJoin: 'round', strokeCap: 'round' },
      points.filter((run) => run.length > 1).flat(),
      { detail: { field: 'run', type: 'nominal' } },
    ),
    ...layer({ type: 'circle', color: colour, size: 34, opacity: 1 }, points.filter((run) => run.length === 1).flat()),
  ];
}
