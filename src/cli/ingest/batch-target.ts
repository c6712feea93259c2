import { operationsByName } from '../../../tools/index.ts';
import type { StagedCall } from '../../operation/call.ts';
import { DEFAULT_TIME_ZONE } from '../../schema/company.ts';
import { invalidInput } from '../../schema/error.ts';
import type { IngestResult } from '../../schema/imports/ingest-batch.ts';
import { chooseCompany } from '../../service/company/company.ts';
import { type IngestBatch, ingestBatch } from '../../service/ingest/batch-ingest.ts';
import { createBackgroundJobs } from '../../service/jobs/background-jobs.ts';
import { existsInAnyCompany } from '../../store/company/companies.ts';
import { forecastOpener } from '../forecast/forecast-settings.ts';
import { mailTransportOpener } from '../mail/mail-transport.ts';
import { openExistingStore } from '../process/command.ts';
import { startJobTimer } from '../process/job-timer.ts';
import type { Log } from '../process/log.ts';
import type { Settings } from '../process/settings.ts';

export interface BatchTarget {
  write(batch: IngestBatch): Promise<IngestResult>;
  close(): Promise<void>;
}

export function refuseCompanyOfService(company: string | undefined): void {
  if (company === undefined) return;
  throw invalidInput('invalid_parameter', 'The key of the service decides the company.', {
    hint: 'Leave --company out.',
    field: '--company',
  });
}

export async function openStoreTarget(
  { db, clock }: Settings,
  companyName: string | undefined,
  log: Log,
): Promise<BatchTarget> {
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
      async write(batch) {
        const call: StagedCall = {
          ...{ now: clock(), zone },
          read: (body) => store.read(company.id, body),
          write: (body) => store.write(company.id, body),
          existsAnywhere: (kind, id) => store.readAll((all) => existsInAnyCompany(all, kind, id)),
        };
        const result = await store.write(company.id, await ingestBatch(call, batch));
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
  return { write: async (batch) => (await batches.send({ ...batch })) as IngestResult, close: batches.close };
}
