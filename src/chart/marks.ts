/** The marks that pictures are put together of, in Vega-Lite; all places in px of the plot, y downward. */

export type VegaLayer = Record<string, unknown>;

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
export interface MarkBox {
  readonly x: number;
  readonly x2: number;
  readonly y: number;
  readonly y2: number;
}

/** From one line of a text to the next. */
export const lineHeight = (size: number): number => size + 3;

const pixelField = (field: string): VegaLayer => ({ field, type: 'quantitative', scale: null, axis: null });

const markLayer = (mark: VegaLayer, values: readonly object[], encoding: VegaLayer = {}): VegaLayer[] =>
  values.length === 0
    ? []
    : [{ data: { values }, mark, encoding: { x: pixelField('x'), y: pixelField('y'), ...encoding } }];

const BOX_ENCODING = { x2: { field: 'x2' }, y2: { field: 'y2' } };

/** Texts, each with its middle line at `y`. */
export const textMarks = (placed: readonly PlacedText[], { colour, size, align = 'left' }: TextStyle): VegaLayer[] =>
  markLayer(
    { type: 'text', align, baseline: 'middle', fontSize: size, color: colour, lineHeight: lineHeight(size) },
    placed,
    { text: { field: 'text', type: 'nominal' } },
  );

export const ruleMarks = (boxes: readonly MarkBox[], colour: string, style: VegaLayer = {}): VegaLayer[] =>
  markLayer({ type: 'rule', color: colour, ...style }, boxes, BOX_ENCODING);

export const rectMarks = (boxes: readonly MarkBox[], style: VegaLayer): VegaLayer[] =>
  markLayer({ type: 'rect', ...style }, boxes, BOX_ENCODING);

/** Lines, each through its own points; a point alone is a dot. */
export function lineMarks(runs: readonly (readonly { x: number; y: number }[])[], colour: string): VegaLayer[] {
  const points = runs.map((run, number) => run.map((point) => ({ ...point, run: number })));
  return [
    ...markLayer(
      { type: 'line', color: colour, strokeWidth: 3, strokeJoin: 'round', strokeCap: 'round' },
      points.filter((run) => run.length > 1).flat(),
      { detail: { field: 'run', type: 'nominal' } },
    ),
    ...markLayer(
      { type: 'circle', color: colour, size: 34, opacity: 1 },
      points.filter((run) => run.length === 1).flat(),
    ),
  ];
}
