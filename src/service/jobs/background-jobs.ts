import { randomUUID } from 'node:crypto';
import type { JobRunner } from '../../domain/alerts/job-rounds.ts';
import type { BackupError } from '../../domain/backups/failures.ts';
import type { CallDetails, Surface } from '../../observe/listener.ts';
import {
  type CallTrace,
  errorCodeOf,
  NOOP_OBSERVER,
  type Observer,
  observedStore,
} from '../../observe/observer.ts';
import { recordMailAttempt, recordRound, recordStop } from '../../store/job-rounds.ts';
import { retryWaitingMail } from '../../store/mail/outbox.ts';
import type { Store } from '../../store/store.ts';
import type { BackupProcess } from '../backups/backup-runs.ts';
import { type OutboxOptions, type SendReport, sendOutbox } from '../mail/outbox.ts';
import type { MailTransport } from '../mail/transport.ts';
import type { ForecastProvider } from '../weather/open-meteo.ts';
import { createAlertEvaluator } from './alert-evaluator.ts';
import type { BackupJobReport } from './backup-job.ts';
import {
  type ForecastRefreshOptions,
  type ForecastReport,
  refreshForecasts,
} from './forecast-refresh.ts';
import { housekeepingJob } from './housekeeping.ts';

export interface BackgroundJobsOptions {
  readonly store: Store;
  readonly clock: () => number;
  /** The kind of this process, if it runs rounds of jobs. */
  readonly runner?: JobRunner | undefined;
  /** Mail stays in the outbox without it. */
  readonly openTransport?: (() => Promise<MailTransport>) | undefined;
  /** No forecast is fetched without it. */
  readonly openForecast?: (() => Promise<ForecastProvider>) | undefined;
  /** No copies are made without it. */
  readonly backups?: BackupJobs | undefined;
  readonly report: (error: unknown, requestId?: string) => Promise<unknown>;
  readonly observer?: Observer | undefined;
}

export interface BackupJobs {
  readonly file: string;
  readonly folder: string;
  isReady(): boolean;
  openProcess(): Promise<BackupProcess>;
  reportFailure(error: BackupError): Promise<unknown>;
}

export function createBackgroundJobs(options: BackgroundJobsOptions) {
  const { store, clock, runner, openTransport, openForecast, backups, report } = options;
  const { observer = NOOP_OBSERVER } = options;
  /** Identifies this process as the holder of leases. */
  const holder = randomUUID();
  const outboxWorkers = [createOutboxWorker({ ...pushOutbox(store), holder }, report, observer)];
  if (openTransport)
    outboxWorkers.unshift(
      createOutboxWorker({ store, openTransport, holder, runner }, report, observer),
    );

  const sendMessages = (signal: AbortSignal): void => {
    for (const worker of outboxWorkers) worker.start(signal);
  };

  const forecastWorker =
    openForecast &&
    createWorker((signal: AbortSignal) =>
      runJob({ ...refreshForecastsJob({ store, clock, openForecast, signal }), observer, report }),
    );

  const backupWorker =
    backups &&
    createWorker((signal: AbortSignal) =>
      runBackupJob({ store, backups, holder, signal, observer, report }),
    );

  const alertEvaluator = createAlertEvaluator({
    store,
    clock,
    report,
    onEvaluated: (signal, queuedMessages) => {
      if (queuedMessages !== 0) sendMessages(signal);
    },
  });

  const hasMailServer = openTransport !== undefined;
  const noteOwnRound = async (): Promise<void> => {
    if (runner) await noteRound(store, runner, hasMailServer).catch(report);
  };
  const closing = new AbortController();
  let trial: Promise<unknown> | undefined;

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
      if (!signal.aborted) await noteOwnRound();
      sendMessages(signal);
      if (backups?.isReady()) backupWorker?.start(signal);
    },
    /**
     * Says that this process runs the jobs before its first round has ended, and tries its mail
     * server, without waiting for its answer.
     */
    async noteStart() {
      await noteOwnRound();
      if (!runner || !openTransport) return;
      trial = tryMailServer(store, runner, openTransport, closing.signal).catch(report);
    },
    /** Mail may leave by it now, whatever was so before this start. */
    async retryMail() {
      if (hasMailServer) await store.writeUnlocked(retryWaitingMail).catch(report);
    },
    /** Until another process of this kind runs a round, nothing is promised. */
    async noteStop() {
      if (!runner) return;
      const end = { runner, hasMailServer, stoppedAt: Date.now() };
      await store.writeUnlocked((all) => recordStop(all, end)).catch(report);
    },
    evaluateAlerts: alertEvaluator.evaluate,
    evaluateAlertsInWrite: alertEvaluator.evaluateInWrite,
    async close() {
      closing.abort();
      await trial;
      await alertEvaluator.close();
      await Promise.all(outboxWorkers.map((worker) => worker.whenIdle()));
      await forecastWorker?.whenIdle();
      await backupWorker?.whenIdle();
    },
  };
}

/** In real time, as leases are. */
export const noteRound = (store: Store, runner: JobRunner, hasMailServer: boolean): Promise<void> =>
  store.writeUnlocked((all) => recordRound(all, { runner, hasMailServer, ranAt: Date.now() }));

/** Records whether the server can be used, also where no message waits. */
export async function tryMailServer(
  store: Store,
  runner: JobRunner,
  openTransport: () => Promise<MailTransport>,
  signal: AbortSignal,
): Promise<void> {
  const { accepts } = await openTransport();
  if (accepts === undefined) return;
  const attempt = (await accepts(signal)) ? 'tried' : 'failed';
  if (signal.aborted) return;
  await store.writeUnlocked((all) => recordMailAttempt(all, runner, attempt, Date.now()));
}

interface Job<T> {
  readonly surface: Extract<Surface, 'tick' | 'mail'>;
  readonly operation: string;
  readonly store: Store;
  readonly observer: Observer;
  run(store: Store, trace: CallTrace): Promise<T>;
  counts(result: T): CallDetails;
  readonly report?: (error: unknown, requestId: string) => Promise<unknown>;
}

export async function runJob<T>({
  surface,
  operation,
  store,
  observer,
  run,
  counts,
  report,
}: Job<T>): Promise<T> {
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

interface BackupJobOptions {
  readonly store: Store;
  readonly backups: BackupJobs;
  readonly holder: string;
  readonly signal: AbortSignal;
  readonly observer: Observer;
  readonly report: (error: unknown, requestId?: string) => Promise<unknown>;
}

/** Reports why no copy was made, and throws nothing then: the next round tries again. */
export async function runBackupJob({
  store,
  backups,
  holder,
  signal,
  observer,
  report,
}: BackupJobOptions): Promise<BackupJobReport | null> {
  const { file, folder } = backups;
  const { backupJob } = await import('./backup-job.ts');
  const process = await backups.openProcess();
  const job = backupJob({ store, file, folder, holder, process, signal, now: Date.now });
  try {
    return await runJob({ ...job, observer });
  } catch (error) {
    const { BackupError } = await import('../../domain/backups/failures.ts');
    await (error instanceof BackupError ? backups.reportFailure(error) : report(error));
    return null;
  }
}

export function createOutboxWorker(
  options: Omit<OutboxOptions, 'signal' | 'onDelivery'>,
  report: (error: unknown, requestId?: string) => Promise<unknown>,
  observer: Observer = NOOP_OBSERVER,
) {
  const worker = createWorker(async (signal) => {
    const job = sendMailJob({ ...options, signal });
    const { nextDueAt } = await runJob({ ...job, observer, report });
    if (nextDueAt !== null) startAt(nextDueAt, signal);
  });

  let timer: NodeJS.Timeout | undefined;
  function startAt(at: number, signal: AbortSignal): void {
    clearTimeout(timer);
    const startIfRunning = () => {
      if (!signal.aborted) worker.start(signal);
    };
    timer = setTimeout(startIfRunning, Math.max(0, at - Date.now())).unref();
  }

  return worker;
}

/** Runs a job that reports its own errors, at most one at a time. */
function createWorker(run: (signal: AbortSignal) => Promise<unknown>) {
  let running: Promise<unknown> | undefined;
  return {
    start(signal: AbortSignal) {
      running ??= run(signal)
        .catch(() => undefined)
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

export const refreshForecastsJob = ({
  store,
  openForecast,
  ...options
}: RefreshForecastsOptions) => ({
  surface: 'tick' as const,
  operation: 'refresh_forecasts',
  store,
  run: async (observed: Store) =>
    refreshForecasts(observed, { ...options, provider: await openForecast() }),
  counts: (report: ForecastReport) => report,
});

/** Push messages need no configuration: their keys are in the store. */
export const pushOutbox = (store: Store) => ({
  store,
  channel: 'push' as const,
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
