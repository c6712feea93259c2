import { type AnnotationUnit, lineFillOf } from '../../domain/alerts/annotation.ts';
import { toDrawing } from '../../language/alerts/drawing.ts';
import type { AnnotationBody } from '../../schema/alerts/annotation.ts';
import type { DrawingProps } from './chart-model.ts';
import { drawnX, yOf } from './plot-layout.ts';

const UNITS_OF_PLOT: readonly (AnnotationUnit | null)[] = ['vwc', null];
const MAX_LABEL_LENGTH = 40;

/** Leaves out the lines of thresholds and levels, which LineLayer draws. */
export const notesOf = (annotations: readonly AnnotationBody[]): AnnotationBody[] =>
  annotations.filter((annotation) => lineFillOf(toDrawing(annotation)) === null);

export function AnnotationMarks(props: DrawingProps) {
  return (
    <g class="chart-annotations" font-size={props.layout.text - 1}>
      {notesOf(props.annotations).map((annotation) => (
        <AnnotationMark key={annotation.id} annotation={annotation} {...props} />
      ))}
    </g>
  );
}

/** A height in another unit is not on this axis, so such a drawing shows only its time. */
function AnnotationMark({
  annotation,
  drawn,
  layout,
  range,
  colours,
}: DrawingProps & { readonly annotation: AnnotationBody }) {
  const { type, p1, p2, unit, content } = annotation;
  const hasHeight = UNITS_OF_PLOT.includes(unit);

  const toPoint = (point: readonly number[]) => ({
    x: drawnX(point[0] ?? 0, drawn),
    y: Math.min(Math.max(yOf(point[1] ?? 0, range, layout), layout.curveTop), layout.bottom),
  });

  const from = toPoint(p1);
  const to = p2 === null ? null : toPoint(p2);
  const text = (content.text ?? '').slice(0, MAX_LABEL_LENGTH);
  const line = { stroke: colours.muted, 'stroke-width': 1.5 };

  const label = (x: number, y: number) =>
    text !== '' && (
      <text x={x} y={y} fill={colours.text} class="chart-note">
        {text}
      </text>
    );

  const isUpright = type === 'v-line' || type === 'text';
  if (!isUpright && !hasHeight) return null;
  if (type === 'h-line' || type === 'h-free')
    return (
      <>
        <line x1="0" x2={drawn.width} y1={from.y} y2={from.y} {...line} stroke-dasharray="1 4" />
        {label(Math.max(4, from.x), from.y - 5)}
      </>
    );

  if (isUpright)
    return (
      <>
        <line
          x1={from.x}
          x2={from.x}
          y1={layout.top}
          y2={layout.bottom}
          {...line}
          stroke-dasharray="4 3"
        />
        <circle cx={from.x} cy={layout.top + 4} r="4" fill={colours.muted} />
        {label(from.x + 8, layout.curveTop + 14)}
      </>
    );

  if (type === 'rect' && to !== null)
    return (
      <>
        <rect
          x={Math.min(from.x, to.x)}
          y={Math.min(from.y, to.y)}
          width={Math.abs(to.x - from.x)}
          height={Math.abs(to.y - from.y)}
          fill={colours.muted}
          fill-opacity="0.12"
          {...line}
        />
        {label(Math.min(from.x, to.x) + 4, Math.min(from.y, to.y) + 14)}
      </>
    );

  return (
    <>
      {to !== null && <line x1={from.x} y1={from.y} x2={to.x} y2={to.y} {...line} />}
      {to !== null && type === 'arrow' && (
        <circle cx={to.x} cy={to.y} r="3.5" fill={colours.muted} />
      )}
      {label(from.x + 6, from.y - 6)}
    </>
  );
}
