import type { CallTrace } from '../../observe/call-trace.ts';
import type { CallFacts, Surface } from '../../observe/listener.ts';
import { errorCodeOf, observedStore } from '../../observe/observed-store.ts';
import { NOOP_OBSERVER, type Observer } from '../../observe/observer.ts';
import type { Store } from '../../store/store.ts';
import { type OutboxOptions, type SendReport, sendOutbox } from '../mail/outbox.ts';
import type { ForecastProvider } from '../weather/open-meteo.ts';
import { type ForecastRefreshOptions, type ForecastReport, refreshForecasts } from './forecast-refresh.ts';

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
  return createWorker((signal) => runJob({ ...sendMailJob({ ...options, signal }), observer, report }));
}

/** Runs a job that reports its own errors, at most one at a time. */
export function createWorker(run: (signal: AbortSignal) => Promise<unknown>) {
  let running: Promise<unknown> | undefined;
  return {
    start(signal: AbortSignal) {
      running ??= run(signal)
        .catch(() => 'reported')
        .finally(() => {
          running = undefined;
        });
    },
    whenIdle: async () => running,
  };
}

interface RefreshForecastsOptions extends Omit<ForecastRefreshOptions, 'provider'> {
  readonly store: Store;
  readonly openForecast: () => Promise<ForecastProvider>;
}

export const refreshForecastsJob = ({ store, openForecast, ...options }: RefreshForecastsOptions) => ({
  surface: 'tick' as const,
  operation: 'refresh_forecasts',
  store,
  run: async (observed: Store) => refreshForecasts(observed, { ...options, provider: await openForecast() }),
  counts: (report: ForecastReport) => report,
});

/** What sends push messages needs no setting: its keys are in the store. */
export const pushOutbox = (store: Store) => ({
  ...{ store, channel: 'push' as const },
  openTransport: async () => (await import('../mail/push.ts')).openPushTransport(store),
});

export const sendMailJob = (options: Omit<OutboxOptions, 'onDelivery'>) => ({
  surface: 'mail' as const,
  operation: options.channel === 'push' ? 'send_push' : 'send_mail',
  store: options.store,
  run: (store: Store, trace: Pick<CallTrace, 'recordDelivery'>) =>
    sendOutbox({ ...options, store, onDelivery: (outcome) => trace.recordDelivery(outcome) }),
  counts: ({ sent, refused }: SendReport) => ({ sent, refused }),
});
