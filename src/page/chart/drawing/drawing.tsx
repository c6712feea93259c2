import { middleOf } from '../../../chart/bars.ts';
import { valueY } from '../../../chart/layout.ts';
import { rainBars } from '../../../chart/rain-bars.ts';
import { timeTicks } from '../../../chart/time-axis.ts';
import { type Bar, barHeight, wateringBars } from '../../../chart/watering-bars.ts';
import type { Period } from '../../../domain/periods.ts';
import type { DrawnEpisode } from '../../thresholds/backtest-model.ts';
import type { DrawnLine } from '../chart-model.ts';
import type { LinePoint } from '../data/series.ts';
import { AnnotationMarks } from './annotation-marks.tsx';
import { COLOURS } from './colours.ts';
import type { DrawingProps } from './drawing-props.ts';
import { drawnX, labelX, pathOf } from './plot-layout.ts';

/**
 * All that moves along the time axis. It is wider than the plot, so that dragging only shifts it.
 */
export function Drawing(props: DrawingProps) {
  const { drawn, layout } = props;
  return (
    <svg class="chart-drawing" width={drawn.width} height={layout.height} aria-hidden="true">
      <Episodes {...props} />
      <TimeAxis {...props} />
      <RainBars {...props} />
      <WateringBarMarks {...props} />
      <g
        fill="none"
        stroke-width={strokeWidthOf(props)}
        stroke-linejoin="round"
        stroke-linecap="round"
      >
        {props.drawnLines.map((line) => (
          <CurveLine key={line.key} {...props} line={line} />
        ))}
      </g>
      <AnnotationMarks {...props} />
      <Now {...props} />
    </svg>
  );
}

function Now({ drawn, layout, now, texts }: DrawingProps) {
  const x = drawnX(now, drawn);
  if (x < 0 || x > drawn.width) return null;

  return (
    <>
      <line
        x1={x}
        x2={x}
        y1={layout.top}
        y2={layout.bottom}
        stroke={COLOURS.text}
        stroke-dasharray="2 4"
      />
      <text
        x={x + 4}
        y={layout.top - 6}
        text-anchor="end"
        font-size={layout.text - 1}
        fill={COLOURS.text}
      >
        {texts.labels.now}
      </text>
    </>
  );
}

const STROKE_PX = 2.5;
const DENSE_STROKE_PX = 1.5;
const SPARSE_POINTS_PER_PX = 1;

/** Thinner where ups and downs are close together. */
function strokeWidthOf({ drawnLines, drawn }: DrawingProps): number {
  const pointCounts = drawnLines.map(({ segments }) => segments.flat().length);
  return Math.max(0, ...pointCounts) / drawn.width > SPARSE_POINTS_PER_PX
    ? DENSE_STROKE_PX
    : STROKE_PX;
}

/** A point between two gaps becomes a dot. */
function CurveLine({ line, drawn, layout, range }: DrawingProps & { readonly line: DrawnLine }) {
  const toPoint = ({ at, value }: LinePoint) => ({
    x: drawnX(at, drawn),
    y: valueY(value, range, layout),
  });

  const segments = line.segments.map((segment) => segment.map(toPoint));
  const paths = segments.filter(({ length }) => length > 1).map(pathOf);
  const dots = segments.filter(({ length }) => length === 1).flat();

  return (
    <>
      <path d={paths.join('')} stroke={line.colour} />
      {dots.map(({ x, y }) => (
        <circle key={x} cx={x} cy={y} r="2.5" fill={line.colour} />
      ))}
    </>
  );
}

interface LabelProps extends DrawingProps {
  readonly label: string;
  readonly x: number;
  readonly y: number;
}

function Label({ label, x, y, drawn, labelView, layout }: LabelProps) {
  const size = layout.text;
  const shownX = labelView === null ? x : labelX({ label, x, size }, drawn, labelView);
  return label === '' || shownX === null ? null : (
    <text x={shownX} y={y}>
      {label}
    </text>
  );
}

function TimeAxis(props: DrawingProps) {
  const { drawn, layout, texts } = props;
  const { top, bottom } = layout;
  const ticks = timeTicks(drawn.period, {
    zone: texts.zone,
    labels: texts.labels,
    width: drawn.width,
    size: layout.text,
  });

  return (
    <g>
      {ticks.map(({ at }) => {
        const x = Math.round(drawnX(at, drawn)) + 0.5;
        return <line key={at} x1={x} x2={x} y1={top} y2={bottom + 4} stroke={COLOURS.grid} />;
      })}
      <line x1="0" x2={drawn.width} y1={bottom} y2={bottom} stroke={COLOURS.muted} />
      <g font-size={layout.text} fill={COLOURS.muted} text-anchor="middle">
        {ticks.map(({ label, labelAt }) => (
          <Label
            key={labelAt}
            {...props}
            label={label}
            x={drawnX(labelAt, drawn)}
            y={bottom + 19}
          />
        ))}
      </g>
    </g>
  );
}

function Episodes({ drawn, layout, range, backtest, now }: DrawingProps) {
  if (backtest === null) return null;

  const { request, episodes } = backtest;
  const y = valueY(request.threshold, range, layout);
  return (
    <g class="chart-episodes">
      {spansOf(episodes, drawn.period, now).map(({ start, end }) => {
        const [x, width] = [drawnX(start, drawn), Math.max(2, (end - start) * drawn.pxPerMs)];
        return (
          <g key={start}>
            <rect
              x={x}
              width={width}
              y={layout.curveTop}
              height={Math.max(0, layout.curveBottom - layout.curveTop)}
              fill={COLOURS.alert}
              opacity="0.14"
            />
            <rect x={x} width={width} y={y - 2.5} height={5} fill={COLOURS.alert} />
          </g>
        );
      })}
    </g>
  );
}

const spansOf = (episodes: readonly DrawnEpisode[], period: Period, now: number): Period[] =>
  episodes
    .map(({ start, end }) => ({
      start: Math.max(start, period.start),
      end: Math.min(end ?? now, period.end),
    }))
    .filter(({ start, end }) => start < end);

function RainBars(props: DrawingProps) {
  const { drawn, layout, rain, texts } = props;
  const chart = { ...drawn.period, zone: texts.zone, lang: texts.lang, rain };
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

function WateringBarMarks(props: DrawingProps) {
  const { drawn, layout, waterings, texts } = props;
  const chart = { ...drawn.period, zone: texts.zone, lang: texts.lang, waterings };
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

/** What ran is filled, what is planned is hollow, and an unknown dose is dashed. */
function WateringBar({ bar, layout }: DrawingProps & { readonly bar: Bar }) {
  const { done, planned, unknown, left, right } = bar;
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
      {part(planned, done, hollow)}
      {part(unknown, done + planned, { ...hollow, 'stroke-dasharray': '3 2' })}
    </>
  );
}
