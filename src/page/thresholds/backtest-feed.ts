import type { BacktestBody } from '../../schema/alert.ts';

export interface Trial {
  readonly threshold: number;
  readonly hysteresis: number;
  readonly reminderTime: string;
  /** ms; the period ends now. */
  readonly start: number;
}

export interface BacktestFeed {
  /** Runs one backtest at a time, then the newest wanted: a pulled line wants them faster than a service answers. */
  want(trial: Trial): void;
  answerTo(trial: Trial): BacktestBody | undefined;
  /** The newest answer, to whichever trial. */
  newest(): BacktestBody | undefined;
  /** True if it was refused or not answered. It is tried again after other trials. */
  hasFailed(trial: Trial): boolean;
  /** After new readings. */
  clear(): void;
}

const keyOf = ({ threshold, hysteresis, reminderTime, start }: Trial): string =>
  [threshold, hysteresis, reminderTime, start].join(' ');

export function createBacktestFeed(ask: (trial: Trial) => Promise<BacktestBody>, onSettled: () => void): BacktestFeed {
  const answers = new Map<string, BacktestBody>();
  let isRunning = false;
  let next: Trial | null = null;
  let failedKey: string | null = null;
  let generation = 0;

  async function run(trial: Trial): Promise<void> {
    isRunning = true;
    const startedIn = generation;
    try {
      const answer = await ask(trial);
      if (startedIn === generation) answers.set(keyOf(trial), answer);
      failedKey = null;
    } catch {
      failedKey = keyOf(trial);
    }
    isRunning = false;
    const waiting = next;
    next = null;
    if (waiting !== null && !answers.has(keyOf(waiting))) void run(waiting);
    onSettled();
  }

  return {
    want(trial) {
      if (answers.has(keyOf(trial)) || failedKey === keyOf(trial)) next = null;
      else if (isRunning) next = trial;
      else void run(trial);
    },
    newest: () => [...answers.values()].at(-1),
    answerTo: (trial) => answers.get(keyOf(trial)),
    hasFailed: (trial) => failedKey === keyOf(trial),
    clear() {
      generation++;
      failedKey = null;
      answers.clear();
    },
  };
}

/** True if the answer lists only some of the episodes, whose hours then add up to less than the total. */
export function isCut({ episodes, hoursBelow }: BacktestBody): boolean {
  const listed = episodes.reduce((sum, episode) => sum + episode.hoursBelow, 0);
  const roundingError = 0.05 * (episodes.length + 1) + 1e-6;
  return hoursBelow - listed > roundingError;
}
