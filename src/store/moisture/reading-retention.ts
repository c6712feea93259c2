import {
  hoursStandBefore,
  type ReadingRetention,
} from '../../domain/moisture/reading-retention.ts';
import { preparedQuery } from '../queries/prepared-query.ts';
import { companyIdOf } from '../scope/company-db.ts';
import { adapterOf } from '../store-adapter.ts';
import type { CompanyDb } from '../tables.ts';

const queryRetention = preparedQuery((db) =>
  db.selectFrom('reading_retention').select(['kept_from as keptFrom', 'day_zone as dayZone']),
);

/** Null while every reading is kept. Read once in a transaction. */
export function readingRetention(db: CompanyDb): Promise<ReadingRetention | null> {
  const { readingRetentions } = adapterOf(db);
  const companyId = companyIdOf(db);
  const known = readingRetentions.get(companyId);
  if (known !== undefined) return known;

  const retention = queryRetention(db).then(([row]) => row ?? null);
  readingRetentions.set(companyId, retention);
  return retention;
}

/** As `hoursStandBefore`; null while every reading is kept. */
export async function onlyHoursBefore(db: CompanyDb): Promise<number | null> {
  const retention = await readingRetention(db);
  return retention && hoursStandBefore(retention);
}
