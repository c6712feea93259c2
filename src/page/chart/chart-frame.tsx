import type { ThemeColours } from '../../chart/theme.ts';
import { DAY_MS } from '../../domain/periods.ts';
import { formatBucketLength } from '../../language/advice/chart-labels.ts';
import type { ChartSpan } from '../../language/en/chart.ts';
import type { ChartWords } from './words.ts';

const SPANS_MS: Record<ChartSpan, number> = {
  day: DAY_MS,
  week: 7 * DAY_MS,
  month: 30 * DAY_MS,
  season: 90 * DAY_MS,
  year: 365 * DAY_MS,
};

const SPAN_NAMES = Object.keys(SPANS_MS) as ChartSpan[];

interface ToolbarProps {
  readonly words: ChartWords;
  readonly spanMs: number;
  onSpan(spanMs: number): void;
  onZoom(factor: number): void;
  onNow(): void;
}

const ZOOM_STEP = 1.6;

/** How close the view must be to a span for its button to show it. */
const SAME_SHARE = 0.02;

export function Toolbar({ words: { labels, page }, spanMs, onSpan, onZoom, onNow }: ToolbarProps) {
  return (
    <div class="chart-toolbar">
      <fieldset class="chart-spans" aria-label={page.spanGroup}>
        {SPAN_NAMES.map((span) => (
          <button
            key={span}
            type="button"
            title={formatBucketLength(SPANS_MS[span], labels)}
            aria-pressed={Math.abs(spanMs / SPANS_MS[span] - 1) < SAME_SHARE}
            onClick={() => onSpan(SPANS_MS[span])}
          >
            {page.spans[span]}
          </button>
        ))}
      </fieldset>
      <div class="chart-zooms">
        <button type="button" aria-label={page.zoomOut} title={page.zoomOut} onClick={() => onZoom(ZOOM_STEP)}>
          −
        </button>
        <button type="button" aria-label={page.zoomIn} title={page.zoomIn} onClick={() => onZoom(1 / ZOOM_STEP)}>
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
  readonly words: ChartWords;
  readonly colours: ThemeColours;
  readonly showsDepths: boolean;
  readonly hasDepths: boolean;
  onDepths(): void;
}

/** In one place above the plot, because a finger hides what is under it. */
export function Readout({ facts, words, colours, showsDepths, hasDepths, onDepths }: ReadoutProps) {
  return (
    <div class="chart-readout">
      <p class="chart-readout-main">
        {facts.value !== null && <b style={{ color: colours.curve }}>{facts.value}</b>} <span>{facts.time}</span>
      </p>
      {hasDepths && (
        <button type="button" aria-pressed={showsDepths} onClick={onDepths}>
          {words.page.depths}
        </button>
      )}
      <p class="chart-readout-more">
        {facts.depths.map(({ name, value, colour }) => (
          <span key={name}>
            <i style={{ background: colour }} /> {name} <b>{value}</b>
          </span>
        ))}
        {facts.water.map((text) => (
          <span key={text}>{text}</span>
        ))}
      </p>
    </div>
  );
}

interface LegendProps {
  readonly words: ChartWords;
  readonly colours: ThemeColours;
  readonly measure: string;
  readonly wateringPeriod: keyof ChartWords['labels']['watering'] | null;
  readonly hasPlanned: boolean;
  readonly rainPeriod: keyof ChartWords['labels']['rain'] | null;
  readonly hasComfort: boolean;
  readonly hasEpisodes: boolean;
}

export function Legend({ words, colours, measure, wateringPeriod, rainPeriod, ...has }: LegendProps) {
  const { labels, page, zone } = words;
  const hollow = `inset 0 0 0 2px ${colours.water}`;
  const entries = [
    wateringPeriod !== null && { text: labels.watering[wateringPeriod], style: { background: colours.water } },
    has.hasPlanned && { text: labels.planned, style: { boxShadow: hollow } },
    rainPeriod !== null && { text: labels.rain[rainPeriod], style: { background: colours.rain } },
    has.hasComfort && {
      text: labels.comfort,
      style: { background: colours.comfort, boxShadow: `inset 0 0 0 1px ${colours.fieldCapacity}` },
    },
    has.hasEpisodes && { text: page.episodes, style: { background: colours.alert } },
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
