import { type Observer, UNHEARD } from '../observe/observer.ts';
import { doChore } from './chore.ts';
import { type Sending, sendOutbox } from './outbox.ts';

/** Sends what is due beside all else that a process does. */
export interface Postman {
  /** Begins, unless it is at it already; ends early when `signal` does. */
  start(signal: AbortSignal): void;
  /** Resolves when nothing is being sent. */
  ended(): Promise<unknown>;
}

export function postmanOf(
  sending: Omit<Sending, 'signal' | 'onDelivery'>,
  report: (error: unknown, requestId?: string) => Promise<unknown>,
  observer: Observer = UNHEARD,
): Postman {
  let running: Promise<unknown> | undefined;
  return {
    start(signal) {
      running ??= doChore({ ...sendingChore({ ...sending, signal }), observer, report })
        .catch(() => 'reported')
        .finally(() => {
          running = undefined;
        });
    },
    ended: async () => running,
  };
}

/** Sending, as a chore that is followed. */
export const sendingChore = (sending: Omit<Sending, 'onDelivery'>) => ({
  surface: 'mail' as const,
  operation: 'send_mail',
  store: sending.store,
  run: (store: Sending['store'], trail: { delivered(outcome: string): void }) =>
    sendOutbox({ ...sending, store, onDelivery: (outcome) => trail.delivered(outcome) }),
  counts: ({ sent, refused }: { sent: number; refused: number }) => ({ sent, refused }),
});
