import { type Sending, sendOutbox } from './outbox.ts';

/** Sends what is due beside all else that a process does. */
export interface Postman {
  /** Begins, unless it is at it already; ends early when `signal` does. */
  start(signal: AbortSignal): void;
  /** Resolves when nothing is being sent. */
  ended(): Promise<unknown>;
}

export function postmanOf(sending: Omit<Sending, 'signal'>, report: (error: unknown) => Promise<unknown>): Postman {
  let running: Promise<unknown> | undefined;
  return {
    start(signal) {
      running ??= sendOutbox({ ...sending, signal })
        .catch(report)
        .finally(() => {
          running = undefined;
        });
    },
    ended: async () => running,
  };
}
