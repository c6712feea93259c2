import { DAY_MS, HOUR_MS, type Period } from '../../../domain/periods.ts';

const SHORTEST_VIEW_MS = 2 * HOUR_MS;
const LONGEST_VIEW_MS = 10 * 366 * DAY_MS;
/** How far beyond now a view may reach, to show planned waterings. */
const LONGEST_AHEAD_MS = 14 * DAY_MS;

export const lengthOf = (period: Period): number => period.end - period.start;

/** The periods that a person can see. */
export const viewBounds = (now: number): Period => ({
  start: now - LONGEST_VIEW_MS,
  end: now + LONGEST_AHEAD_MS,
});

const clamp = (value: number, least: number, most: number): number =>
  Math.min(Math.max(value, least), most);

/** Moves the view into the bounds, and shortens it only if it is longer than they are. */
export function viewWithin(view: Period, bounds: Period): Period {
  const span = Math.min(lengthOf(view), lengthOf(bounds));
  const start = clamp(view.start, bounds.start, bounds.end - span);
  return { start, end: start + span };
}

export const moveView = (view: Period, byMs: number, bounds: Period): Period =>
  viewWithin({ start: view.start + byMs, end: view.end + byMs }, bounds);

/** The factor by which a button or key changes the length of the view. */
export const ZOOM_STEP = 1.6;

/** A factor above 1 shows more time. `at` stays where it is on the screen. */
export function zoomView(view: Period, factor: number, at: number, bounds: Period): Period {
  const span = clamp(lengthOf(view) * factor, SHORTEST_VIEW_MS, lengthOf(bounds));
  const start = at - ((at - view.start) / lengthOf(view)) * span;
  return viewWithin({ start, end: start + span }, bounds);
}

/** Two fingers, in px from the left of the plot. */
export type Fingers = readonly [number, number];

interface Pinch {
  readonly before: Fingers;
  readonly after: Fingers;
  /** In px. */
  readonly width: number;
}

const MIN_DISTANCE_PX = 12;

/** The instants that were under the fingers stay under them. */
export function pinchView(view: Period, { before, after, width }: Pinch, bounds: Period): Period {
  const distance = (fingers: Fingers): number =>
    Math.max(MIN_DISTANCE_PX, Math.abs(fingers[1] - fingers[0]));
  const middle = (fingers: Fingers): number => (fingers[0] + fingers[1]) / 2;

  const msPerPx = lengthOf(view) / width;
  const zoomed = zoomView(
    view,
    distance(before) / distance(after),
    view.start + middle(before) * msPerPx,
    bounds,
  );

  return moveView(zoomed, ((middle(before) - middle(after)) * lengthOf(zoomed)) / width, bounds);
}

/**
 * The drawn part beyond each side of the view, as a share of it: dragging moves the drawing without
 * a new one.
 */
const MARGIN = 0.75;

export function drawnPeriod({ start, end }: Period): Period {
  const margin = (end - start) * MARGIN;
  return { start: start - margin, end: end + margin };
}

/** A drawing serves every view of the same length that lies within it. */
export const isDrawn = (view: Period, drawn: Period): boolean =>
  Math.abs(lengthOf(drawn) - lengthOf(view) * (1 + 2 * MARGIN)) < 1 &&
  view.start >= drawn.start &&
  view.end <= drawn.end;
