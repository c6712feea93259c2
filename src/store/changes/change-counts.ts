import { preparedQuery } from '../queries/prepared-query.ts';
import { companyIdOf } from '../scope/company-db.ts';
import { adapterOf } from '../store-adapter.ts';
import type { CompanyDb } from '../tables.ts';

const countQuery = preparedQuery((db) => db.selectFrom('change_counts').select('count'));

/**
 * How many transactions have changed rows of the company, in any process, as the snapshot sees it.
 * Equal counts mean equal rows, except for those of keys, sessions and mail.
 */
export async function changeCount(db: CompanyDb): Promise<number> {
  const [row] = await countQuery(db);
  return row?.count ?? 0;
}

/** True if this transaction has changed rows that are counted. */
export const hasChangedRows = (db: CompanyDb): boolean =>
  adapterOf(db).changedCompanies.has(companyIdOf(db));

const probesVersionQuery = preparedQuery((db) =>
  db.selectFrom('change_counts').select('probes_version'),
);

/**
 * Equal versions mean equal rows that describe probes, in any process and store. Null if there is
 * no version: before the first change of the company, and in a transaction that has changed them.
 */
export async function probesVersion(db: CompanyDb): Promise<string | null> {
  const { companiesWithChangedProbes, probesVersions } = adapterOf(db);
  const companyId = companyIdOf(db);
  if (companiesWithChangedProbes.has(companyId)) return null;

  const known = probesVersions.get(companyId);
  if (known !== undefined) return known;
  const version = probesVersionQuery(db).then(([row]) => row?.probes_version ?? null);
  probesVersions.set(companyId, version);
  return version;
}
