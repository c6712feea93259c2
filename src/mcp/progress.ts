import type { OnProgress } from '../operation/call.ts';

export interface ProgressUpdate {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

export interface ProgressReporter {
  readonly onProgress: OnProgress;
  end(): void;
}

const REPORT_INTERVAL_MS = 1_000;

/**
 * Reports once a second: steps if the call has any, else seconds. Its timer does not keep the
 * process alive.
 */
export function startProgressReporter(send: (update: ProgressUpdate) => void): ProgressReporter {
  let last = 0;
  /** Progress before the first step; it offsets the steps, because progress must never decrease. */
  let progressBeforeSteps: number | null = null;
  let steps: { done: number; total: number } | null = null;

  const next = (): ProgressUpdate => {
    if (steps !== null && steps.done < steps.total) {
      progressBeforeSteps ??= last;
      const { done, total } = steps;
      if (progressBeforeSteps + done > last)
        return { progress: progressBeforeSteps + done, total: progressBeforeSteps + total };
    }
    return { progress: last + 1, message: 'Still working' };
  };

  const timer = setInterval(() => {
    const update = next();
    if (progressBeforeSteps !== null && update.total === undefined) progressBeforeSteps += 1;
    last = update.progress;
    send(update);
  }, REPORT_INTERVAL_MS).unref();

  return {
    onProgress: (done, total) => {
      steps = { done, total };
    },
    end: () => clearInterval(timer),
  };
}
