import { valueY } from '../../../chart/layout.ts';
import { timeTicks } from '../../../chart/time-axis.ts';
import type { Period } from '../../../domain/periods.ts';
import type { DrawnEpisode } from '../../thresholds/backtest-model.ts';
import type { DrawnLine } from '../chart-model.ts';
import type { LinePoint } from '../data/series-tiles.ts';
import { AnnotationMarks } from './annotation-marks.tsx';
import { RainLayer, WateringLayer } from './bar-marks.tsx';
import { COLOURS } from './colours.ts';
import type { DrawingProps } from './drawing-props.ts';
import { Label } from './label.tsx';
import { drawnX, pathOf } from './plot-layout.ts';

/**
 * All that moves along the time axis. It is wider than the plot, so that dragging only shifts it.
 */
export function Drawing(props: DrawingProps) {
  const { drawn, layout } = props;
  return (
    <svg class="chart-drawing" width={drawn.width} height={layout.height} aria-hidden="true">
      <Episodes {...props} />
      <TimeAxis {...props} />
      <RainLayer {...props} />
      <WateringLayer {...props} />
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

const MIN_EPISODE_PX = 2;

function Episodes({ drawn, layout, range, backtest, now }: DrawingProps) {
  if (backtest === null) return null;

  const { request, episodes } = backtest;
  const y = valueY(request.threshold, range, layout);
  return (
    <g class="chart-episodes">
      {spansOf(episodes, drawn.period, now).map(({ start, end }) => {
        const x = drawnX(start, drawn);
        const width = Math.max(MIN_EPISODE_PX, (end - start) * drawn.pxPerMs);
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
