import type { ThemeColours } from '../../chart/theme.ts';
import type { ValueScale } from '../../chart/value-axis.ts';
import { DAY_MS } from '../../domain/periods.ts';
import { formatBucketLength } from '../../language/advice/chart-labels.ts';
import type { ChartSpan } from '../../language/en/chart.ts';
import type { ChartTexts } from './chart-texts.ts';
import { type AxisRange, type PlotLayout, plotWidthOf, yOf } from './plot-layout.ts';

const SPANS_MS: Record<ChartSpan, number> = {
  day: DAY_MS,
  week: 7 * DAY_MS,
  month: 30 * DAY_MS,
  season: 90 * DAY_MS,
  year: 365 * DAY_MS,
};

const SPAN_NAMES = Object.keys(SPANS_MS) as ChartSpan[];

interface ToolbarProps {
  readonly texts: ChartTexts;
  readonly spanMs: number;
  onSpan(spanMs: number): void;
  onZoom(factor: number): void;
  onNow(): void;
}

export const ZOOM_STEP = 1.6;

/**
 * How far the length of the view may be from a span for its button to appear pressed, as a share of
 * the span.
 */
const SPAN_TOLERANCE = 0.02;

export function Toolbar({ texts: { labels, page }, spanMs, onSpan, onZoom, onNow }: ToolbarProps) {
  return (
    <div class="chart-toolbar">
      <fieldset class="chart-spans" aria-label={page.spanGroup}>
        {SPAN_NAMES.map((span) => (
          <button
            key={span}
            type="button"
            title={formatBucketLength(SPANS_MS[span], labels)}
            aria-pressed={Math.abs(spanMs / SPANS_MS[span] - 1) < SPAN_TOLERANCE}
            onClick={() => onSpan(SPANS_MS[span])}
          >
            {page.spans[span]}
          </button>
        ))}
      </fieldset>
      <div class="chart-zooms">
        <button
          type="button"
          aria-label={page.zoomOut}
          title={page.zoomOut}
          onClick={() => onZoom(ZOOM_STEP)}
        >
          −
        </button>
        <button
          type="button"
          aria-label={page.zoomIn}
          title={page.zoomIn}
          onClick={() => onZoom(1 / ZOOM_STEP)}
        >
          +
        </button>
        <button type="button" aria-label={page.toNow} title={page.toNow} onClick={onNow}>
          ⇥
        </button>
      </div>
    </div>
  );
}

interface ReadoutValue {
  readonly name: string;
  readonly value: string;
  readonly colour: string;
}

export interface ReadoutFacts {
  readonly time: string;
  readonly value: string | null;
  readonly depths: readonly ReadoutValue[];
  readonly water: readonly string[];
}

interface ReadoutProps {
  readonly facts: ReadoutFacts;
  readonly texts: ChartTexts;
  readonly colours: ThemeColours;
  readonly showsDepths: boolean;
  readonly hasDepths: boolean;
  onDepths(): void;
}

/** In one place above the plot, because a finger hides what is under it. */
export function Readout({ facts, texts, colours, showsDepths, hasDepths, onDepths }: ReadoutProps) {
  return (
    <div class="chart-readout">
      <p class="chart-readout-main">
        {facts.value !== null && <b style={{ color: colours.curve }}>{facts.value}</b>}{' '}
        <span>{facts.time}</span>
      </p>
      {hasDepths && (
        <button type="button" aria-pressed={showsDepths} onClick={onDepths}>
          {texts.page.depths}
        </button>
      )}
      <p class="chart-readout-more">
        {facts.depths.map(({ name, value, colour }, index) => (
          // By index, because two sensors may be at one depth.
          <span key={index}>
            <i style={{ background: colour }} /> {name} <b>{value}</b>
          </span>
        ))}
        {facts.water.map((text, index) => (
          // By index, because two waterings may have one dose.
          <span key={index}>{text}</span>
        ))}
      </p>
    </div>
  );
}

interface LegendProps {
  readonly texts: ChartTexts;
  readonly colours: ThemeColours;
  readonly measure: string;
  readonly wateringPeriod: keyof ChartTexts['labels']['watering'] | null;
  readonly hasPlanned: boolean;
  readonly rainPeriod: keyof ChartTexts['labels']['rain'] | null;
  readonly hasComfort: boolean;
  readonly hasEpisodes: boolean;
}

export function Legend({
  texts,
  colours,
  measure,
  wateringPeriod,
  rainPeriod,
  hasPlanned,
  hasComfort,
  hasEpisodes,
}: LegendProps) {
  const { labels, page, zone } = texts;
  const hollow = `inset 0 0 0 2px ${colours.water}`;
  const entries = [
    wateringPeriod !== null && {
      text: labels.watering[wateringPeriod],
      style: { background: colours.water },
    },
    hasPlanned && { text: labels.planned, style: { boxShadow: hollow } },
    rainPeriod !== null && { text: labels.rain[rainPeriod], style: { background: colours.rain } },
    hasComfort && {
      text: labels.comfort,
      style: { background: colours.comfort, boxShadow: `inset 0 0 0 1px ${colours.fieldCapacity}` },
    },
    hasEpisodes && { text: page.episodes, style: { background: colours.alert } },
  ].filter((entry) => entry !== false);

  return (
    <p class="chart-legend">
      <span>{measure}</span>
      {entries.map(({ text, style }) => (
        <span key={text}>
          <i style={style} /> {text}
        </span>
      ))}
      <span>{`${labels.localTime}, ${zone.replaceAll('_', ' ')}`}</span>
    </p>
  );
}

interface OnPlotProps {
  readonly layout: PlotLayout;
  readonly colours: ThemeColours;
}

interface ScaleProps extends OnPlotProps {
  readonly range: ValueScale;
  readonly texts: ChartTexts;
  readonly comfort: { readonly from: number; readonly to: number } | null;
}

/** The value axis with its grid, behind the curve, and the band without stress. */
export function Scale({ layout, range, colours, texts, comfort }: ScaleProps) {
  const { left, right, curveTop, curveBottom } = layout;
  const bandTop = comfort && Math.max(curveTop, yOf(comfort.to, range, layout));
  return (
    <svg class="chart-back" width={layout.width} height={layout.height} aria-hidden="true">
      {comfort !== null && bandTop !== null && (
        <rect
          x={left}
          width={plotWidthOf(layout)}
          y={bandTop}
          height={Math.max(0, Math.min(curveBottom, yOf(comfort.from, range, layout)) - bandTop)}
          fill={colours.comfort}
        />
      )}
      {range.ticks.map((tick) => {
        const y = yOf(tick, range, layout);
        return (
          <g key={tick}>
            <line x1={left} x2={right} y1={y} y2={y} stroke={colours.grid} />
            <text
              x={left - 6}
              y={y + 4.5}
              text-anchor="end"
              font-size={layout.text}
              fill={colours.muted}
            >
              {texts.number(tick)}
            </text>
          </g>
        );
      })}
    </svg>
  );
}

interface CursorProps extends OnPlotProps {
  readonly range: AxisRange;
  readonly x: number;
  readonly values: readonly { readonly value: number; readonly colour: string }[];
}

/** Marks the instant under the finger and its values; nothing if the instant is not in view. */
export function Cursor({ layout, range, colours, x, values }: CursorProps) {
  if (x < layout.left || x > layout.right) return null;

  return (
    <svg class="chart-cursor" width={layout.width} height={layout.height} aria-hidden="true">
      <line x1={x} x2={x} y1={layout.top} y2={layout.bottom} stroke={colours.text} />
      {values.map(({ value, colour }) => (
        <circle
          key={colour}
          cx={x}
          cy={yOf(value, range, layout)}
          r="5.5"
          fill={colour}
          stroke={colours.background}
          stroke-width="2"
        />
      ))}
    </svg>
  );
}
