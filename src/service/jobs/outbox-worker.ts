import type { CallTrace } from '../../observe/call-trace.ts';
import { NOOP_OBSERVER, type Observer } from '../../observe/observer.ts';
import type { Store } from '../../store/store.ts';
import { type OutboxOptions, type SendReport, sendOutbox } from '../mail/outbox.ts';
import { runJob } from './job.ts';

export interface OutboxWorker {
  start(signal: AbortSignal): void;
  whenIdle(): Promise<unknown>;
}

export function createOutboxWorker(
  options: Omit<OutboxOptions, 'signal' | 'onDelivery'>,
  report: (error: unknown, requestId?: string) => Promise<unknown>,
  observer: Observer = NOOP_OBSERVER,
): OutboxWorker {
  let running: Promise<unknown> | undefined;
  return {
    start(signal) {
      running ??= runJob({ ...sendMailJob({ ...options, signal }), observer, report })
        .catch(() => 'reported')
        .finally(() => {
          running = undefined;
        });
    },
    whenIdle: async () => running,
  };
}

export const sendMailJob = (options: Omit<OutboxOptions, 'onDelivery'>) => ({
  surface: 'mail' as const,
  operation: 'send_mail',
  store: options.store,
  run: (store: Store, trace: Pick<CallTrace, 'recordDelivery'>) =>
    sendOutbox({ ...options, store, onDelivery: (outcome) => trace.recordDelivery(outcome) }),
  counts: ({ sent, refused }: SendReport) => ({ sent, refused }),
});
