import type { CallTrace } from '../../observe/call-trace.ts';
import type { CallFacts, Surface } from '../../observe/listener.ts';
import { errorCodeOf, observedStore } from '../../observe/observed-store.ts';
import { NOOP_OBSERVER, type Observer } from '../../observe/observer.ts';
import type { Store } from '../../store/store.ts';

import { type OutboxOptions, type SendReport, sendOutbox } from '../mail/outbox.ts';

export interface Job<T> {
  readonly surface: Extract<Surface, 'tick' | 'mail'>;
  readonly operation: string;
  readonly store: Store;
  readonly observer: Observer;
  run(store: Store, trace: CallTrace): Promise<T>;
  counts(result: T): CallFacts;
  readonly report?: (error: unknown, requestId: string) => Promise<unknown>;
}

export async function runJob<T>({ surface, operation, store, observer, run, counts, report }: Job<T>): Promise<T> {
  const trace = observer.begin({ surface, operation });
  try {
    const result = await run(observedStore(store, trace), trace);
    const facts = counts(result);
    trace.end(null, { facts, isIdle: Object.values(facts).every((count) => count === 0) });
    return result;
  } catch (error) {
    trace.end(errorCodeOf(error));
    await report?.(error, trace.requestId);
    throw error;
  }
}

export function createOutboxWorker(
  options: Omit<OutboxOptions, 'signal' | 'onDelivery'>,
  report: (error: unknown, requestId?: string) => Promise<unknown>,
  observer: Observer = NOOP_OBSERVER,
) {
  let running: Promise<unknown> | undefined;
  return {
    start(signal: AbortSignal) {
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
