import { operationsByName } from '../../../tools/index.ts';
import type { StagedCall } from '../../operation/call.ts';
import { DEFAULT_TIME_ZONE } from '../../schema/company/company.ts';
import type { IngestResult } from '../../schema/ingest/ingest-batch.ts';
import { chooseCompany } from '../../service/company/company.ts';
import { type IngestBatch, ingestBatch } from '../../service/ingest/batch/batch-ingest.ts';
import { createBackgroundJobs } from '../../service/jobs/background-jobs.ts';
import { existsInAnyCompany } from '../../store/company/companies.ts';
import type { CompanyDb } from '../../store/tables.ts';
import { openExistingStore } from '../process/command.ts';
import { forecastOpener, mailTransportOpener, startJobTimer } from '../process/job-setup.ts';
import type { Log } from '../process/log.ts';
import type { Settings } from '../process/settings.ts';

export interface BatchTarget {
  write(batch: IngestBatch): Promise<IngestResult>;
  close(): Promise<void>;
}

interface StoreTarget extends BatchTarget {
  readonly zone: string;
  /** `alongside` runs in the last transaction of the batch. */
  write(batch: IngestBatch, alongside?: (db: CompanyDb) => Promise<void>): Promise<IngestResult>;
  read<T>(body: (db: CompanyDb) => Promise<T>): Promise<T>;
}

export async function openStoreTarget(
  { db, clock }: Settings,
  companyName: string | undefined,
  sender: string,
  log: Log,
): Promise<StoreTarget> {
  const store = await openExistingStore(db);
  try {
    const company = await chooseCompany(store, companyName);
    const zone = company.timezone ?? DEFAULT_TIME_ZONE;
    const jobs = createBackgroundJobs({
      store,
      clock,
      openTransport: mailTransportOpener(log),
      openForecast: forecastOpener(log),
      report: log.unexpectedError,
    });

    const jobTimer = startJobTimer(db, jobs.runOnce, log.unexpectedError);
    return {
      zone,
      read: (body) => store.read(company.id, body),
      async write(batch, alongside) {
        const call: StagedCall = {
          sender,
          now: clock(),
          zone,
          read: (body) => store.read(company.id, body),
          write: (body) => store.write(company.id, body),
          existsAnywhere: (kind, id) => store.readAll((all) => existsInAnyCompany(all, kind, id)),
        };
        const lastStage = await ingestBatch(call, batch);

        const result = await store.write(company.id, async (db) => {
          const written = await lastStage(db);
          await alongside?.(db);
          return written;
        });

        jobs.evaluateAlerts(company);
        return result;
      },
      async close() {
        await jobTimer.stop();
        await jobs.close();
        await store.close();
      },
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}

export async function openServiceTarget({ apiKey }: Settings, url: string): Promise<BatchTarget> {
  const { batchClient } = await import('../../remote/service.ts');
  const batches = batchClient({ url, key: apiKey, operation: operationsByName.get('ingest')! });
  return {
    write: async (batch) => (await batches.send({ ...batch })) as IngestResult,
    close: batches.close,
  };
}
