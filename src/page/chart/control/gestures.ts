import type { Period } from '../../../domain/periods.ts';
import type { ChartController } from './chart-controller.ts';
import { type Fingers, lengthOf, moveView, pinchView, zoomView } from './view.ts';

/** The part of a chart that gestures act on. */
export type GestureTarget = Pick<
  ChartController,
  'view' | 'plotWidth' | 'drag' | 'inspect' | 'grab' | 'pull' | 'drop'
>;

/** In px from the left of the plot and the top of the chart. */
interface Position {
  readonly x: number;
  readonly y: number;
}

/** A mouse, a pen or a finger. */
export interface Pointer extends Position {
  readonly id: number;
  readonly isMouse: boolean;
}

/** The line under a pointer. */
export interface LineUnder {
  readonly id: string;
  readonly isHandle: boolean;
}

export interface Wheel {
  readonly x: number;
  readonly deltaX: number;
  readonly deltaY: number;
  readonly shiftKey: boolean;
}

/** Where a pointer was, and what was in view, when the present mode began. */
interface ModeStart extends Position {
  readonly view: Period;
  readonly line: LineUnder | null;
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

/** Turns what mouse, pen and fingers do on the plot into gestures. */
export class Gestures {
  readonly #target: GestureTarget;
  readonly #pointers = new Map<number, Pointer>();
  #mode: Mode = 'none';
  #start: ModeStart = { x: 0, y: 0, view: { start: 0, end: 1 }, line: null };
  #pinchStart: Fingers = [0, 1];
  #holdTimer: ReturnType<typeof setTimeout> | undefined;
  #settleTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(target: GestureTarget) {
    this.#target = target;
  }

  press(pointer: Pointer, line: LineUnder | null): void {
    this.#pointers.set(pointer.id, pointer);
    clearTimeout(this.#holdTimer);

    if (this.#pointers.size === 2 && this.#mode !== 'line') {
      this.#target.inspect(null);
      this.#pinchStart = this.#fingers;
      this.#begin('pinch', pointer, null);
    }
    if (this.#pointers.size > 1) return;

    this.#begin('pressed', pointer, line);
    if (pointer.isMouse || line?.isHandle) return;

    this.#holdTimer = setTimeout(() => {
      this.#mode = 'inspect';
      this.#target.inspect(pointer.x);
    }, HOLD_MS);
  }

  /** `isOnPlot` is false above a label or outside of the chart. */
  move(pointer: Pointer, isOnPlot: boolean): void {
    if (!this.#pointers.has(pointer.id)) {
      if (pointer.isMouse && this.#mode === 'none') this.#hover(pointer, isOnPlot);
      return;
    }

    this.#pointers.set(pointer.id, pointer);
    if (this.#mode === 'pressed') this.#startDrag(pointer);

    if (this.#mode === 'pan') this.#pan(pointer);
    else if (this.#mode === 'pinch') this.#pinch();
    else if (this.#mode === 'line') this.#target.pull(this.#start.y - pointer.y);
    else if (this.#mode === 'inspect') this.#target.inspect(pointer.x);
  }

  release(id: number, isCancelled: boolean): void {
    if (!this.#pointers.delete(id)) return;

    clearTimeout(this.#holdTimer);
    const [remaining] = this.#pointers.values();
    if (this.#mode === 'pinch' && remaining !== undefined) {
      // The finger that stays goes on moving the chart.
      this.#begin('pan', remaining, null);
      return;
    }

    const endedMode = this.#mode;
    this.#mode = 'none';
    if (endedMode === 'line') this.#target.drop();
    if (endedMode === 'pan' || endedMode === 'pinch') this.#target.view.settle();
    if (endedMode === 'pressed' && !isCancelled) this.#tap();
    if (endedMode === 'inspect' && isCancelled) this.#target.inspect(null);
  }

  /** The mouse is no longer above the chart. */
  leave(): void {
    if (this.#mode === 'none') this.#target.inspect(null);
  }

  wheel({ x, deltaX, deltaY, shiftKey }: Wheel): void {
    const { view, plotWidth } = this.#target;
    const { period, bounds } = view;
    const isSideways = shiftKey || Math.abs(deltaX) > Math.abs(deltaY);
    const delta = isSideways && deltaX !== 0 ? deltaX : deltaY;
    const msPerPx = lengthOf(period) / plotWidth;

    this.#target.drag(
      isSideways
        ? moveView(period, delta * msPerPx, bounds)
        : zoomView(period, Math.exp(delta * WHEEL_ZOOM), period.start + x * msPerPx, bounds),
    );

    clearTimeout(this.#settleTimer);
    this.#settleTimer = setTimeout(() => this.#target.view.settle(), WHEEL_PAUSE_MS);
  }

  stop(): void {
    clearTimeout(this.#holdTimer);
    clearTimeout(this.#settleTimer);
  }

  get #fingers(): Fingers {
    const [first, second] = [...this.#pointers.values()];
    return [first?.x ?? 0, second?.x ?? 1];
  }

  #begin(mode: Mode, { x, y }: Position, line: LineUnder | null): void {
    this.#mode = mode;
    this.#start = { x, y, view: this.#target.view.period, line };
  }

  #hover({ x }: Position, isOnPlot: boolean): void {
    this.#target.inspect(isOnPlot && x >= 0 && x <= this.#target.plotWidth ? x : null);
  }

  #startDrag({ x, y, isMouse }: Pointer): void {
    const [dx, dy] = [Math.abs(x - this.#start.x), Math.abs(y - this.#start.y)];
    if (Math.max(dx, dy) < (isMouse ? SLOP_PX.mouse : SLOP_PX.touch)) return;

    clearTimeout(this.#holdTimer);
    this.#target.inspect(null);

    const { line } = this.#start;
    if (line !== null && (line.isHandle || dy > dx)) {
      this.#mode = 'line';
      this.#target.grab(line.id);
    } else this.#mode = 'pan';
  }

  #pan({ x }: Position): void {
    const { view } = this.#start;
    const byMs = ((this.#start.x - x) / this.#target.plotWidth) * lengthOf(view);
    this.#target.drag(moveView(view, byMs, this.#target.view.bounds));
  }

  #pinch(): void {
    const after = this.#fingers;
    const { period, bounds } = this.#target.view;
    const pinch = { before: this.#pinchStart, after, width: this.#target.plotWidth };
    this.#target.drag(pinchView(period, pinch, bounds));
    this.#pinchStart = after;
  }

  #tap(): void {
    const { x, line } = this.#start;
    if (line?.isHandle) {
      this.#target.grab(line.id);
      this.#target.drop();
    } else this.#target.inspect(x);
  }
}
