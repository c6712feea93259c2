import { useEffect, useRef } from 'preact/hooks';
import type { Period } from '../../domain/periods.ts';
import { type Fingers, lengthOf, moveView, pinchView, zoomView } from './view.ts';

interface GestureTarget {
  view(): Period;
  bounds(): Period;
  /** Where the plot begins, in px from the left of the element. */
  left(): number;
  plotWidth(): number;
  onView(view: Period): void;
  /** A gesture that moved the view has ended. */
  onSettled(): void;
  /** px in the plot; null when the finger or mouse is gone. */
  onInspect(x: number | null): void;
  onGrab(lineId: string): void;
  /** `px` is how far up the line is from where it was grabbed. */
  onPull(px: number): void;
  onDrop(): void;
}

interface Start {
  readonly x: number;
  readonly y: number;
  readonly view: Period;
  readonly lineId: string | null;
  readonly isHandle: boolean;
}

type Mode = 'none' | 'pressed' | 'pan' | 'pinch' | 'line' | 'inspect';

/** How far a pointer moves before it drags. */
const SLOP_PX = { mouse: 3, touch: 8 };
/** A finger that rests this long reads the values. */
const HOLD_MS = 260;
/** Growth of the logarithm of the span per px of wheel. */
const WHEEL_ZOOM = 0.0016;
/** A pause this long ends a wheel gesture. */
const WHEEL_PAUSE_MS = 120;
/** For a wheel that counts in lines. */
const LINE_PX = 16;

/**
 * Mouse, pen and fingers on the plot. Vertical swipes are left to the page (touch-action), except
 * on a line.
 */
export function useGestures(target: GestureTarget) {
  const ref = useRef<HTMLDivElement>(null);
  const latest = useRef(target);
  latest.current = target;
  useEffect(() => {
    const element = ref.current;
    return element === null ? undefined : listen(element, () => latest.current);
  }, []);
  return ref;
}

function listen(element: HTMLElement, target: () => GestureTarget): () => void {
  const pointers = new Map<number, { x: number; y: number }>();
  let mode: Mode = 'none';
  let start: Start = { x: 0, y: 0, view: { start: 0, end: 1 }, lineId: null, isHandle: false };
  let pinchStart: Fingers = [0, 1];
  let holdTimer: ReturnType<typeof setTimeout> | undefined;
  let settleTimer: ReturnType<typeof setTimeout> | undefined;

  const positionInPlot = (event: MouseEvent) => {
    const box = element.getBoundingClientRect();
    return { x: event.clientX - box.left - target().left(), y: event.clientY - box.top };
  };

  const fingers = (): Fingers => {
    const [a, b] = [...pointers.values()];
    return [a?.x ?? 0, b?.x ?? 1];
  };

  const begin = (at: { x: number; y: number }, lineId: string | null, isHandle: boolean): void => {
    start = { ...at, view: target().view(), lineId, isHandle };
  };

  function down(event: PointerEvent): void {
    const { target: under } = event;
    if (
      event.button !== 0 ||
      !(under instanceof Element) ||
      under.closest('[data-area],[data-line]') === null
    )
      return;

    const at = positionInPlot(event);
    pointers.set(event.pointerId, at);
    element.setPointerCapture(event.pointerId);
    clearTimeout(holdTimer);
    if (pointers.size === 2 && mode !== 'line') {
      mode = 'pinch';
      target().onInspect(null);
      pinchStart = fingers();
      begin(at, null, false);
      return;
    }

    if (pointers.size > 1) return;

    const line = under.closest<HTMLElement>('[data-line]');
    begin(at, line?.dataset.line ?? null, line?.dataset.handle !== undefined);
    mode = 'pressed';

    if (event.pointerType !== 'mouse' && !start.isHandle)
      holdTimer = setTimeout(() => {
        mode = 'inspect';
        target().onInspect(at.x);
      }, HOLD_MS);
  }

  function move(event: PointerEvent): void {
    const at = positionInPlot(event);
    if (!pointers.has(event.pointerId)) {
      if (event.pointerType === 'mouse' && mode === 'none') hover(event, at.x);
      return;
    }

    pointers.set(event.pointerId, at);
    if (mode === 'pressed') startDrag(event, at);
    const { view, bounds, plotWidth, onView, onPull, onInspect } = target();

    if (mode === 'pan')
      onView(
        moveView(start.view, ((start.x - at.x) / plotWidth()) * lengthOf(start.view), bounds()),
      );

    if (mode === 'pinch') {
      const after = fingers();
      onView(pinchView(view(), { before: pinchStart, after, width: plotWidth() }, bounds()));
      pinchStart = after;
    }

    if (mode === 'line') onPull(start.y - at.y);
    if (mode === 'inspect') onInspect(at.x);
  }

  function hover(event: PointerEvent, x: number): void {
    const isOnPlot =
      event.target instanceof Element && event.target.closest('[data-area]') !== null;
    target().onInspect(isOnPlot && x >= 0 && x <= target().plotWidth() ? x : null);
  }

  function startDrag(event: PointerEvent, at: { x: number; y: number }): void {
    const [dx, dy] = [Math.abs(at.x - start.x), Math.abs(at.y - start.y)];
    const slop = event.pointerType === 'mouse' ? SLOP_PX.mouse : SLOP_PX.touch;
    if (Math.max(dx, dy) < slop) return;

    clearTimeout(holdTimer);
    if (start.lineId !== null && (start.isHandle || dy > dx)) {
      mode = 'line';
      target().onInspect(null);
      target().onGrab(start.lineId);
      return;
    }

    mode = 'pan';
    target().onInspect(null);
  }

  function up(event: PointerEvent): void {
    if (!pointers.delete(event.pointerId)) return;

    clearTimeout(holdTimer);
    const ended = mode;
    if (ended === 'pinch' && pointers.size === 1) {
      // The finger that stays goes on moving the chart.
      mode = 'pan';
      begin([...pointers.values()][0]!, null, false);
      return;
    }

    mode = 'none';
    if (ended === 'line') target().onDrop();
    if (ended === 'pan' || ended === 'pinch') target().onSettled();
    if (ended === 'pressed' && event.type === 'pointerup') tap();
    if (ended === 'inspect' && event.type === 'pointercancel') target().onInspect(null);
  }

  function tap(): void {
    if (start.lineId !== null && start.isHandle) {
      target().onGrab(start.lineId);
      target().onDrop();
    } else target().onInspect(start.x);
  }

  function wheel(event: WheelEvent): void {
    if (!(event.target instanceof Element) || event.target.closest('[data-area]') === null) return;

    event.preventDefault();
    const { view, bounds, plotWidth, onView, onSettled } = target();
    const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE_PX : 1;
    const isSideways = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
    const delta = (isSideways && event.deltaX !== 0 ? event.deltaX : event.deltaY) * unit;
    const msPerPx = lengthOf(view()) / plotWidth();

    if (isSideways) onView(moveView(view(), delta * msPerPx, bounds()));
    else
      onView(
        zoomView(
          view(),
          Math.exp(delta * WHEEL_ZOOM),
          view().start + positionInPlot(event).x * msPerPx,
          bounds(),
        ),
      );

    clearTimeout(settleTimer);
    settleTimer = setTimeout(onSettled, WHEEL_PAUSE_MS);
  }

  const leave = (event: PointerEvent): void => {
    if (event.pointerType === 'mouse' && mode === 'none') target().onInspect(null);
  };

  const handlers: [string, (event: never) => void][] = [
    ['pointerdown', down],
    ['pointermove', move],
    ['pointerup', up],
    ['pointercancel', up],
    ['pointerleave', leave],
    ['wheel', wheel],
  ];
  for (const [type, handler] of handlers)
    element.addEventListener(type, handler as unknown as EventListener, { passive: false });

  return () => {
    clearTimeout(holdTimer);
    clearTimeout(settleTimer);
    for (const [type, handler] of handlers)
      element.removeEventListener(type, handler as unknown as EventListener);
  };
}
