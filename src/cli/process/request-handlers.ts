import { readFileSync } from 'node:fs';
import type { Catalog } from '../../mcp/catalog.ts';
import type { RequestHandlers } from '../../mcp/request-handlers.ts';
import type { Surface } from '../../observe/listener.ts';
import type { Observer } from '../../observe/observer.ts';
import type { ErrorReporter } from '../../schema/error.ts';
import type {
  BackgroundJobsOptions,
  createBackgroundJobs,
} from '../../service/jobs/background-jobs.ts';
import type { Store } from '../../store/store.ts';
import { type Settings, storeOption } from './settings.ts';

export interface CallObservation {
  readonly report: ErrorReporter;
  readonly observer: Observer;
  readonly surface: Surface;
  /** Called once if the remote service is at another address than the settings say. */
  readonly onBasePathChange?: (url: string) => void;
}

/**
 * Closing the handlers closes the local store, which is opened unless the settings name a remote
 * service.
 */
export async function openHandlers(
  settings: Settings,
  observation: CallObservation,
  openStore: () => Promise<LocalStore>,
): Promise<RequestHandlers> {
  return settings.remote === null
    ? openLocal(settings, observation, openStore)
    : openRemote(settings, settings.remote, observation);
}

export async function unavailableHandlers(
  reason: unknown,
  observation: CallObservation,
): Promise<RequestHandlers> {
  const { handlersWithoutStore } = await import('../../mcp/request-handlers.ts');
  return handlersWithoutStore(reason, observation);
}

async function openLocal(
  { db, clock, lang, apiKey, toolFilter }: Settings,
  { report, observer, surface }: CallObservation,
  openStore: () => Promise<LocalStore>,
): Promise<RequestHandlers> {
  const { store, jobs, close } = await openStore();
  const { localHandlers } = await import('../../mcp/store-handlers.ts');
  const { ACEQUIA_PUBLIC_URL: address = '' } = process.env;
  const pageUrl = () => (URL.canParse(address) ? new URL(address) : null);

  const onReadings = jobs.evaluateAlerts;
  return localHandlers({
    store,
    clock,
    lang,
    apiKey,
    toolFilter,
    report,
    observer,
    surface,
    onReadings,
    pageUrl,
    storeOption: storeOption(db),
    close,
  });
}

async function openRemote(
  { clock, lang, apiKey: key, toolFilter }: Settings,
  url: string,
  { report, observer, surface, onBasePathChange }: CallObservation,
): Promise<RequestHandlers> {
  const [{ handlersFor }, { RemoteRunner }] = await Promise.all([
    import('../../mcp/request-handlers.ts'),
    import('../../remote/remote-runner.ts'),
  ]);
  const runner = new RemoteRunner({ url, key, clock, lang, onBasePathChange });
  return handlersFor(runner, { toolFilter, report, observer, surface });
}

export const readCatalog = (): Catalog =>
  JSON.parse(readFileSync(new URL('./catalog.json', import.meta.url), 'utf8')) as Catalog;

/**
 * The parts that run without the operations, which hold most of the memory and are loaded with the
 * first call.
 */
export interface LocalStore {
  readonly store: Store;
  readonly jobs: ReturnType<typeof createBackgroundJobs>;
  close(): Promise<void>;
}

export async function openLocalStore(
  { db, clock }: Pick<Settings, 'db' | 'clock'>,
  { report, observer }: Pick<BackgroundJobsOptions, 'report' | 'observer'>,
  background: Pick<
    BackgroundJobsOptions,
    'runner' | 'openTransport' | 'openForecast' | 'backups'
  > = {},
): Promise<LocalStore> {
  const [{ openStore }, { createBackgroundJobs }] = await Promise.all([
    import('../../store/store.ts'),
    import('../../service/jobs/background-jobs.ts'),
  ]);
  const store = await openStore({ db });
  const jobs = createBackgroundJobs({ store, clock, ...background, report, observer });

  return {
    store,
    jobs,
    async close() {
      await jobs.close();
      await store.close();
    },
  };
}
