import { NOOP_OBSERVER, type Observer } from '../../observe/observer.ts';
import { type OutboxOptions, sendOutbox } from '../mail/outbox.ts';
import { runJob } from './job.ts';

/** Sends what is due beside all else that a process does. */
export interface OutboxWorker {
  /** Begins, unless it is at it already; ends early when `signal` does. */
  start(signal: AbortSignal): void;
  /** Resolves when nothing is being sent. */
  whenIdle(): Promise<unknown>;
}

export function createOutboxWorker(
  sending: Omit<OutboxOptions, 'signal' | 'onDelivery'>,
  report: (error: unknown, requestId?: string) => Promise<unknown>,
  observer: Observer = NOOP_OBSERVER,
): OutboxWorker {
  let running: Promise<unknown> | undefined;
  return {
    start(signal) {
      running ??= runJob({ ...sendMailJob({ ...sending, signal }), observer, report })
        .catch(() => 'reported')
        .finally(() => {
          running = undefined;
        });
    },
    whenIdle: async () => running,
  };
}

/** Sending, as a chore that is followed. */
export const sendMailJob = (sending: Omit<OutboxOptions, 'onDelivery'>) => ({
  surface: 'mail' as const,
  operation: 'send_mail',
  store: sending.store,
  run: (store: OutboxOptions['store'], trail: { recordDelivery(outcome: string): void }) =>
    sendOutbox({ ...sending, store, onDelivery: (outcome) => trail.recordDelivery(outcome) }),
  counts: ({ sent, refused }: { sent: number; refused: number }) => ({ sent, refused }),
});
