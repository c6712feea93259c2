import { valueY } from '../../../chart/layout.ts';
import { DAY_MS } from '../../../domain/periods.ts';
import { formatBucketLength } from '../../../language/advice/chart-labels.ts';
import type { ChartSpan } from '../../../language/en/chart.ts';
import { Button } from '../../button.tsx';
import type { ChartModel } from '../chart-model.ts';
import type { ChartTexts } from '../chart-texts.ts';
import type { ChartView } from '../control/chart-view.ts';
import { lengthOf, ZOOM_STEP } from '../control/view.ts';
import type { ReadoutFacts } from '../readout.ts';
import { COLOURS } from './colours.ts';
import { plotWidthOf } from './plot-layout.ts';

const SPANS_MS: Record<ChartSpan, number> = {
  day: DAY_MS,
  week: 7 * DAY_MS,
  month: 30 * DAY_MS,
  season: 90 * DAY_MS,
  year: 365 * DAY_MS,
};

const SPAN_NAMES = Object.keys(SPANS_MS) as ChartSpan[];

/**
 * How far the length of the view may be from a span for its button to appear pressed, as a share of
 * the span.
 */
const SPAN_TOLERANCE = 0.02;

interface ToolbarProps {
  readonly texts: ChartTexts;
  readonly view: ChartView;
}

export function Toolbar({ texts: { labels, page }, view }: ToolbarProps) {
  const spanMs = lengthOf(view.period);
  return (
    <div class="chart-toolbar">
      <fieldset class="chart-spans" aria-label={page.spanGroup}>
        {SPAN_NAMES.map((span) => (
          <Button
            key={span}
            title={formatBucketLength(SPANS_MS[span], labels)}
            aria-pressed={Math.abs(spanMs / SPANS_MS[span] - 1) < SPAN_TOLERANCE}
            onClick={() => view.showLast(SPANS_MS[span])}
          >
            {page.spans[span]}
          </Button>
        ))}
      </fieldset>
      <div class="chart-zooms">
        <ToolButton name={page.zoomOut} sign="−" onClick={() => view.zoom(ZOOM_STEP)} />
        <ToolButton name={page.zoomIn} sign="+" onClick={() => view.zoom(1 / ZOOM_STEP)} />
        <ToolButton name={page.toNow} sign="⇥" onClick={() => view.showLast(spanMs)} />
      </div>
    </div>
  );
}

interface ToolButtonProps {
  readonly name: string;
  readonly sign: string;
  onClick(): void;
}

const ToolButton = ({ name, sign, onClick }: ToolButtonProps) => (
  <Button aria-label={name} title={name} onClick={onClick}>
    {sign}
  </Button>
);

interface ReadoutProps extends Pick<ChartModel, 'texts' | 'curve'> {
  readonly readout: ReadoutFacts;
  readonly showsDepths: boolean;
  onDepths(): void;
}

/** In one place above the plot, because a finger hides what is under it. */
export function Readout(props: ReadoutProps) {
  const { readout, texts, curve, showsDepths, onDepths } = props;
  return (
    <div class="chart-readout">
      <p class="chart-readout-main">
        {readout.value !== null && <b style={{ color: COLOURS.curve }}>{readout.value}</b>}{' '}
        <span>{readout.time}</span>
      </p>
      {curve.sensors.length > 1 && (
        <Button aria-pressed={showsDepths} onClick={onDepths}>
          {texts.page.depths}
        </Button>
      )}
      <p class="chart-readout-more">
        {readout.depths.map(({ name, value, colour }, index) => (
          // The key is the index, because two sensors may be at one depth.
          <span key={index}>
            <i style={{ background: colour }} /> {name} <b>{value}</b>
          </span>
        ))}
        {readout.water.map((text, index) => (
          // The key is the index, because two waterings may have one dose.
          <span key={index}>{text}</span>
        ))}
      </p>
    </div>
  );
}

interface LegendEntry {
  readonly text: string;
  readonly style: Readonly<Record<string, string>>;
}

export function Legend(model: ChartModel) {
  const { labels, zone } = model.texts;
  return (
    <p class="chart-legend">
      <span>{labels.measure[model.measure]}</span>
      {legendEntries(model).map(({ text, style }) => (
        <span key={text}>
          <i style={style} /> {text}
        </span>
      ))}
      <span>{`${labels.localTime}, ${zone.replaceAll('_', ' ')}`}</span>
    </p>
  );
}

function legendEntries(model: ChartModel): LegendEntry[] {
  const { texts, wateringPeriod, rainPeriod, waterings, comfort, backtest } = model;
  const { labels, page } = texts;
  const entries: LegendEntry[] = [];
  const add = (text: string, style: LegendEntry['style']) => entries.push({ text, style });

  if (wateringPeriod !== null) add(labels.watering[wateringPeriod], { background: COLOURS.water });
  if (waterings.some(({ isPlanned }) => isPlanned))
    add(labels.planned, { boxShadow: `inset 0 0 0 2px ${COLOURS.water}` });
  if (rainPeriod !== null) add(labels.rain[rainPeriod], { background: COLOURS.rain });
  if (comfort !== null)
    add(labels.comfort, {
      background: COLOURS.comfort,
      boxShadow: `inset 0 0 0 1px ${COLOURS.fieldCapacity}`,
    });
  if (backtest !== null && backtest.episodes.length > 0)
    add(page.episodes, { background: COLOURS.alert });

  return entries;
}

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
