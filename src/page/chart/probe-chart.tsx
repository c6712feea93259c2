import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { THEME_COLOURS } from '../../chart/theme.ts';
import type { Lang } from '../../domain/lang.ts';
import { isAirHumidity } from '../../domain/moisture/series.ts';
import { DAY_MS, HOUR_MS, type Period } from '../../domain/periods.ts';
import { formatChartPeriod } from '../../language/advice/chart-labels.ts';
import type { ChartTheme } from '../../schema/advice.ts';
import { usePage } from '../page-context.ts';
import type { Service } from '../service.ts';
import { isPulled, useAdjustment } from './adjustment.ts';
import { AdjustmentBar } from './adjustment-bar.tsx';
import { Legend, Readout, Toolbar } from './chart-frame.tsx';
import { chartModel } from './chart-model.ts';
import { Drawing } from './drawing.tsx';
import { LineLayer, lineName } from './line-layer.tsx';
import { inPx, plotLayout, plotWidthOf, valueOfPx, yOf } from './plot-layout.ts';
import { createProbeData, MEASURES, trialStart } from './probe-data.ts';
import { readoutOf, spokenSummary } from './readout.ts';
import { drawnAt, nearestPoint, neighbour } from './series.ts';
import { allowedValue, offersOf, type ThresholdLine } from './threshold-lines.ts';
import { resolutionFor, tilesOf } from './tiles.ts';
import { useGestures } from './use-gestures.ts';
import { useView, viewUpToNow } from './use-view.ts';
import { ValueTable } from './value-table.tsx';
import { lengthOf, moveView } from './view.ts';
import { chartWords } from './words.ts';

interface ProbeChartProps {
  readonly service: Service;
  readonly moduleId: number;
  /** The first view; null for the last week. */
  readonly period: Period | null;
  readonly zone: string;
  readonly lang: Lang;
  readonly theme: ChartTheme;
  /** Width and height in CSS px of the plot with its axes, without the buttons and figures above it. */
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
  const wanting = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const chart = useView(
    props.period,
    now,
    () => plotWidthOf(layoutRef.current),
    () => {
      wanting.current ??= setTimeout(want, WANT_AFTER_MS);
    },
  );
  onData.current = chart.redraw;
  const editing = useAdjustment({ service, moduleId, refresh: data.loadFacts, onSaved });
  const { adjustment, dispatch } = editing;

  function want(): void {
    clearTimeout(wanting.current);
    wanting.current = undefined;
    const { period } = chart.drawn();
    const resolution = resolutionFor(chart.view(), plotWidthOf(layoutRef.current));
    const recorded = { start: period.start, end: Math.min(period.end, now() + HOUR_MS) };
    data.series.want(recorded.start < recorded.end ? tilesOf(recorded, resolution, zone) : []);
    data.events.want(tilesOf(period, EVENTS_RESOLUTION, zone));
  }

  useEffect(() => {
    void data.loadFacts();
    want();
    const stop = service.onChange(() => {
      data.outdate(now() - LATE_READINGS_MS);
      void data.loadFacts();
      want();
    });
    return () => {
      stop();
      clearTimeout(wanting.current);
      data.series.want([]);
      data.events.want([]);
    };
  }, [data]);

  const view = chart.view();
  const rangeRef = useRef<ReturnType<typeof chartModel>['range'] | null>(null);
  const isHeld = chart.isMoving() || adjustment?.phase === 'moving';
  const model = chartModel({
    data,
    moduleId,
    zone,
    theme,
    showsDepths,
    canWrite,
    adjustment,
    now: now(),
    width,
    height,
    view,
    drawn: chart.drawn(),
    version: chart.version,
    heldRange: isHeld ? rangeRef.current : null,
    trialStart: trialStart(view, now(), zone),
  });
  const { layout, range, curve, facts, lines, trial } = model;
  layoutRef.current = layout;
  rangeRef.current = curve.points.length > 0 ? range : null;
  // The margins follow from the first answers, and the drawing from the margins.
  const drawn = chart.drawn();
  useLayoutEffect(chart.shift);
  useEffect(() => {
    if (!chart.isMoving()) want();
    if (trial !== null) data.backtests.want(trial);
    if (isPulled(adjustment)) data.loadSuggestion();
  });

  const module = data.module();
  const measure = isAirHumidity(curve.type ?? 'humidity', module?.category)
    ? 'air_humidity'
    : MEASURES[curve.type ?? (facts?.state.tension ? 'tensio' : 'humidity')];
  const words = chartWords(lang, zone, now(), measure);

  const lineNamed = (id: string): ThresholdLine | undefined => lines.find((line) => line.id === id);
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
      const line = lineNamed(id);
      if (line === undefined || !canWrite) return;
      pulledFrom.current = line.value;
      dispatch({ kind: 'grab', line: model.storedLines.find((each) => each.id === id) ?? line });
    },
    onPull: (px) => pull(pulledFrom.current + valueOfPx(px, range, layout)),
    onDrop: () => dispatch({ kind: 'drop' }),
  });

  function pull(value: number): void {
    const line = adjustment?.line;
    if (line !== undefined) dispatch({ kind: 'move', value: allowedValue(line, value, model.storedLines) });
  }

  function onLineKey(line: ThresholdLine, event: KeyboardEvent): void {
    const step = line.kind === 'wetLevel' || line.kind === 'dryLevel' ? 1 : 0.1;
    const steps: Record<string, number> = {
      ArrowUp: event.shiftKey ? 10 : 1,
      ArrowDown: event.shiftKey ? -10 : -1,
      ArrowRight: 1,
      ArrowLeft: -1,
      PageUp: 10,
      PageDown: -10,
    };
    const by = steps[event.key];
    if (event.key === 'Escape') dispatch({ kind: 'cancel' });
    else if (event.key === 'Enter' && adjustment?.phase === 'waiting')
      void editing.save(adjustment.line, adjustment.value);
    else if (by !== undefined || event.key === 'Enter' || event.key === ' ') {
      const stored = model.storedLines.find(({ id }) => id === line.id) ?? line;
      dispatch({ kind: 'grab', line: stored });
      if (by !== undefined)
        dispatch({ kind: 'move', value: allowedValue(stored, line.value + by * step, model.storedLines) });
      dispatch({ kind: 'drop' });
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  function onKey(event: KeyboardEvent): void {
    const step = lengthOf(view) / 4;
    const direction = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : null;
    if (direction !== null && event.shiftKey) {
      readNext(direction, event);
      return;
    }
    if (event.key === '+' || event.key === '=') chart.zoom(1 / 1.6);
    else if (event.key === '-' || event.key === '_') chart.zoom(1.6);
    else if (event.key === 'End') chart.jump(viewUpToNow(lengthOf(view), now()));
    else if (event.key === 'Escape') setCursor(null);
    else if (event.key === 'PageUp' || event.key === 'PageDown')
      chart.jump(moveView(view, lengthOf(view) * (event.key === 'PageUp' ? -1 : 1), chart.bounds()));
    else if (direction !== null) chart.jump(moveView(view, direction * step, chart.bounds()));
    else return;
    event.preventDefault();
    if (event.key !== 'Escape') {
      setCursor(null);
      const { start, end } = chart.view();
      setSpoken(formatChartPeriod(start, end, zone, words.labels));
    }
  }

  function readNext(direction: 1 | -1, event: KeyboardEvent): void {
    event.preventDefault();
    const from = cursor ?? (direction > 0 ? view.start : view.end);
    const point = neighbour(curve.points, from, direction);
    if (point === null) return;
    setCursor(point.at);
    if (point.at < view.start || point.at > view.end)
      chart.jump(moveView(view, point.at - (view.start + view.end) / 2, chart.bounds()));
    const read = readoutOf({ ...model, words, point, at: point.at });
    setSpoken(
      [read.time, read.value, ...read.depths.map(({ name, value }) => `${name} ${value}`), ...read.water]
        .filter(Boolean)
        .join(', '),
    );
  }

  const reach = Math.max((REACH_PX / plotWidthOf(layout)) * lengthOf(view), curve.intervalMs);
  const point = cursor === null ? null : nearestPoint(curve.points, cursor, reach, (at) => drawnAt(at, curve, now()));
  const readout = readoutOf({ ...model, words, point, at: cursor });
  const cursorAt = point === null ? cursor : drawnAt(point.at, curve, now());
  const cursorX = cursorAt === null ? null : layout.left + (cursorAt - view.start) * drawn.pxPerMs;
  const summary = spokenSummary({ ...model, words, view, measure });
  const failure = data.failure();
  const isLoading = data.series.isLoading() && curve.points.length === 0;
  const alertAt = trial === null ? null : trial.threshold;
  const { adjustments } = model;

  return (
    <section class="probe-chart" style={inPx({ width })}>
      <div class="chart-top">
        <Toolbar
          words={words}
          spanMs={lengthOf(view)}
          onSpan={(span) => chart.jump(viewUpToNow(span, now()))}
          onZoom={chart.zoom}
          onNow={() => chart.jump(viewUpToNow(lengthOf(view), now()))}
        />
        <Readout
          facts={readout}
          words={words}
          colours={colours}
          showsDepths={showsDepths}
          hasDepths={curve.sensors.length > 1}
          onDepths={() => setShowsDepths(!showsDepths)}
        />
        {adjustment !== null && (
          <AdjustmentBar
            adjustment={adjustment}
            words={words}
            {...adjustments}
            trialMs={now() - (trial?.start ?? now())}
            suggestion={data.suggestion()}
            onChoose={(value) => pull(value)}
            onSave={() => isPulled(adjustment) && void editing.save(adjustment.line, adjustment.value)}
            onCancel={() => dispatch({ kind: 'cancel' })}
            onUndo={() =>
              'changeId' in adjustment && adjustment.changeId !== null && void editing.undo(adjustment.changeId)
            }
            onClose={() => dispatch({ kind: 'close' })}
          />
        )}
      </div>
      <div class="chart-plot" ref={gestures} style={inPx({ height })}>
        <svg class="chart-back" width={width} height={height} aria-hidden="true">
          {model.comfort !== null && (
            <rect
              x={layout.left}
              width={plotWidthOf(layout)}
              y={Math.max(layout.curveTop, yOf(model.comfort.to, range, layout))}
              height={Math.max(
                0,
                Math.min(layout.curveBottom, yOf(model.comfort.from, range, layout)) -
                  Math.max(layout.curveTop, yOf(model.comfort.to, range, layout)),
              )}
              fill={colours.comfort}
            />
          )}
          {range.ticks.map((tick) => {
            const y = yOf(tick, range, layout);
            return (
              <g key={tick}>
                <line x1={layout.left} x2={layout.right} y1={y} y2={y} stroke={colours.grid} />
                <text x={layout.left - 6} y={y + 4.5} text-anchor="end" font-size={layout.text} fill={colours.muted}>
                  {words.number(tick)}
                </text>
              </g>
            );
          })}
        </svg>
        <div
          class="chart-window"
          data-area
          role="application"
          aria-roledescription={words.page.chart}
          aria-label={summary}
          aria-description={words.page.help}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: an application takes keys
          tabIndex={0}
          onKeyDown={onKey}
          style={inPx({ left: layout.left, width: plotWidthOf(layout), height })}
        >
          <div ref={chart.moving} class="chart-moving">
            <Drawing
              drawn={drawn}
              layout={layout}
              range={range}
              colours={colours}
              words={words}
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
            <p class="chart-empty">{isLoading ? words.page.loading : words.labels.noData}</p>
          )}
        </div>
        <LineLayer
          layout={layout}
          range={range}
          colours={colours}
          words={words}
          lines={lines}
          canWrite={canWrite}
          stress={model.comfort?.stress ?? null}
          pulledId={isPulled(adjustment) ? adjustment.line.id : null}
          valueText={(line) => words.value(line.value)}
          onKey={onLineKey}
        />
        {cursorX !== null && cursorX >= layout.left && cursorX <= layout.right && (
          <svg class="chart-cursor" width={width} height={height} aria-hidden="true">
            <line x1={cursorX} x2={cursorX} y1={layout.top} y2={layout.bottom} stroke={colours.text} />
            {point !== null &&
              model
                .cursorValues(point)
                .map(({ value, colour }) => (
                  <circle
                    key={colour}
                    cx={cursorX}
                    cy={yOf(value, range, layout)}
                    r="5.5"
                    fill={colour}
                    stroke={colours.background}
                    stroke-width="2"
                  />
                ))}
          </svg>
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
              + {lineName(line, words)}
            </button>
          ))}
      </div>
      {failure !== null && (
        <p class="chart-failure" role="alert">
          {words.page.failed}{' '}
          <button
            type="button"
            onClick={() => {
              data.outdate(Number.POSITIVE_INFINITY);
              void data.loadFacts();
              want();
            }}
          >
            {words.page.retry}
          </button>
        </p>
      )}
      <Legend
        words={words}
        colours={colours}
        measure={words.labels.measure[measure]}
        wateringPeriod={model.wateringPeriod}
        hasPlanned={model.waterings.some(({ isPlanned }) => isPlanned)}
        rainPeriod={model.rainPeriod}
        hasComfort={model.comfort !== null}
        hasEpisodes={model.episodes.length > 0}
      />
      <ValueTable
        view={view}
        words={words}
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
