import { randomUUID } from 'node:crypto';
import type { Lang } from '../../domain/lang.ts';
import { NOOP_OBSERVER, type Observer } from '../../observe/observer.ts';
import type { CompanyRecord } from '../../store/company/companies.ts';
import type { Store } from '../../store/store.ts';
import { createAlertEvaluator } from '../alerts/alert-evaluator.ts';
import type { MailTransport } from '../mail/outbox.ts';
import { housekeepingJob } from './housekeeping.ts';
import { runJob } from './job.ts';
import { createOutboxWorker } from './outbox-worker.ts';

/** What a process that serves does for its store between calls. */
export interface BackgroundJobs {
  /** Housekeeping, once, after which mail that is due is sent beside all else; both end early when `signal` does. */
  runOnce(signal: AbortSignal): Promise<void>;
  /** Looks at the alerts of a company that readings have come for, beside all else; then sends the mail that this calls for. */
  evaluateAlerts(company: CompanyRecord): void;
  /** Looks no more; resolves when no mail is being sent. */
  close(): Promise<unknown>;
}

export interface BackgroundJobsOptions {
  readonly store: Store;
  readonly clock: () => number;
  /** Language of mail where one was chosen; else each company's own. */
  readonly lang?: Lang | undefined;
  /** The way to the mail server, asked for when there is something to send; mail waits without it. */
  readonly openTransport?: (() => Promise<MailTransport>) | undefined;
  readonly report: (error: unknown, requestId?: string) => Promise<unknown>;
  readonly observer?: Observer | undefined;
}

export function createBackgroundJobs(options: BackgroundJobsOptions): BackgroundJobs {
  const { store, clock, lang, openTransport, report, observer = NOOP_OBSERVER } = options;
  const holder = randomUUID();
  const outboxWorker = openTransport && createOutboxWorker({ store, openTransport, holder }, report, observer);
  const alertEvaluator = createAlertEvaluator({
    store,
    clock,
    lang,
    report,
    onEvaluated: (signal) => outboxWorker?.start(signal),
  });
  return {
    async runOnce(signal) {
      const job = housekeepingJob(store, { now: clock(), holder, signal, lang });
      const hasSucceeded = await runJob({ ...job, observer, report }).then(
        () => true,
        () => false,
      );
      if (hasSucceeded) outboxWorker?.start(signal);
    },
    evaluateAlerts: alertEvaluator.evaluate,
    async close() {
      await alertEvaluator.close();
      await outboxWorker?.whenIdle();
    },
  };
}
