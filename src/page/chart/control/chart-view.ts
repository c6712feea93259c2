import { DAY_MS, type Period } from '../../../domain/periods.ts';
import { lengthOf, moveView, viewBounds, viewWithin, zoomView } from './view.ts';

const FIRST_SPAN_MS = 7 * DAY_MS;
/** The share of the view that is after now. */
const AHEAD_SHARE = 0.04;

const viewUpToNow = (spanMs: number, now: number): Period => {
  const end = now + AHEAD_SHARE * spanMs;
  return { start: end - spanMs, end };
};

/** The period in view, and whether a gesture is moving it. */
export class ChartView {
  readonly #now: () => number;
  readonly #onShown: () => void;
  #period: Period;
  #isMoving = false;

  /**
   * Shows the last week if there is no first period. `onShown` is called for each new view, except
   * those that a gesture passes through.
   */
  constructor(firstPeriod: Period | null, now: () => number, onShown: () => void) {
    this.#now = now;
    this.#onShown = onShown;
    this.#period =
      firstPeriod === null
        ? viewUpToNow(FIRST_SPAN_MS, now())
        : viewWithin(firstPeriod, this.bounds);
  }

  get period(): Period {
    return this.#period;
  }

  get bounds(): Period {
    return viewBounds(this.#now());
  }

  get isMoving(): boolean {
    return this.#isMoving;
  }

  /** Moves within a gesture, until `settle`. */
  dragTo(period: Period): void {
    this.#period = period;
    this.#isMoving = true;
  }

  /** Ends a gesture. */
  settle(): void {
    this.show(this.#period);
  }

  show(period: Period): void {
    this.#period = viewWithin(period, this.bounds);
    this.#isMoving = false;
    this.#onShown();
  }

  /** Moves by a share of the length of the view. */
  moveBy(share: number): void {
    this.show(moveView(this.#period, share * lengthOf(this.#period), this.bounds));
  }

  centerOn(at: number): void {
    const { start, end } = this.#period;
    this.show(moveView(this.#period, at - (start + end) / 2, this.bounds));
  }

  showLast(spanMs: number): void {
    this.show(viewUpToNow(spanMs, this.#now()));
  }

  zoom(factor: number): void {
    const { start, end } = this.#period;
    const now = this.#now();
    // Now stays where it is if it is in view: people zoom out from the newest readings.
    const anchor = now > start && now < end ? now : (start + end) / 2;
    this.show(zoomView(this.#period, factor, anchor, this.bounds));
  }
}
