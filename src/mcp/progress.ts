import type { OnStep } from '../operation/call.ts';

/** What is sent with a token of progress. */
export interface ProgressUpdate {
  /** Greater each time. */
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** What a client hears of a call that lasts. */
export interface ProgressReporter {
  readonly onStep: OnStep;
  end(): void;
}

/** What answers within this time, in ms, needs no word; what does not is told of as often. */
const REPORT_INTERVAL_MS = 1_000;

/**
 * Tells once a second that a call goes on: by its steps where it has some, else by the seconds that it takes. Its timer
 * keeps no process alive.
 */
export function startProgressReporter(send: (told: ProgressUpdate) => void): ProgressReporter {
  let last = 0;
  /** What was told before the first step, by which the steps are moved: progress never goes back. */
  let progressBeforeSteps: number | null = null;
  let steps: { done: number; total: number } | null = null;

  const next = (): ProgressUpdate => {
    if (steps !== null && steps.done < steps.total) {
      progressBeforeSteps ??= last;
      const { done, total } = steps;
      if (progressBeforeSteps + done > last)
        return { progress: progressBeforeSteps + done, total: progressBeforeSteps + total };
    }
    // A step that lasts, or what comes after all of them.
    return { progress: last + 1, message: 'Still working' };
  };
  const timer = setInterval(() => {
    const update = next();
    // Beyond what a step stands for the steps move on, so that the next one is told as more again.
    if (progressBeforeSteps !== null && update.total === undefined) progressBeforeSteps += 1;
    last = update.progress;
    send(update);
  }, REPORT_INTERVAL_MS).unref();
  return {
    onStep: (done, total) => {
      steps = { done, total };
    },
    end: () => clearInterval(timer),
  };
}
