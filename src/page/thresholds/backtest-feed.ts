import type { BacktestBody } from '../../schema/alerts/alert.ts';

export interface BacktestRequest {
  readonly threshold: number;
  readonly hysteresis: number;
  readonly reminderTime: string;
  /** ms; the period ends now. */
  readonly start: number;
}

const keyOf = ({ threshold, hysteresis, reminderTime, start }: BacktestRequest): string =>
  [threshold, hysteresis, reminderTime, start].join(' ');

/**
 * Runs one backtest at a time, then the newest wanted: a pulled line wants them faster than a
 * service answers.
 */
export class BacktestFeed {
  readonly #load: (request: BacktestRequest) => Promise<BacktestBody>;
  readonly #onSettled: () => void;
  #answers = new Map<string, BacktestBody>();
  #isRunning = false;
  #next: BacktestRequest | null = null;
  #failedKey: string | null = null;

  constructor(load: (request: BacktestRequest) => Promise<BacktestBody>, onSettled: () => void) {
    this.#load = load;
    this.#onSettled = onSettled;
  }

  want(request: BacktestRequest): void {
    if (this.#answers.has(keyOf(request)) || this.hasFailed(request)) this.#next = null;
    else if (this.#isRunning) this.#next = request;
    else void this.#run(request);
  }

  answerTo(request: BacktestRequest): BacktestBody | undefined {
    return this.#answers.get(keyOf(request));
  }

  /** The newest answer, to whichever request. */
  get newest(): BacktestBody | undefined {
    return [...this.#answers.values()].at(-1);
  }

  /** True if it was refused or not answered. It is tried again after others. */
  hasFailed(request: BacktestRequest): boolean {
    return this.#failedKey === keyOf(request);
  }

  /** Forgets all answers, which new readings may change. */
  clear(): void {
    // A backtest that is running writes its answer into the old map.
    this.#answers = new Map();
    this.#failedKey = null;
  }

  async #run(request: BacktestRequest): Promise<void> {
    this.#isRunning = true;
    const answers = this.#answers;
    try {
      answers.set(keyOf(request), await this.#load(request));
      this.#failedKey = null;
    } catch {
      this.#failedKey = keyOf(request);
    }

    this.#isRunning = false;
    const next = this.#next;
    this.#next = null;
    if (next !== null && !this.#answers.has(keyOf(next))) void this.#run(next);
    this.#onSettled();
  }
}

/**
 * True if the answer lists only some of the episodes, whose hours then add up to less than the
 * total.
 */
export function isTruncated({ episodes, hoursBelow }: BacktestBody): boolean {
  const listed = episodes.reduce((sum, episode) => sum + episode.hoursBelow, 0);
  // The hours of each episode, and the total, are rounded to tenths.
  const roundingError = 0.05 * (episodes.length + 1) + 1e-6;
  return hoursBelow - listed > roundingError;
}
