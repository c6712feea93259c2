import type { OnProgress } from '../operation/call.ts';

export interface ProgressUpdate {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

const REPORT_INTERVAL_MS = 1_000;

/**
 * Reports once a second: steps if the call has any, else seconds. Its timer does not keep the
 * process alive.
 */
export class ProgressReporter {
  readonly #send: (update: ProgressUpdate) => void;
  readonly #timer: NodeJS.Timeout;
  /** As it was reported last. */
  #progress = 0;
  #steps: { readonly done: number; readonly total: number } | null = null;
  /** Added to the steps, because progress must never decrease; null before the first step. */
  #stepOffset: number | null = null;

  constructor(send: (update: ProgressUpdate) => void) {
    this.#send = send;
    this.#timer = setInterval(() => this.#report(), REPORT_INTERVAL_MS).unref();
  }

  readonly onProgress: OnProgress = (done, total) => {
    this.#steps = { done, total };
  };

  end(): void {
    clearInterval(this.#timer);
  }

  #report(): void {
    const update = this.#newSteps() ?? this.#anotherSecond();
    this.#progress = update.progress;
    this.#send(update);
  }

  /** Null unless a step was done since the last report, and others remain. */
  #newSteps(): ProgressUpdate | null {
    if (this.#steps === null || this.#steps.done >= this.#steps.total) return null;

    this.#stepOffset ??= this.#progress;
    const { done, total } = this.#steps;
    const progress = this.#stepOffset + done;
    return progress > this.#progress ? { progress, total: this.#stepOffset + total } : null;
  }

  #anotherSecond(): ProgressUpdate {
    if (this.#stepOffset !== null) this.#stepOffset += 1;
    return { progress: this.#progress + 1, message: 'Still working' };
  }
}
