import { chooseCompany } from '../../service/company/company.ts';
import { createBackgroundJobs } from '../../service/jobs/background-jobs.ts';
import type { CompanyRow } from '../../store/company/companies.ts';
import type { Store } from '../../store/store.ts';
import { backupJobs } from '../backups/backup-jobs.ts';
import { openExistingStore } from '../process/command.ts';
import { forecastOpener, mailTransportOpener } from '../process/job-setup.ts';
import type { Log } from '../process/log.ts';
import type { Settings } from '../process/settings.ts';

/** A store opened to write for one company, with the jobs that follow from the writes. */
export interface CompanyStore {
  readonly store: Store;
  readonly company: CompanyRow;
  readonly jobs: ReturnType<typeof createBackgroundJobs>;
  close(): Promise<void>;
}

export async function openCompanyStore(
  settings: Settings,
  companyName: string | undefined,
  log: Log,
): Promise<CompanyStore> {
  const { db, clock } = settings;
  const store = await openExistingStore(db);
  try {
    const company = await chooseCompany(store, companyName);
    const jobs = createBackgroundJobs({
      store,
      clock,
      openTransport: mailTransportOpener(log),
      openForecast: forecastOpener(log),
      backups: backupJobs(settings, log),
      report: log.unexpectedError,
    });

    return {
      store,
      company,
      jobs,
      async close() {
        await jobs.close();
        await store.close();
      },
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}
