import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { THEME_COLOURS } from '../../chart/theme.ts';
import type { Lang } from '../../domain/lang.ts';
import { measureOf } from '../../domain/moisture/series.ts';
import { DAY_MS, HOUR_MS, type Period } from '../../domain/periods.ts';
import { formatChartPeriod } from '../../language/advice/chart-labels.ts';
import type { ChartTheme } from '../../schema/advice/advice.ts';
import { usePage } from '../page-context.ts';
import type { Service } from '../service/service.ts';
import { isPulled, useAdjustment } from '../thresholds/adjustment.ts';
import { AdjustmentBar } from '../thresholds/adjustment-bar.tsx';
import { LineLayer, lineName } from '../thresholds/line-layer.tsx';
import {
  allowedValue,
  keyStep,
  offersOf,
  type ThresholdLine,
} from '../thresholds/threshold-lines.ts';
import { Cursor, Legend, Readout, Scale, Toolbar, ZOOM_STEP } from './chart-frame.tsx';
import { chartModel } from './chart-model.ts';
import { chartTexts } from './chart-texts.ts';
import { Drawing } from './drawing.tsx';
import { inPx, plotLayout, plotWidthOf, valueOfPx } from './plot-layout.ts';
import { backtestStart, createProbeData } from './probe-data.ts';
import { describeReadout, spokenSummary } from './readout.ts';
import { drawnAt, nearestPoint, nextPoint } from './series.ts';
import { resolutionFor, tilesOf } from './tiles.ts';
import { useGestures } from './use-gestures.ts';
import { useView } from './use-view.ts';
import { ValueTable } from './value-table.tsx';
import { lengthOf, moveView } from './view.ts';

interface ProbeChartProps {
  readonly service: Service;
  readonly moduleId: number;
  /** The first view; null for the last week. */
  readonly period: Period | null;
  readonly zone: string;
  readonly lang: Lang;
  readonly theme: ChartTheme;
  /**
   * Width and height in CSS px of the plot with its axes, without the buttons and figures above it.
   */
  readonly width: number;
  readonly height: number;
  readonly canWrite: boolean;
  /** Called after a threshold or a line was saved or undone. */
  onSaved(): void;
}

const EVENTS_RESOLUTION = 4;
const WANT_AFTER_MS = 140;
/** A reading may arrive this much later than it was measured. */
const LATE_READINGS_MS = 2 * DAY_MS;
/** How far from the finger a value may be to be read. */
const REACH_PX = 24;

/** By what share of itself a key moves the view. */
const KEY_SHARES: Readonly<Record<string, number>> = {
  ArrowLeft: -0.25,
  ArrowRight: 0.25,
  PageUp: -1,
  PageDown: 1,
};

export function ProbeChart(props: ProbeChartProps) {
  const { service, moduleId, zone, lang, theme, width, height, canWrite, onSaved } = props;
  const { now } = usePage();
  const colours = THEME_COLOURS[theme];
  const [cursor, setCursor] = useState<number | null>(null);
  const [showsDepths, setShowsDepths] = useState(false);
  const [spoken, setSpoken] = useState('');
  const onData = useRef<() => void>(() => undefined);
  const data = useMemo(
    () => createProbeData({ service, moduleId, zone, onChange: () => onData.current() }),
    [service, moduleId, zone],
  );

  const layoutRef = useRef(plotLayout({ width, height, hasRain: false, hasWaterings: false }));
  const wantTimer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const chart = useView(
    props.period,
    now,
    () => plotWidthOf(layoutRef.current),
    () => {
      wantTimer.current ??= setTimeout(want, WANT_AFTER_MS);
    },
  );

  onData.current = chart.redraw;
  const editing = useAdjustment({ service, moduleId, refresh: data.loadFacts, onSaved });
  const { adjustment, dispatch } = editing;

  function want(): void {
    clearTimeout(wantTimer.current);
    wantTimer.current = undefined;
    const { period } = chart.drawn();
    const resolution = resolutionFor(chart.view(), plotWidthOf(layoutRef.current));
    const recorded = { start: period.start, end: Math.min(period.end, now() + HOUR_MS) };
    data.series.want(recorded.start < recorded.end ? tilesOf(recorded, resolution, zone) : []);
    data.events.want(tilesOf(period, EVENTS_RESOLUTION, zone));
  }

  /** `since` is when the oldest new reading may have been measured, in ms. */
  function reload(since: number): void {
    data.outdate(since);
    void data.loadFacts();
    want();
  }

  useEffect(() => {
    reload(Number.POSITIVE_INFINITY);
    const stop = service.listen({
      onChange(modules) {
        if (modules?.includes(moduleId) !== false) reload(now() - LATE_READINGS_MS);
      },
    });
    return () => {
      stop();
      clearTimeout(wantTimer.current);
      data.series.want([]);
      data.events.want([]);
    };
  }, [data]);

  const view = chart.view();
  const rangeRef = useRef<ReturnType<typeof chartModel>['range'] | null>(null);
  const isRangeFixed = chart.isMoving() || adjustment?.phase === 'moving';
  const model = chartModel({
    data,
    moduleId,
    zone,
    theme,
    showsDepths,
    adjustment,
    now: now(),
    width,
    height,
    view,
    drawn: chart.drawn(),
    fixedRange: isRangeFixed ? rangeRef.current : null,
    testedFrom: backtestStart(view, now(), zone),
  });

  const { layout, range, curve, facts, lines, request: backtestRequest } = model;
  layoutRef.current = layout;
  rangeRef.current = curve.points.length > 0 ? range : null;

  // The margins follow from the first answers, and the drawing from the margins.
  const drawn = chart.drawn();
  useLayoutEffect(chart.shift);
  useEffect(() => {
    if (!chart.isMoving()) want();
    if (backtestRequest !== null) data.backtests.want(backtestRequest);
    if (isPulled(adjustment)) data.loadSuggestion();
  });

  const module = data.module();
  const measure = measureOf(
    curve.type ?? (facts?.state.tension ? 'tensio' : 'humidity'),
    module?.category,
  );
  const texts = chartTexts(lang, zone, now(), measure);

  /** The line without what a person has pulled so far. */
  const storedLine = (line: ThresholdLine): ThresholdLine =>
    model.storedLines.find(({ id }) => id === line.id) ?? line;

  const pulledFrom = useRef(0);
  const readAt = (x: number): number => view.start + (x / plotWidthOf(layout)) * lengthOf(view);

  const gestures = useGestures({
    view: chart.view,
    bounds: chart.bounds,
    left: () => layoutRef.current.left,
    plotWidth: () => plotWidthOf(layoutRef.current),
    onView(moved) {
      if (cursor !== null) setCursor(null);
      chart.move(moved);
    },
    onSettled: chart.settle,
    onInspect: (x) => setCursor(x === null ? null : readAt(x)),
    onGrab(id) {
      const line = lines.find((each) => each.id === id);
      if (line === undefined || !canWrite) return;
      pulledFrom.current = line.value;
      dispatch({ kind: 'grab', line: storedLine(line) });
    },
    onPull: (px) => pull(pulledFrom.current + valueOfPx(px, range, layout)),
    onDrop: () => dispatch({ kind: 'drop' }),
  });

  function pull(value: number): void {
    const line = adjustment?.line;
    if (line !== undefined)
      dispatch({ kind: 'move', value: allowedValue(line, value, model.storedLines) });
  }

  function onLineKey(line: ThresholdLine, event: KeyboardEvent): void {
    const step = keyStep(line, event);
    if (event.key === 'Escape') dispatch({ kind: 'cancel' });
    else if (event.key === 'Enter' && adjustment?.phase === 'waiting')
      void editing.save(adjustment.line, adjustment.value);
    else if (step !== null || event.key === 'Enter' || event.key === ' ') {
      const stored = storedLine(line);
      dispatch({ kind: 'grab', line: stored });
      if (step !== null)
        dispatch({
          kind: 'move',
          value: allowedValue(stored, line.value + step, model.storedLines),
        });
      dispatch({ kind: 'drop' });
    } else return;

    event.preventDefault();
    event.stopPropagation();
  }

  function onKey(event: KeyboardEvent): void {
    const share = KEY_SHARES[event.key];
    if (share !== undefined && event.shiftKey && event.key.startsWith('Arrow')) {
      readNext(share > 0 ? 1 : -1, event);
      return;
    }

    if (share !== undefined) chart.jump(moveView(view, share * lengthOf(view), chart.bounds()));
    else if (event.key === '+' || event.key === '=') chart.zoom(1 / ZOOM_STEP);
    else if (event.key === '-' || event.key === '_') chart.zoom(ZOOM_STEP);
    else if (event.key === 'End') chart.showLast(lengthOf(view));
    else if (event.key !== 'Escape') return;

    event.preventDefault();
    setCursor(null);

    if (event.key !== 'Escape') {
      const { start, end } = chart.view();
      setSpoken(formatChartPeriod(start, end, zone, texts.labels));
    }
  }

  function readNext(direction: 1 | -1, event: KeyboardEvent): void {
    event.preventDefault();
    const from = cursor ?? (direction > 0 ? view.start : view.end);
    const point = nextPoint(curve.points, from, direction);
    if (point === null) return;

    setCursor(point.at);
    if (point.at < view.start || point.at > view.end)
      chart.jump(moveView(view, point.at - (view.start + view.end) / 2, chart.bounds()));
    const read = describeReadout({ ...model, texts, point, at: point.at });

    setSpoken(
      [
        read.time,
        read.value,
        ...read.depths.map(({ name, value }) => `${name} ${value}`),
        ...read.water,
      ]
        .filter(Boolean)
        .join(', '),
    );
  }

  const reach = Math.max((REACH_PX / plotWidthOf(layout)) * lengthOf(view), curve.intervalMs);
  const point =
    cursor === null
      ? null
      : nearestPoint(curve.points, cursor, reach, (at) => drawnAt(at, curve, now()));
  const readout = describeReadout({ ...model, texts, point, at: cursor });
  const cursorAt = point === null ? cursor : drawnAt(point.at, curve, now());
  const cursorX = cursorAt === null ? null : layout.left + (cursorAt - view.start) * drawn.pxPerMs;
  const summary = spokenSummary({ ...model, texts, view, measure });

  const failure = data.failure();
  const isLoading = data.series.isLoading() && curve.points.length === 0;
  const alertAt = backtestRequest?.threshold ?? null;
  const plot = { layout, range, colours, texts };

  return (
    <section class="probe-chart" style={inPx({ width })}>
      <div class="chart-top">
        <Toolbar
          texts={texts}
          spanMs={lengthOf(view)}
          onSpan={chart.showLast}
          onZoom={chart.zoom}
          onNow={() => chart.showLast(lengthOf(view))}
        />
        <Readout
          facts={readout}
          texts={texts}
          colours={colours}
          showsDepths={showsDepths}
          hasDepths={curve.sensors.length > 1}
          onDepths={() => setShowsDepths(!showsDepths)}
        />
        {adjustment !== null && (
          <AdjustmentBar
            adjustment={adjustment}
            texts={texts}
            {...model.adjustments}
            testedMs={now() - (backtestRequest?.start ?? now())}
            suggestion={data.suggestion()}
            onChoose={(value) => pull(value)}
            onSave={() =>
              isPulled(adjustment) && void editing.save(adjustment.line, adjustment.value)
            }
            onCancel={() => dispatch({ kind: 'cancel' })}
            onUndo={() =>
              'changeId' in adjustment &&
              adjustment.changeId !== null &&
              void editing.undo(adjustment.changeId)
            }
            onClose={() => dispatch({ kind: 'close' })}
          />
        )}
      </div>
      <div class="chart-plot" ref={gestures} style={inPx({ height })}>
        <Scale {...plot} comfort={model.comfort} />
        <div
          class="chart-window"
          data-area
          role="application"
          aria-roledescription={texts.page.chart}
          aria-label={summary}
          aria-description={texts.page.help}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: an application takes keys
          tabIndex={0}
          onKeyDown={onKey}
          style={inPx({ left: layout.left, width: plotWidthOf(layout), height })}
        >
          <div ref={chart.layer} class="chart-moving">
            <Drawing
              {...plot}
              drawn={drawn}
              alertAt={alertAt}
              now={now()}
              view={chart.isMoving() ? null : view}
              lines={model.drawnLines}
              waterings={model.waterings}
              rain={model.rain}
              episodes={model.episodes}
              annotations={facts?.annotations ?? []}
            />
          </div>
          {curve.points.length === 0 && (
            <p class="chart-empty">{isLoading ? texts.page.loading : texts.labels.noData}</p>
          )}
        </div>
        <LineLayer
          {...plot}
          lines={lines}
          canWrite={canWrite}
          stress={model.comfort?.stress ?? null}
          pulledId={isPulled(adjustment) ? adjustment.line.id : null}
          onKey={onLineKey}
        />
        {cursorX !== null && (
          <Cursor {...plot} x={cursorX} values={point === null ? [] : model.cursorValues(point)} />
        )}
      </div>
      <div class="chart-offers">
        {canWrite &&
          adjustment === null &&
          facts !== null &&
          offersOf(facts).map((line) => (
            <button
              key={line.kind}
              type="button"
              onClick={() => {
                dispatch({ kind: 'grab', line });
                dispatch({ kind: 'drop' });
              }}
            >
              + {lineName(line, texts)}
            </button>
          ))}
      </div>
      {failure !== null && (
        <p class="chart-failure" role="alert">
          {texts.page.failed}{' '}
          <button type="button" onClick={() => reload(Number.POSITIVE_INFINITY)}>
            {texts.page.retry}
          </button>
        </p>
      )}
      <Legend
        texts={texts}
        colours={colours}
        measure={texts.labels.measure[measure]}
        wateringPeriod={model.wateringPeriod}
        hasPlanned={model.waterings.some(({ isPlanned }) => isPlanned)}
        rainPeriod={model.rainPeriod}
        hasComfort={model.comfort !== null}
        hasEpisodes={model.episodes.length > 0}
      />
      <ValueTable
        view={view}
        texts={texts}
        lines={lines}
        points={curve.points}
        waterings={model.waterings}
        rain={model.rain}
        annotations={facts?.annotations ?? []}
      />
      <output class="hidden" aria-live="polite">
        {spoken}
      </output>
    </section>
  );
}
