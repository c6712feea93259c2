import { operationsByName } from '../../tools/index.ts';
import { storeUnavailable } from '../schema/error.ts';
import type { Ingested } from '../schema/ingest.ts';
import { DEFAULT_ZONE } from '../schema/place.ts';
import { chooseCompany } from '../service/choose-company.ts';
import { type Batch, ingest } from '../service/ingest.ts';
import { keepingOf } from '../service/keeping.ts';
import { isMissing } from '../store/address.ts';
import { openStore } from '../store/store.ts';
import { startKeeper } from './keeper.ts';
import type { Log } from './log.ts';
import { transportOrNone } from './mail-way.ts';
import type { Settings } from './settings.ts';

/** Where batches go that a running command takes in. */
export interface Sink {
  /** Resolves when the batch is kept for good. */
  keep(batch: Batch): Promise<Ingested>;
  close(): Promise<void>;
}

/** A store of this machine; its alerts are looked at as readings come, and its books are kept meanwhile. */
export async function storeSink(
  { db, clock, lang }: Settings,
  companyNamed: string | undefined,
  log: Log,
): Promise<Sink> {
  if (isMissing(db))
    throw storeUnavailable(
      `There is no store ${db} to bring readings into.`,
      'Make one with "acequia import farm.json", or name its file with --db or ACEQUIA_DB.',
    );
  const store = await openStore({ db });
  try {
    const company = await chooseCompany(store, companyNamed);
    const zone = company.timezone ?? DEFAULT_ZONE;
    const keeping = keepingOf({ store, clock, lang, openTransport: transportOrNone(log), report: log.failure });
    const keeper = startKeeper(db, keeping.keep, log.failure);
    return {
      async keep(batch) {
        const kept = await store.write(company.id, (at) => ingest({ db: at, now: clock(), zone }, batch));
        keeping.look(company);
        return kept;
      },
      async close() {
        await keeper.stop();
        await keeping.ended();
        await store.close();
      },
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** A service elsewhere, under the key of the environment. */
export async function serviceSink({ apiKey }: Settings, url: string): Promise<Sink> {
  const { remoteBatches } = await import('../remote/batches.ts');
  const batches = remoteBatches({ url, key: apiKey, described: operationsByName.get('ingest')! });
  return { keep: async (batch) => (await batches.send({ ...batch })) as Ingested, close: batches.close };
}
