import type { ChartModel } from '../chart-model.ts';
import { type DepthsPoint, drawnAt, nearestPoint, nextPoint } from '../data/series-tiles.ts';
import { plotWidthOf } from '../drawing/plot-layout.ts';
import { describeReadout, type Readout, spokenReadout } from '../readout.ts';
import type { ChartView } from './chart-view.ts';
import { lengthOf } from './view.ts';

/** The instant at which a person reads values, and what was last read aloud. */
export class ChartCursor {
  readonly #view: ChartView;
  readonly #onChange: () => void;
  #at: number | null = null;
  #spoken = '';

  constructor(view: ChartView, onChange: () => void) {
    this.#view = view;
    this.#onChange = onChange;
  }

  get at(): number | null {
    return this.#at;
  }

  get spoken(): string {
    return this.#spoken;
  }

  set(at: number | null): void {
    if (at === this.#at) return;
    this.#at = at;
    this.#onChange();
  }

  clear(): void {
    this.set(null);
  }

  say(text: string): void {
    this.#spoken = text;
    this.#onChange();
  }

  /** Moves to the next reading, and reads it aloud. */
  readNext(model: ChartModel, direction: 1 | -1): void {
    const { start, end } = this.#view.period;
    const from = this.#at ?? (direction > 0 ? start : end);
    const point = nextPoint(model.curve.points, from, direction);
    if (point === null) return;

    this.#at = point.at;
    if (point.at < start || point.at > end) this.#view.centerOn(point.at);
    this.say(spokenReadout(describeReadout(model, point, point.at)));
  }
}

export interface CursorReading {
  /** The reading under the cursor; null where there is none. */
  readonly point: DepthsPoint | null;
  /** In px from the left of the chart; null without a cursor. */
  readonly x: number | null;
  readonly readout: Readout;
}

/** How far from the finger a value may be to be read. */
const REACH_PX = 24;

export function readingAt(model: ChartModel, at: number | null): CursorReading {
  const { curve, layout, drawn, view, now } = model;
  if (at === null) return { point: null, x: null, readout: describeReadout(model, null, null) };

  const positionOf = (time: number): number => drawnAt(time, curve, now);
  const reach = Math.max((REACH_PX / plotWidthOf(layout)) * lengthOf(view), curve.intervalMs);
  const point = nearestPoint(curve.points, at, reach, positionOf);
  const shownAt = point === null ? at : positionOf(point.at);

  return {
    point,
    x: layout.left + (shownAt - view.start) * drawn.pxPerMs,
    readout: describeReadout(model, point, at),
  };
}
