import type { MetricsPort } from '../../http/metrics-server.ts';
import { operatorReporter } from '../../http/store-for-clients.ts';
import type { Observer } from '../../observe/observer.ts';
import type { CompanyReads } from '../../operation/local/operation-run.ts';
import { LongReads, type RunLongRead, shortReadShares } from '../../operation/reads/long-reads.ts';
import type { ErrorReporter } from '../../schema/error.ts';
import { createBackgroundJobs } from '../../service/jobs/background-jobs.ts';
import { createUseRecorder } from '../../service/keys/api-keys.ts';
import type { Store } from '../../store/store.ts';
import { backupJobs } from '../backups/backup-jobs.ts';
import { openExistingStore } from '../process/command.ts';
import { forecastOpener, mailTransportOpener } from '../process/job-setup.ts';
import type { Log } from '../process/log.ts';
import { openObservability } from '../process/observability.ts';
import type { Settings } from '../process/settings.ts';
import { READ_PLACES, ReadWorkers } from '../reads/read-workers.ts';
import type { ResourceStack } from './resource-stack.ts';

export interface MetricsAddress {
  readonly host: string;
  readonly port: number;
}

type UseRecorder = ReturnType<typeof createUseRecorder>;

/** The parts by which the service answers, whatever the transport. */
export interface ServiceParts {
  readonly store: Store;
  readonly metrics: MetricsPort | null;
  readonly observer: Observer;
  readonly keyUses: UseRecorder;
  readonly sessionUses: UseRecorder;
  readonly reads: CompanyReads;
  readonly jobs: ReturnType<typeof createBackgroundJobs>;
}

export async function openParts(
  metricsAddress: MetricsAddress | null,
  settings: Settings,
  log: Log,
  resources: ResourceStack,
): Promise<ServiceParts> {
  const { db, clock } = settings;
  const report = log.unexpectedError;
  const store = resources.add(await openExistingStore(db));
  const metrics = await openMetricsIfConfigured(metricsAddress, { store, clock });
  if (metrics) resources.add(metrics.server);

  const extraListeners = metrics ? [metrics.listener] : [];
  const { observer, end } = await openObservability(log, { isService: true, extraListeners });
  resources.defer(end);

  const keyUses = resources.add(createUseRecorder('api_keys', store, clock, report));
  const sessionUses = resources.add(createUseRecorder('sessions', store, clock, report));
  const workerFile = new URL('./read-worker.js', import.meta.url);
  const workers = resources.add(new ReadWorkers(workerFile, { db }));
  const jobs = resources.add(
    createBackgroundJobs({
      store,
      clock,
      runner: 'serve',
      openTransport: mailTransportOpener(log),
      openForecast: forecastOpener(log),
      backups: backupJobs(settings, log),
      report,
      observer,
    }),
  );

  return {
    store,
    metrics,
    observer,
    keyUses,
    sessionUses,
    reads: companyReads(workers, report),
    jobs,
  };
}

async function openMetricsIfConfigured(
  address: MetricsAddress | null,
  source: { readonly store: Store; readonly clock: () => number },
): Promise<MetricsPort | null> {
  if (address === null) return null;
  const { openMetricsPort } = await import('../../http/metrics-server.ts');
  return openMetricsPort(ACEQUIA_VERSION, address, source);
}

function companyReads(workers: ReadWorkers, report: ErrorReporter): CompanyReads {
  const reportToOperator = operatorReporter(report);
  const runLongRead: RunLongRead = (read, signal) =>
    workers.run(read, signal).catch(reportToOperator);
  return {
    short: shortReadShares(),
    long: new LongReads(runLongRead, { places: READ_PLACES }),
  };
}

declare const ACEQUIA_VERSION: string;
