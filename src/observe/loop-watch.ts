import type { ObservedCall } from './listener.ts';

/** A longer stretch delays the answers to everybody else. */
const LONG_STRETCH_MS = 250;
const TICK_MS = 100;

/**
 * The call that held the event loop; all that were in progress if it is not known which one did.
 */
type OnLongStretch = (calls: readonly ObservedCall[], ms: number) => void;

interface Stretch {
  readonly calls: readonly ObservedCall[];
  readonly ms: number;
}

const NOTHING: Stretch = { calls: [], ms: 0 };

/**
 * Finds the calls that hold the event loop for long, while any are in progress. A timer that comes
 * late shows that something did. A call marks where its own work goes on, such as before and after a
 * query: what held the loop is the call that made the mark before the longest time without one.
 */
export class LoopWatch {
  readonly #onLongStretch: OnLongStretch;
  readonly #inProgress = new Set<ObservedCall>();
  #timer: NodeJS.Timeout | undefined;
  #tickedAt = 0;
  /** Null after a tick and after the end of a call, when nobody knows whose work goes on. */
  #marked: ObservedCall | null = null;
  #markedAt = 0;
  #longest = NOTHING;

  constructor(onLongStretch: OnLongStretch) {
    this.#onLongStretch = onLongStretch;
  }

  begin(call: ObservedCall): void {
    if (this.#inProgress.size === 0) this.#start();
    this.#inProgress.add(call);
    this.mark(call);
  }

  mark(call: ObservedCall | null): void {
    const now = performance.now();
    const ms = now - this.#markedAt;
    if (ms > this.#longest.ms) this.#longest = { calls: this.#callsSinceMark(), ms };
    this.#marked = call;
    this.#markedAt = now;
  }

  end(call: ObservedCall): void {
    this.mark(null);
    this.#inProgress.delete(call);
    if (this.#inProgress.size > 0) return;

    this.#tick();
    clearInterval(this.#timer);
  }

  #callsSinceMark(): readonly ObservedCall[] {
    return this.#marked === null ? [...this.#inProgress] : [this.#marked];
  }

  #start(): void {
    this.#tickedAt = performance.now();
    this.#markedAt = this.#tickedAt;
    this.#longest = NOTHING;
    this.#timer = setInterval(this.#tick, TICK_MS).unref();
  }

  readonly #tick = (): void => {
    this.mark(null);
    const { calls, ms } = this.#longest;
    const lateMs = this.#markedAt - this.#tickedAt - TICK_MS;
    this.#tickedAt = this.#markedAt;
    this.#longest = NOTHING;
    if (lateMs > LONG_STRETCH_MS) this.#onLongStretch(calls, Math.max(ms, lateMs));
  };
}
