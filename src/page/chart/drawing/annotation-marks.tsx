import { valueY } from '../../../chart/layout.ts';
import type { AnnotationUnit } from '../../../domain/alerts/annotation.ts';
import { lineFillOf } from '../../../domain/alerts/drawn-lines.ts';
import { toDrawing } from '../../../language/alerts/drawing.ts';
import type { AnnotationBody } from '../../../schema/alerts/annotation.ts';
import { COLOURS } from './colours.ts';
import type { DrawingProps } from './drawing-props.ts';
import { drawnX } from './plot-layout.ts';

const UNITS_OF_PLOT: readonly (AnnotationUnit | null)[] = ['vwc', null];
const MAX_LABEL_LENGTH = 40;

/** Leaves out the lines of thresholds and levels, which LineLayer draws. */
export const notesOf = (annotations: readonly AnnotationBody[]): AnnotationBody[] =>
  annotations.filter((annotation) => lineFillOf(toDrawing(annotation)) === null);

export function AnnotationMarks(props: DrawingProps) {
  return (
    <g font-size={props.layout.text - 1}>
      {notesOf(props.facts?.annotations ?? []).map((annotation) => (
        <AnnotationMark key={annotation.id} annotation={annotation} {...props} />
      ))}
    </g>
  );
}

interface MarkPoint {
  readonly x: number;
  readonly y: number;
}

/** A height in another unit is not on this axis, so such a drawing shows only its time. */
function AnnotationMark(props: DrawingProps & { readonly annotation: AnnotationBody }) {
  const { annotation, drawn, layout, range } = props;
  const { type, p1, p2, unit, content } = annotation;
  const hasHeight = UNITS_OF_PLOT.includes(unit);

  const toPoint = ([at = 0, value = 0]: readonly number[]): MarkPoint => ({
    x: drawnX(at, drawn),
    y: Math.min(Math.max(valueY(value, range, layout), layout.curveTop), layout.bottom),
  });

  const from = toPoint(p1);
  const to = p2 === null ? null : toPoint(p2);
  const text = (content.text ?? '').slice(0, MAX_LABEL_LENGTH);

  if (type === 'v-line' || type === 'text') return instantMark(from.x, layout, text);
  if (!hasHeight) return null;
  if (type === 'h-line' || type === 'h-free') return levelMark(from, drawn.width, text);
  if (type === 'rect' && to !== null) return boxMark(from, to, text);
  return segmentMark(from, to, text, type === 'arrow');
}

const LINE = { stroke: COLOURS.muted, 'stroke-width': 1.5 };

/** From top to bottom. */
const instantMark = (
  x: number,
  { top, bottom, curveTop }: DrawingProps['layout'],
  text: string,
) => (
  <>
    <line x1={x} x2={x} y1={top} y2={bottom} {...LINE} stroke-dasharray="4 3" />
    <circle cx={x} cy={top + 4} r="4" fill={COLOURS.muted} />
    {note(text, x + 8, curveTop + 14)}
  </>
);

/** From the left edge to the right. */
const levelMark = ({ x, y }: MarkPoint, width: number, text: string) => (
  <>
    <line x1="0" x2={width} y1={y} y2={y} {...LINE} stroke-dasharray="1 4" />
    {note(text, Math.max(4, x), y - 5)}
  </>
);

function boxMark(from: MarkPoint, to: MarkPoint, text: string) {
  const x = Math.min(from.x, to.x);
  const y = Math.min(from.y, to.y);
  const size = { width: Math.abs(to.x - from.x), height: Math.abs(to.y - from.y) };
  return (
    <>
      <rect x={x} y={y} {...size} fill={COLOURS.muted} fill-opacity="0.12" {...LINE} />
      {note(text, x + 4, y + 14)}
    </>
  );
}

/** Only the text if there is no second point. */
const segmentMark = (from: MarkPoint, to: MarkPoint | null, text: string, isArrow: boolean) => (
  <>
    {to && <line x1={from.x} y1={from.y} x2={to.x} y2={to.y} {...LINE} />}
    {to && isArrow && <circle cx={to.x} cy={to.y} r="3.5" fill={COLOURS.muted} />}
    {note(text, from.x + 6, from.y - 6)}
  </>
);

const note = (text: string, x: number, y: number) =>
  text !== '' && (
    <text x={x} y={y} fill={COLOURS.text} class="chart-note">
      {text}
    </text>
  );
