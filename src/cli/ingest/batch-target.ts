import { operationsByName } from '../../../tools/index.ts';
import { isFieldType } from '../../domain/ingest/field-choices.ts';
import { entryOf } from '../../domain/items.ts';
import type { StagedCall } from '../../operation/call.ts';
import type { batchClient } from '../../remote/batch-client.ts';
import { DEFAULT_TIME_ZONE } from '../../schema/company/company.ts';
import { AcequiaError } from '../../schema/error.ts';
import type { IngestResult } from '../../schema/ingest/ingest-batch.ts';
import { type IngestBatch, ingestBatch } from '../../service/ingest/batch/batch-ingest.ts';
import { existsInAnyCompany } from '../../store/company/companies.ts';
import type { CompanyDb } from '../../store/tables.ts';
import { startJobTimer } from '../process/job-timer.ts';
import type { Log } from '../process/log.ts';
import type { Settings } from '../process/settings.ts';
import { openCompanyStore } from './company-store.ts';

export interface BatchTarget {
  write(batch: IngestBatch): Promise<IngestResult>;
  close(): Promise<void>;
}

interface StoreTarget extends BatchTarget {
  readonly zone: string;
  /** `alongside` runs in the transaction that completes the batch. */
  write(batch: IngestBatch, alongside?: (db: CompanyDb) => Promise<void>): Promise<IngestResult>;
  read<T>(body: (db: CompanyDb) => Promise<T>): Promise<T>;
}

export async function openStoreTarget(
  settings: Settings,
  companyName: string | undefined,
  sender: string,
  log: Log,
): Promise<StoreTarget> {
  const { db, clock } = settings;
  const { store, company, jobs, close } = await openCompanyStore(settings, companyName, log);
  const zone = company.timezone ?? DEFAULT_TIME_ZONE;
  const jobTimer = startJobTimer(db, jobs.runOnce, log.unexpectedError);
  const read: StoreTarget['read'] = (body) => store.read(company.id, body);

  return {
    zone,
    read,
    async write(batch, alongside) {
      const call: StagedCall = {
        sender,
        now: clock(),
        zone,
        read,
        write: (body) => store.write(company.id, body),
        existsAnywhere: (kind, id) => store.readAll((all) => existsInAnyCompany(all, kind, id)),
      };
      const writeLastStage = await ingestBatch(call, batch);

      const result = await store.write(company.id, async (db) => {
        const written = await writeLastStage(db);
        await alongside?.(db);
        return written;
      });

      jobs.evaluateAlerts(company);
      return result;
    },
    async close() {
      await jobTimer.stop();
      await close();
    },
  };
}

/** Leaves out what an older service does not know, which refuses the whole batch. */
function compatibleSender(
  batches: ReturnType<typeof batchClient>,
): (batch: IngestBatch) => Promise<IngestResult> {
  const send = async (body: Partial<IngestBatch>) => (await batches.send(body)) as IngestResult;
  let isOlder = false;

  return async ({ unread, source, ...items }) => {
    const newer: { source?: string; unread?: Iterable<unknown> } = {};
    if (source !== undefined) newer.source = source;
    if (unread !== undefined && [...unread].length > 0) newer.unread = unread;
    const older = {
      ...items,
      readings: [...(items.readings ?? [])].filter(isKnownReading),
      devices: [...(items.devices ?? [])].map(knownStatus),
    };
    if (isOlder || Object.keys(newer).length === 0) return send(older);

    try {
      return await send({ ...items, ...newer });
    } catch (error) {
      const isRefused = error instanceof AcequiaError && error.status === 400;
      if (!isRefused) throw error;

      const result = await send(older);
      isOlder = true;
      return result;
    }
  };
}

const isKnownReading = (reading: unknown): boolean => !isFieldType(String(Object(reading).type));

function knownStatus(device: unknown): object {
  const { source: _, model: __, ...known } = Object(device);
  return known;
}

export async function openServiceTarget({ apiKey }: Settings, url: string): Promise<BatchTarget> {
  const { batchClient } = await import('../../remote/batch-client.ts');
  const batches = batchClient({ url, key: apiKey, operation: entryOf(operationsByName, 'ingest') });
  return {
    write: compatibleSender(batches),
    close: batches.close,
  };
}
