import { useEffect, useMemo } from 'preact/hooks';
import type { ChartController } from './chart-controller.ts';
import { Gestures, type LineUnder, type Pointer } from './gestures.ts';

type PlotEvent<E extends MouseEvent> = E & { readonly currentTarget: HTMLElement };

/** The height of a line, for a wheel that counts in lines. */
const LINE_PX = 16;

/**
 * The handlers of mouse, pen and fingers on the plot. Vertical swipes are left to the page
 * (touch-action), except on a line.
 */
export function useGestures(chart: ChartController) {
  const gestures = useMemo(() => new Gestures(chart), [chart]);
  useEffect(() => () => gestures.stop(), [gestures]);

  const positionOf = ({ clientX, clientY, currentTarget }: PlotEvent<MouseEvent>) => {
    const { left, top } = currentTarget.getBoundingClientRect();
    return { x: clientX - left - chart.plotLeft, y: clientY - top };
  };

  const pointerOf = (event: PlotEvent<PointerEvent>): Pointer => ({
    ...positionOf(event),
    id: event.pointerId,
    isMouse: event.pointerType === 'mouse',
  });

  return {
    onPointerDown(event: PlotEvent<PointerEvent>) {
      const line = lineUnder(event);
      if (event.button !== 0 || (line === null && !isOnPlot(event))) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      gestures.press(pointerOf(event), line);
    },
    onPointerMove: (event: PlotEvent<PointerEvent>) =>
      gestures.move(pointerOf(event), isOnPlot(event)),
    onPointerUp: ({ pointerId }: PointerEvent) => gestures.release(pointerId, false),
    onPointerCancel: ({ pointerId }: PointerEvent) => gestures.release(pointerId, true),
    onPointerLeave({ pointerType }: PointerEvent) {
      if (pointerType === 'mouse') gestures.leave();
    },
    onWheel(event: PlotEvent<WheelEvent>) {
      if (!isOnPlot(event)) return;
      event.preventDefault();
      const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE_PX : 1;
      const [deltaX, deltaY] = [event.deltaX * unit, event.deltaY * unit];
      gestures.wheel({ x: positionOf(event).x, deltaX, deltaY, shiftKey: event.shiftKey });
    },
  };
}

const closest = ({ target }: Event, selector: string): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>(selector) : null;

const isOnPlot = (event: Event): boolean => closest(event, '[data-area]') !== null;

function lineUnder(event: Event): LineUnder | null {
  const { line: id, handle } = closest(event, '[data-line]')?.dataset ?? {};
  return id === undefined ? null : { id, isHandle: handle !== undefined };
}
