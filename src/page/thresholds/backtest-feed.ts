import type { BacktestBody } from '../../schema/alerts/alert.ts';

export interface BacktestRequest {
  readonly threshold: number;
  readonly hysteresis: number;
  readonly reminderTime: string;
  /** ms; the period ends now. */
  readonly start: number;
}

export interface BacktestFeed {
  /**
   * Runs one backtest at a time, then the newest wanted: a pulled line wants them faster than a
   * service answers.
   */
  want(request: BacktestRequest): void;
  answerTo(request: BacktestRequest): BacktestBody | undefined;
  /** The newest answer, to whichever request. */
  newest(): BacktestBody | undefined;
  /** True if it was refused or not answered. It is tried again after others. */
  hasFailed(request: BacktestRequest): boolean;
  /** After new readings. */
  clear(): void;
}

const keyOf = ({ threshold, hysteresis, reminderTime, start }: BacktestRequest): string =>
  [threshold, hysteresis, reminderTime, start].join(' ');

export function createBacktestFeed(
  ask: (request: BacktestRequest) => Promise<BacktestBody>,
  onSettled: () => void,
): BacktestFeed {
  const answers = new Map<string, BacktestBody>();
  let isRunning = false;
  let next: BacktestRequest | null = null;
  let failedKey: string | null = null;
  let generation = 0;

  async function run(request: BacktestRequest): Promise<void> {
    isRunning = true;
    const startedIn = generation;
    try {
      const answer = await ask(request);
      if (startedIn === generation) answers.set(keyOf(request), answer);
      failedKey = null;
    } catch {
      failedKey = keyOf(request);
    }

    isRunning = false;
    const waiting = next;

    next = null;
    if (waiting !== null && !answers.has(keyOf(waiting))) void run(waiting);
    onSettled();
  }

  return {
    want(request) {
      if (answers.has(keyOf(request)) || failedKey === keyOf(request)) next = null;
      else if (isRunning) next = request;
      else void run(request);
    },
    newest: () => [...answers.values()].at(-1),
    answerTo: (request) => answers.get(keyOf(request)),
    hasFailed: (request) => failedKey === keyOf(request),
    clear() {
      generation++;
      failedKey = null;
      answers.clear();
    },
  };
}

/**
 * True if the answer lists only some of the episodes, whose hours then add up to less than the
 * total.
 */
export function isTruncated({ episodes, hoursBelow }: BacktestBody): boolean {
  const listed = episodes.reduce((sum, episode) => sum + episode.hoursBelow, 0);
  const roundingError = 0.05 * (episodes.length + 1) + 1e-6;
  return hoursBelow - listed > roundingError;
}
