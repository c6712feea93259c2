import { Readable } from 'node:stream';
import { runningClock } from '../src/cli/process/settings.ts';
import { DEFAULT_TIME_ZONE } from '../src/schema/company/company.ts';
import { evaluateCompanyAlerts } from '../src/service/alerts/due-evaluations.ts';
import { withEvaluationPaused } from '../src/service/alerts/evaluation-pause.ts';
import { chooseCompany } from '../src/service/company/company.ts';
import { importFarm } from '../src/service/farm/farm-import.ts';
import { importReadings } from '../src/service/ingest/readings-import.ts';
import { withSecondStore } from './stores/stores.ts';

interface ReadingsImportOptions {
  readonly module?: string;
  readonly company?: string;
  readonly clock?: string;
}

const clockFrom = (instant: string | undefined) =>
  runningClock(instant === undefined ? null : Date.parse(instant));

export async function importFarmFile(
  db: string,
  farm: object,
  { clock }: Pick<ReadingsImportOptions, 'clock'> = {},
): Promise<void> {
  await withSecondStore(db, (store) =>
    importFarm(store, JSON.stringify(farm), clockFrom(clock)(), { newCompany: true }),
  );
}

/** Imports readings as `acequia import` does, in this process; throws if it stores none. */
export async function importReadingsCsv(
  db: string,
  csv: string,
  { module, company, clock }: ReadingsImportOptions = {},
): Promise<void> {
  const now = clockFrom(clock);
  await withSecondStore(db, async (store) => {
    const record = await chooseCompany(store, company);
    const zone = record.timezone ?? DEFAULT_TIME_ZONE;
    const { stored, firstRejects } = await withEvaluationPaused(store, record.id, () =>
      importReadings(Readable.from([csv]), {
        store,
        companyId: record.id,
        zone,
        module,
        now: now(),
      }),
    );
    if (stored === 0) throw new Error(JSON.stringify(firstRejects));
    await evaluateCompanyAlerts(store, record, { now: now() });
  });
}
