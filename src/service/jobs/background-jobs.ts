import { randomUUID } from 'node:crypto';
import { NOOP_OBSERVER, type Observer } from '../../observe/observer.ts';
import type { Store } from '../../store/store.ts';
import { createAlertEvaluator } from '../alerts/alert-evaluator.ts';
import type { MailTransport } from '../mail/outbox.ts';
import type { ForecastProvider } from '../weather/open-meteo.ts';
import { housekeepingJob } from './housekeeping.ts';
import { createOutboxWorker, createWorker, pushOutbox, refreshForecastsJob, runJob } from './job.ts';

export interface BackgroundJobsOptions {
  readonly store: Store;
  readonly clock: () => number;
  /** Without it, mail stays in the outbox. */
  readonly openTransport?: (() => Promise<MailTransport>) | undefined;
  /** Without it, no forecast is fetched. */
  readonly openForecast?: (() => Promise<ForecastProvider>) | undefined;
  readonly report: (error: unknown, requestId?: string) => Promise<unknown>;
  readonly observer?: Observer | undefined;
}

export function createBackgroundJobs(options: BackgroundJobsOptions) {
  const { store, clock, openTransport, openForecast, report, observer = NOOP_OBSERVER } = options;
  const holder = randomUUID();
  const outboxWorkers = [
    ...(openTransport ? [createOutboxWorker({ store, openTransport, holder }, report, observer)] : []),
    createOutboxWorker({ ...pushOutbox(store), holder }, report, observer),
  ];
  const sendMessages = (signal: AbortSignal): void => {
    for (const worker of outboxWorkers) worker.start(signal);
  };
  const forecastWorker =
    openForecast &&
    createWorker((signal: AbortSignal) =>
      runJob({ ...refreshForecastsJob({ store, clock, openForecast, signal }), observer, report }),
    );
  const alertEvaluator = createAlertEvaluator({
    store,
    clock,
    report,
    onEvaluated: sendMessages,
  });
  return {
    async runOnce(signal: AbortSignal) {
      forecastWorker?.start(signal);
      const job = housekeepingJob(store, { now: clock(), holder, signal });
      try {
        await runJob({ ...job, observer, report });
      } catch {
        // runJob has reported it.
        return;
      }
      sendMessages(signal);
    },
    evaluateAlerts: alertEvaluator.evaluate,
    async close() {
      await alertEvaluator.close();
      await Promise.all(outboxWorkers.map((worker) => worker.whenIdle()));
      await forecastWorker?.whenIdle();
    },
  };
}
