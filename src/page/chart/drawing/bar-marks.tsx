import { middleOf } from '../../../chart/bars.ts';
import { rainBars } from '../../../chart/rain-bars.ts';
import { type Bar, barHeight, wateringBars } from '../../../chart/watering-bars.ts';
import { COLOURS } from './colours.ts';
import type { DrawingProps } from './drawing-props.ts';
import { Label } from './label.tsx';

export function RainLayer(props: DrawingProps) {
  const { drawn, layout, rain, texts } = props;
  const chart = { ...drawn.period, ...texts, rain };
  const { bars } = rainBars(chart, { left: 0, right: drawn.width });

  return (
    <g class="chart-rain" font-size={layout.text - 2} fill={COLOURS.text} text-anchor="middle">
      {bars.map((bar) => (
        <g key={bar.left}>
          <rect
            x={bar.left}
            y={layout.top}
            width={bar.right - bar.left}
            height={bar.height}
            fill={COLOURS.rain}
          />
          <Label
            {...props}
            label={bar.label}
            x={middleOf(bar)}
            y={layout.top + bar.height + layout.text - 2}
          />
        </g>
      ))}
    </g>
  );
}

export function WateringLayer(props: DrawingProps) {
  const { drawn, layout, waterings, texts } = props;
  const chart = { ...drawn.period, ...texts, waterings };
  const { bars } = wateringBars(chart, { left: 0, right: drawn.width });

  return (
    <g class="chart-waterings">
      {bars.map((bar) => (
        <g key={bar.left}>
          <WateringBar {...props} bar={bar} />
          <g font-size={layout.text - 1} fill={COLOURS.text} text-anchor="middle">
            <Label
              {...props}
              label={bar.label}
              x={middleOf(bar)}
              y={layout.bottom - barHeight(bar) - 5}
            />
          </g>
        </g>
      ))}
    </g>
  );
}

/** Water that somebody saw is filled, other water is hollow, and an unknown dose is dashed. */
function WateringBar({ bar, layout }: DrawingProps & { readonly bar: Bar }) {
  const { heights, left, right } = bar;
  const { done, unseen, unknown } = heights;
  const hollow = { fill: COLOURS.background, stroke: COLOURS.water, 'stroke-width': 2 };

  const part = (height: number, below: number, style: object) =>
    height > 0 && (
      <rect
        x={left}
        y={layout.bottom - below - height}
        width={right - left}
        height={height}
        {...style}
      />
    );

  return (
    <>
      {part(done, 0, { fill: COLOURS.water })}
      {part(unseen, done, hollow)}
      {part(unknown, done + unseen, { ...hollow, 'stroke-dasharray': '3 2' })}
    </>
  );
}
