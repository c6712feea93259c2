import { DAY_MS } from '../../../domain/periods.ts';
import { formatBucketLength } from '../../../language/advice/chart-labels.ts';
import type { ChartSpan } from '../../../language/en/chart.ts';
import { Button } from '../../button.tsx';
import type { ChartTexts } from '../chart-texts.ts';
import type { ChartView } from '../control/chart-view.ts';
import { lengthOf, ZOOM_STEP } from '../control/view.ts';

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

export function Toolbar({ texts: { labels, phrases }, view }: ToolbarProps) {
  const spanMs = lengthOf(view.period);
  return (
    <div class="chart-toolbar">
      <fieldset class="chart-spans" aria-label={phrases.spanGroup}>
        {SPAN_NAMES.map((span) => (
          <Button
            key={span}
            title={formatBucketLength(SPANS_MS[span], labels)}
            aria-pressed={Math.abs(spanMs / SPANS_MS[span] - 1) < SPAN_TOLERANCE}
            onClick={() => view.showLast(SPANS_MS[span])}
          >
            {phrases.spans[span]}
          </Button>
        ))}
      </fieldset>
      <div class="chart-zooms">
        <ToolButton name={phrases.zoomOut} sign="−" onClick={() => view.zoom(ZOOM_STEP)} />
        <ToolButton name={phrases.zoomIn} sign="+" onClick={() => view.zoom(1 / ZOOM_STEP)} />
        <ToolButton name={phrases.toNow} sign="⇥" onClick={() => view.showLast(spanMs)} />
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
