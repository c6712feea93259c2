import { rainBars } from '../../chart/rain-bars.ts';
import { type TimeTick, timeTicks } from '../../chart/time-axis.ts';
import { barHeight, wateringBars } from '../../chart/watering-bars.ts';
import type { Period } from '../../domain/periods.ts';
import { AnnotationMarks } from './annotation-marks.tsx';
import type { DrawingProps, DrawnEpisode, DrawnLine } from './chart-model.ts';
import type { ChartTexts } from './chart-texts.ts';
import { type DrawnRange, drawnX, labelX, type PlotLayout, pathOf, yOf } from './plot-layout.ts';
import type { LinePoint } from './series.ts';

/**
 * All that moves along the time axis. It is wider than the plot, so that dragging only shifts it.
 */
export function Drawing(props: DrawingProps) {
  const { drawn, layout, now, colours, texts } = props;
  const x = drawnX(now, drawn);
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
        {props.lines.map((line) => (
          <CurveLine key={line.key} line={line} drawn={drawn} layout={layout} range={props.range} />
        ))}
      </g>
      <AnnotationMarks {...props} />
      {x >= 0 && x <= drawn.width && (
        <>
          <line
            x1={x}
            x2={x}
            y1={layout.top}
            y2={layout.bottom}
            stroke={colours.text}
            stroke-dasharray="2 4"
          />
          <text
            x={x + 4}
            y={layout.top - 6}
            text-anchor="end"
            font-size={layout.text - 1}
            fill={colours.text}
          >
            {texts.labels.now}
          </text>
        </>
      )}
    </svg>
  );
}

const STROKE_PX = 2.5;
const DENSE_STROKE_PX = 1.5;
const SPARSE_POINTS_PER_PX = 1;

/** Thinner where ups and downs are close together. */
function strokeWidthOf({ lines, drawn }: DrawingProps): number {
  const most = Math.max(
    0,
    ...lines.map(({ segments }) => segments.reduce((sum, { length }) => sum + length, 0)),
  );
  return most / drawn.width > SPARSE_POINTS_PER_PX ? DENSE_STROKE_PX : STROKE_PX;
}

/** A point between two gaps becomes a dot. */
function CurveLine({
  line,
  drawn,
  layout,
  range,
}: { line: DrawnLine } & Pick<DrawingProps, 'drawn' | 'layout' | 'range'>) {
  const toPoint = ({ at, value }: LinePoint) => ({
    x: drawnX(at, drawn),
    y: yOf(value, range, layout),
  });

  const paths = line.segments
    .filter(({ length }) => length > 1)
    .map((segment) => pathOf(segment.map(toPoint)));
  const dots = line.segments.filter(({ length }) => length === 1).map(([point]) => toPoint(point!));

  return (
    <>
      <path d={paths.join('')} stroke={line.colour} />
      {dots.map(({ x, y }) => (
        <circle key={x} cx={x} cy={y} r="2.5" fill={line.colour} />
      ))}
    </>
  );
}

function timeTicksOf(drawn: DrawnRange, layout: PlotLayout, texts: ChartTexts): TimeTick[] {
  return timeTicks(drawn.period, {
    zone: texts.zone,
    labels: texts.labels,
    width: drawn.width,
    size: layout.text,
  });
}

interface LabelProps extends Pick<DrawingProps, 'drawn' | 'view' | 'layout'> {
  readonly label: string;
  readonly x: number;
  readonly y: number;
}

function Label({ label, x, y, drawn, view, layout }: LabelProps) {
  const shownX = view === null ? x : labelX({ label, x, size: layout.text }, drawn, view);
  return label === '' || shownX === null ? null : (
    <text x={shownX} y={y}>
      {label}
    </text>
  );
}

function TimeAxis(props: DrawingProps) {
  const { drawn, layout, colours, texts } = props;
  const place = { drawn, layout, view: props.view };
  const ticks = timeTicksOf(drawn, layout, texts);

  return (
    <g>
      {ticks.map(({ at }) => {
        const x = Math.round(drawnX(at, drawn)) + 0.5;
        return (
          <line
            key={at}
            x1={x}
            x2={x}
            y1={layout.top}
            y2={layout.bottom + 4}
            stroke={colours.grid}
          />
        );
      })}
      <line x1="0" x2={drawn.width} y1={layout.bottom} y2={layout.bottom} stroke={colours.muted} />
      <g font-size={layout.text} fill={colours.muted} text-anchor="middle">
        {ticks.map(({ label, labelAt }) => (
          <Label
            key={labelAt}
            {...place}
            label={label}
            x={drawnX(labelAt, drawn)}
            y={layout.bottom + 19}
          />
        ))}
      </g>
    </g>
  );
}

function Episodes({ drawn, layout, range, colours, episodes, alertAt, now }: DrawingProps) {
  if (alertAt === null) return null;

  const y = yOf(alertAt, range, layout);
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
              fill={colours.alert}
              opacity="0.14"
            />
            <rect x={x} width={width} y={y - 2.5} height={5} fill={colours.alert} />
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
  const { drawn, layout, colours, rain, texts } = props;
  const place = { drawn, layout, view: props.view };
  const chart = { ...drawn.period, zone: texts.zone, lang: texts.lang, rain };
  const { bars } = rainBars(chart, { left: 0, right: drawn.width });

  return (
    <g class="chart-rain" font-size={layout.text - 2} fill={colours.text} text-anchor="middle">
      {bars.map(({ left, right, height, label }) => (
        <g key={left}>
          <rect x={left} y={layout.top} width={right - left} height={height} fill={colours.rain} />
          <Label
            {...place}
            label={label}
            x={(left + right) / 2}
            y={layout.top + height + layout.text - 2}
          />
        </g>
      ))}
    </g>
  );
}

function WateringBarMarks(props: DrawingProps) {
  const { drawn, layout, colours, waterings, texts } = props;
  const place = { drawn, layout, view: props.view };
  const chart = { ...drawn.period, zone: texts.zone, lang: texts.lang, waterings };
  const { bars } = wateringBars(chart, { left: 0, right: drawn.width });
  const { water, text } = colours;

  return (
    <g class="chart-waterings">
      {bars.map((bar) => {
        const width = bar.right - bar.left;

        const rect = (height: number, below: number, style: Record<string, string | number>) =>
          height > 0 && (
            <rect
              x={bar.left}
              y={layout.bottom - below - height}
              width={width}
              height={height}
              {...style}
            />
          );

        const hollow = { fill: colours.background, stroke: water, 'stroke-width': 2 };
        return (
          <g key={bar.left}>
            {rect(bar.done, 0, { fill: water })}
            {rect(bar.planned, bar.done, hollow)}
            {rect(bar.unknown, bar.done + bar.planned, { ...hollow, 'stroke-dasharray': '3 2' })}
            <g font-size={layout.text - 1} fill={text} text-anchor="middle">
              <Label
                {...place}
                label={bar.label}
                x={bar.left + width / 2}
                y={layout.bottom - barHeight(bar) - 5}
              />
            </g>
          </g>
        );
      })}
    </g>
  );
}
