import { useEffect, useMemo, useReducer, useRef } from 'preact/hooks';
import { DAY_MS, type Period } from '../../domain/periods.ts';
import { type DrawnRange, drawnRangeFor } from './plot-layout.ts';
import { isDrawn, lengthOf, viewBounds, viewWithin, zoomView } from './view.ts';

const FIRST_SPAN_MS = 7 * DAY_MS;
/** The share of the view that is after now. */
const AHEAD_SHARE = 0.04;

const viewUpToNow = (spanMs: number, now: number): Period => {
  const end = now + AHEAD_SHARE * spanMs;
  return { start: end - spanMs, end };
};

/**
 * The view lives outside the state: while a finger drags, only the drawing is shifted, and nothing
 * is rendered until the view leaves what is drawn.
 */
export function useView(
  initialPeriod: Period | null,
  now: () => number,
  plotWidth: () => number,
  onMove: () => void,
) {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  /** Holds the drawing, and is shifted while a finger drags. */
  const layer = useRef<HTMLDivElement>(null);
  const state = useMemo(
    () =>
      createView(
        initialPeriod === null
          ? viewUpToNow(FIRST_SPAN_MS, now())
          : viewWithin(initialPeriod, viewBounds(now())),
      ),
    [],
  );

  const frameId = useRef(0);
  const needsRender = useRef(false);

  /** In the next frame renders the chart anew, or only shifts the drawing. */
  const schedule = (shouldRender: boolean): void => {
    needsRender.current ||= shouldRender;
    frameId.current ||= requestAnimationFrame(() => {
      const isRender = needsRender.current;
      frameId.current = 0;
      needsRender.current = false;
      if (isRender) redraw(undefined);
      else shift();
    });
  };

  const shift = (): void => {
    const { drawn, view } = state;
    if (layer.current === null || drawn === null) return;
    const px = (drawn.period.start - view.start) * drawn.pxPerMs;
    layer.current.style.transform = `translate3d(${px}px,0,0)`;
  };

  const jump = (view: Period): void => {
    state.view = viewWithin(view, viewBounds(now()));
    state.isMoving = false;
    schedule(true);
  };

  useEffect(() => () => cancelAnimationFrame(frameId.current), []);
  return {
    layer,
    shift,
    redraw: () => schedule(true),
    view: () => state.view,
    bounds: () => viewBounds(now()),
    isMoving: () => state.isMoving,
    drawn: () => state.drawnFor(plotWidth()),
    move(view: Period) {
      state.view = view;
      state.isMoving = true;
      schedule(!state.isDrawn());
      onMove();
    },
    settle() {
      state.isMoving = false;
      schedule(true);
    },
    jump,
    showLast: (spanMs: number) => jump(viewUpToNow(spanMs, now())),
    zoom(factor: number) {
      const { view } = state;
      const newest = now();
      // Now stays where it is if it is in view: people zoom out from the newest readings.
      const anchor =
        newest > view.start && newest < view.end ? newest : (view.start + view.end) / 2;
      jump(zoomView(view, factor, anchor, viewBounds(newest)));
    },
  };
}

function createView(initialView: Period) {
  let drawn: DrawnRange | null = null;
  return {
    view: initialView,
    isMoving: false,
    get drawn() {
      return drawn;
    },
    isDrawn(): boolean {
      return drawn !== null && isDrawn(this.view, drawn.period);
    },
    drawnFor(plotWidth: number): DrawnRange {
      const isSameWidth =
        drawn !== null && Math.abs(drawn.pxPerMs * lengthOf(this.view) - plotWidth) < 0.01;
      if (drawn === null || !isSameWidth || !this.isDrawn())
        drawn = drawnRangeFor(this.view, plotWidth);
      return drawn;
    },
  };
}
