import type { DrawingProps } from './drawing-props.ts';
import { labelX } from './plot-layout.ts';

interface LabelProps extends DrawingProps {
  readonly label: string;
  readonly x: number;
  readonly y: number;
}

/** Centred on `x`, or moved so that it is not cut by the edge of the view. */
export function Label({ label, x, y, drawn, labelView, layout }: LabelProps) {
  const size = layout.text;
  const shownX = labelView === null ? x : labelX({ label, x, size }, drawn, labelView);
  return label === '' || shownX === null ? null : (
    <text x={shownX} y={y}>
      {label}
    </text>
  );
}
