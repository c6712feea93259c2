import type { OnStep } from '../operation/call.ts';

/** What is sent with a token of progress. */
export interface Told {
  /** Greater each time. */
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** What a client hears of a call that lasts. */
export interface Beat {
  readonly onStep: OnStep;
  end(): void;
}

/** What answers within this time, in ms, needs no word; what does not is told of as often. */
const EVERY_MS = 1_000;

/**
 * Tells once a second that a call goes on: by its steps where it has some, else by the seconds that it takes. Its timer
 * keeps no process alive.
 */
export function startBeat(tell: (told: Told) => void): Beat {
  let last = 0;
  /** What was told before the first step, by which the steps are moved: progress never goes back. */
  let before: number | null = null;
  let steps: { done: number; total: number } | null = null;

  const next = (): Told => {
    if (steps !== null && steps.done < steps.total) {
      before ??= last;
      const { done, total } = steps;
      if (before + done > last) return { progress: before + done, total: before + total };
    }
    // A step that lasts, or what comes after all of them.
    return { progress: last + 1, message: 'Still working' };
  };
  const timer = setInterval(() => {
    const told = next();
    // Beyond what a step stands for the steps move on, so that the next one is told as more again.
    if (before !== null && told.total === undefined) before += 1;
    last = told.progress;
    tell(told);
  }, EVERY_MS).unref();
  return {
    onStep: (done, total) => {
      steps = { done, total };
    },
    end: () => clearInterval(timer),
  };
}
