import { useState } from 'preact/hooks';
import type { Period } from '../../domain/periods.ts';
import { Button } from '../button.tsx';
import { usePage } from '../page-context.ts';
import { isPulled } from '../thresholds/adjustment.ts';
import { AdjustmentBar } from '../thresholds/adjustment-bar.tsx';
import { LineLayer, lineName } from '../thresholds/line-layer.tsx';
import { offersOf } from '../thresholds/line-offers.ts';
import { type ChartModel, cursorMarks } from './chart-model.ts';
import type { ChartController } from './control/chart-controller.ts';
import { type CursorReading, readingAt } from './control/chart-cursor.ts';
import { pressChartKey, pressLineKey } from './control/chart-keys.ts';
import { useChart } from './control/use-chart.ts';
import { useGestures } from './control/use-gestures.ts';
import { Drawing } from './drawing/drawing.tsx';
import { Legend } from './drawing/legend.tsx';
import { inPx, plotWidthOf } from './drawing/plot-layout.ts';
import { ReadoutPanel } from './drawing/readout-panel.tsx';
import { Cursor, Scale } from './drawing/scale.tsx';
import { Toolbar } from './drawing/toolbar.tsx';
import { spokenSummary } from './readout.ts';
import { ValueTable } from './value-table.tsx';

interface ProbeChartProps {
  readonly moduleId: number;
  /** The first view; null for the last week. */
  readonly period: Period | null;
  /**
   * Width and height in CSS px of the plot with its axes, without the buttons and figures above it.
   */
  readonly width: number;
  readonly height: number;
  readonly canWrite: boolean;
  /** Called after a threshold or a line was saved or undone. */
  onSaved(): void;
}

export function ProbeChart(props: ProbeChartProps) {
  const { width, canWrite } = props;
  const page = usePage();
  const [showsDepths, setShowsDepths] = useState(false);
  const { chart, model, layer } = useChart(
    { ...page, ...props },
    { ...page, ...props, showsDepths },
  );
  const reading = readingAt(model, chart.cursor.at);

  return (
    <section class="probe-chart" style={inPx({ width })}>
      <div class="chart-top">
        <Toolbar texts={model.texts} view={chart.view} />
        <ReadoutPanel
          {...model}
          readout={reading.readout}
          showsDepths={showsDepths}
          onDepths={() => setShowsDepths(!showsDepths)}
        />
        <AdjustmentBar chart={chart} model={model} />
      </div>
      <Plot chart={chart} model={model} canWrite={canWrite} reading={reading} layer={layer} />
      <div class="chart-offers">{canWrite && <Offers chart={chart} model={model} />}</div>
      {chart.data.failure !== null && (
        <p role="alert">
          {model.texts.phrases.failed}{' '}
          <Button onClick={() => chart.reload()}>{model.texts.page.retry}</Button>
        </p>
      )}
      <Legend {...model} />
      <ValueTable {...model} />
      <output class="hidden" aria-live="polite">
        {chart.cursor.spoken}
      </output>
    </section>
  );
}

interface ChartParts {
  readonly chart: ChartController;
  readonly model: ChartModel;
}

interface PlotProps extends ChartParts, Pick<ReturnType<typeof useChart>, 'layer'> {
  readonly canWrite: boolean;
  readonly reading: CursorReading;
}

function Plot({ chart, model, canWrite, reading, layer }: PlotProps) {
  const gestures = useGestures(chart);
  const { layout, texts, curve } = model;
  const { height } = layout;
  const isEmpty = curve.points.length === 0;
  const adjustment = chart.adjustment.current;

  return (
    <div class="chart-plot" {...gestures} style={inPx({ height })}>
      <Scale {...model} />
      <div
        class="chart-window"
        data-area
        role="application"
        aria-roledescription={texts.phrases.chart}
        aria-label={spokenSummary(model)}
        aria-description={texts.phrases.help}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: an application takes keys
        tabIndex={0}
        onKeyDown={(event) => {
          if (pressChartKey(chart, event)) event.preventDefault();
        }}
        style={inPx({ left: layout.left, width: plotWidthOf(layout), height })}
      >
        <div ref={layer} class="chart-moving">
          <Drawing {...model} labelView={chart.view.isMoving ? null : model.view} />
        </div>
        {isEmpty && (
          <p class="chart-empty">
            {chart.data.series.isLoading ? texts.page.loading : texts.labels.noData}
          </p>
        )}
      </div>
      <LineLayer
        {...model}
        canWrite={canWrite}
        stress={model.comfort?.stress ?? null}
        pulledId={isPulled(adjustment) ? adjustment.line.id : null}
        onKey={(line, event) => {
          if (pressLineKey(chart, line, event)) event.preventDefault();
        }}
      />
      {reading.x !== null && (
        <Cursor
          {...model}
          x={reading.x}
          values={reading.point === null ? [] : cursorMarks(model, reading.point)}
        />
      )}
    </div>
  );
}

function Offers({ chart, model: { facts, texts } }: ChartParts) {
  const { adjustment } = chart;
  if (adjustment.current !== null || facts === null) return null;

  return (
    <>
      {offersOf(facts).map((line) => (
        <Button
          key={line.kind}
          onClick={() => {
            chart.adjust(line);
            adjustment.drop();
          }}
        >
          + {lineName(line, texts)}
        </Button>
      ))}
    </>
  );
}
