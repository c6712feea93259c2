import { valueY } from '../../../chart/layout.ts';
import type { ChartModel } from '../chart-model.ts';
import { COLOURS } from './colours.ts';
import { plotWidthOf } from './plot-layout.ts';

type OnPlotProps = Pick<ChartModel, 'layout' | 'range'>;

/** The value axis with its grid, behind the curve, and the band without stress. */
export function Scale(props: OnPlotProps & Pick<ChartModel, 'texts' | 'comfort'>) {
  const { layout, range, texts, comfort } = props;
  const { left, right } = layout;
  return (
    <svg width={layout.width} height={layout.height} aria-hidden="true">
      {comfort && <ComfortBand {...props} {...comfort} />}
      {range.ticks.map((tick) => {
        const y = valueY(tick, range, layout);
        return (
          <g key={tick}>
            <line x1={left} x2={right} y1={y} y2={y} stroke={COLOURS.grid} />
            <text
              x={left - 6}
              y={y + 4.5}
              text-anchor="end"
              font-size={layout.text}
              fill={COLOURS.muted}
            >
              {texts.number(tick)}
            </text>
          </g>
        );
      })}
    </svg>
  );
}

function ComfortBand({
  layout,
  range,
  from,
  to,
}: OnPlotProps & { readonly from: number; readonly to: number }) {
  const top = Math.max(layout.curveTop, valueY(to, range, layout));
  const bottom = Math.min(layout.curveBottom, valueY(from, range, layout));
  return (
    <rect
      x={layout.left}
      width={plotWidthOf(layout)}
      y={top}
      height={Math.max(0, bottom - top)}
      fill={COLOURS.comfort}
    />
  );
}

interface CursorProps extends OnPlotProps {
  readonly x: number;
  readonly values: readonly { readonly value: number; readonly colour: string }[];
}

/** Marks the instant under the finger and its values; nothing if the instant is not in view. */
export function Cursor({ layout, range, x, values }: CursorProps) {
  if (x < layout.left || x > layout.right) return null;

  return (
    <svg class="chart-cursor" width={layout.width} height={layout.height} aria-hidden="true">
      <line x1={x} x2={x} y1={layout.top} y2={layout.bottom} stroke={COLOURS.text} />
      {values.map(({ value, colour }) => (
        <circle
          key={colour}
          cx={x}
          cy={valueY(value, range, layout)}
          r="5.5"
          fill={colour}
          stroke={COLOURS.background}
          stroke-width="2"
        />
      ))}
    </svg>
  );
}
