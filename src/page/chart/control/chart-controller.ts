import { DAY_MS, HOUR_MS, type Period } from '../../../domain/periods.ts';
import type { QuantityWording } from '../../../language/american-quantities.ts';
import type { ChartTheme } from '../../../schema/advice/moisture-chart.ts';
import type { Service } from '../../service/page-service.ts';
import { isPulled, LineAdjustment } from '../../thresholds/adjustment.ts';
import { allowedValue } from '../../thresholds/line-values.ts';
import { lineWriter } from '../../thresholds/line-writer.ts';
import type { ThresholdLine } from '../../thresholds/threshold-lines.ts';
import { type ChartModel, chartModel } from '../chart-model.ts';
import { ProbeData } from '../data/probe-data.ts';
import { resolutionFor, tilesOf } from '../data/tiles.ts';
import { drawnRangeFor, plotWidthOf, valueOfPx } from '../drawing/plot-layout.ts';
import { ChartCursor } from './chart-cursor.ts';
import { ChartView } from './chart-view.ts';
import { isDrawn, lengthOf } from './view.ts';

/** The choices of the page about a chart. They may differ with each rendering. */
export interface ChartSetting extends QuantityWording {
  readonly theme: ChartTheme;
  /**
   * Width and height in CSS px of the plot with its axes, without the buttons and figures above it.
   */
  readonly width: number;
  readonly height: number;
  readonly canWrite: boolean;
  readonly showsDepths: boolean;
  /** ms */
  now(): number;
  /** Called after a threshold or a line was saved or undone. */
  onSaved(): void;
}

interface ChartOptions {
  readonly service: Service;
  readonly moduleId: number;
  readonly zone: string;
  /** The first view; null for the last week. */
  readonly period: Period | null;
  readonly setting: ChartSetting;
  /** `shouldRender` is false if it is enough to shift the drawing. */
  onChange(shouldRender: boolean): void;
}

/** An index of RESOLUTIONS: events are loaded in tiles of 96 days. */
const EVENTS_RESOLUTION = 4;
const LOAD_AFTER_MS = 140;
/** A reading may arrive this much later than it was measured. */
const LATE_READINGS_MS = 2 * DAY_MS;
/** The clock of a probe may be ahead by this much. */
const CLOCK_TOLERANCE_MS = HOUR_MS;

/**
 * The chart of a probe, without its elements. The view lives here because nothing is rendered while
 * a finger drags, until the view leaves what is drawn.
 */
export class ChartController {
  readonly data: ProbeData;
  readonly view: ChartView;
  readonly cursor: ChartCursor;
  readonly adjustment: LineAdjustment;
  readonly #options: ChartOptions;
  #setting: ChartSetting;
  #shown: ChartModel | null = null;
  /** The value of the line when a pointer grabbed it. */
  #grabbedValue = 0;
  #loadTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: ChartOptions) {
    const { service, moduleId, zone, period } = options;
    const onChange = (): void => options.onChange(true);
    this.#options = options;
    this.#setting = options.setting;
    this.data = new ProbeData({ service, moduleId, zone, onChange });
    this.view = new ChartView(period, () => this.#setting.now(), onChange);
    this.cursor = new ChartCursor(this.view, onChange);

    const onWritten = async (): Promise<void> => {
      await this.data.loadFacts();
      this.#setting.onSaved();
    };

    const writer = lineWriter({ service, moduleId, onWritten });
    this.adjustment = new LineAdjustment({ ...writer, onChange });
  }

  /** Loads, and follows the changes of the farm until the returned function is called. */
  follow(): () => void {
    this.reload();
    const { service, moduleId } = this.#options;
    const stop = service.listen({
      onChange: (modules) => {
        if (modules === null || modules.includes(moduleId))
          this.reload(this.#setting.now() - LATE_READINGS_MS);
      },
    });
    return () => {
      stop();
      clearTimeout(this.#loadTimer);
      this.data.series.want([]);
      this.data.events.want([]);
    };
  }

  /**
   * `since` is when the oldest new reading may have been measured, in ms. Without it, only what is
   * missing is loaded.
   */
  reload(since = Number.POSITIVE_INFINITY): void {
    this.data.outdate(since);
    void this.data.loadFacts();
    this.#loadView();
  }

  /** The model to draw now. */
  model(setting: ChartSetting): ChartModel {
    const shown = this.#shown;
    const adjustment = this.adjustment.current;
    const isRangeFixed = this.view.isMoving || adjustment?.phase === 'moving';
    return chartModel({
      ...setting,
      moduleId: this.#options.moduleId,
      zone: this.#options.zone,
      data: this.data,
      adjustment,
      now: setting.now(),
      view: this.view.period,
      lastDrawn: shown?.drawn ?? null,
      fixedRange: isRangeFixed && shown?.curve.points.length ? shown.range : null,
    });
  }

  /** The model on the screen, on which gestures and keys act; null before the first rendering. */
  get shown(): ChartModel | null {
    return this.#shown;
  }

  show(model: ChartModel, setting: ChartSetting): void {
    this.#shown = model;
    this.#setting = setting;
  }

  /** Loads what the shown model lacks. */
  loadMissing(): void {
    if (!this.view.isMoving) this.#loadView();
    const backtest = this.#shown?.backtest;
    if (backtest) this.data.backtests.want(backtest.request);
    if (isPulled(this.adjustment.current)) this.data.loadSuggestion();
  }

  /** In px, how far the drawing is right of the plot. */
  get shift(): number {
    if (this.#shown === null) return 0;
    const { period, pxPerMs } = this.#shown.drawn;
    return (period.start - this.view.period.start) * pxPerMs;
  }

  /** In px from the left of the chart. */
  get plotLeft(): number {
    return this.#shown?.layout.left ?? 0;
  }

  get plotWidth(): number {
    return this.#shown === null ? 1 : plotWidthOf(this.#shown.layout);
  }

  /** Moves the view with a gesture. The drawing is only shifted as long as it covers the view. */
  drag(view: Period): void {
    this.cursor.clear();
    this.view.dragTo(view);
    this.#options.onChange(this.#shown === null || !isDrawn(view, this.#shown.drawn.period));
    this.#loadTimer ??= setTimeout(() => this.#loadView(), LOAD_AFTER_MS);
  }

  /** `x` is in px from the left of the plot; null when the finger or mouse is gone. */
  inspect(x: number | null): void {
    const { period } = this.view;
    this.cursor.set(x === null ? null : period.start + (x / this.plotWidth) * lengthOf(period));
  }

  /** A pointer takes hold of a line. */
  grab(lineId: string): void {
    const line = this.#shown?.lines.find(({ id }) => id === lineId);
    if (line === undefined) return;
    this.#grabbedValue = line.value;
    this.adjust(line);
  }

  /** `px` is how far up the pointer is from where it grabbed the line. */
  pull(px: number): void {
    if (this.#shown === null) return;
    const { range, layout } = this.#shown;
    this.pullTo(this.#grabbedValue + valueOfPx(px, range, layout));
  }

  drop(): void {
    this.adjustment.drop();
  }

  /** Begins or resumes to adjust the line. */
  adjust(line: ThresholdLine): void {
    if (!this.#setting.canWrite) return;
    // The line at its stored value: that of `line` is the pulled one once it was pulled.
    const stored = this.#shown?.storedLines.find(({ id }) => id === line.id);
    this.adjustment.grab(stored ?? line);
  }

  pullTo(value: number): void {
    const line = this.adjustment.current?.line;
    if (line !== undefined && this.#shown !== null)
      this.adjustment.move(allowedValue(line, value, this.#shown.storedLines));
  }

  pullBy(step: number): void {
    const { current } = this.adjustment;
    if (step !== 0 && current !== null) this.pullTo(current.value + step);
  }

  #loadView(): void {
    clearTimeout(this.#loadTimer);
    this.#loadTimer = undefined;

    const { zone } = this.#options;
    const view = this.view.period;
    const { period } = drawnRangeFor(view, this.plotWidth, this.#shown?.drawn ?? null);
    const resolution = resolutionFor(view, this.plotWidth);
    const pastPeriod = {
      start: period.start,
      end: Math.min(period.end, this.#setting.now() + CLOCK_TOLERANCE_MS),
    };
    const isFuture = pastPeriod.start >= pastPeriod.end;
    this.data.series.want(isFuture ? [] : tilesOf(pastPeriod, resolution, zone));
    this.data.events.want(tilesOf(period, EVENTS_RESOLUTION, zone));
  }
}
