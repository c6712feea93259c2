import type { BackgroundJobsOptions, createBackgroundJobs } from '../../service/jobs/background-jobs.ts';
import type { Store } from '../../store/store.ts';
import type { Settings } from './settings.ts';

/** What runs without the operations, which hold most of the memory and are loaded with the first call. */
export interface LocalStore {
  readonly store: Store;
  readonly jobs: ReturnType<typeof createBackgroundJobs>;
  close(): Promise<void>;
}

export async function openLocalStore(
  { db, clock }: Pick<Settings, 'db' | 'clock'>,
  { report, observer }: Pick<BackgroundJobsOptions, 'report' | 'observer'>,
  background: Pick<BackgroundJobsOptions, 'openTransport' | 'openForecast'> = {},
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
