import { randomUUID } from 'node:crypto';
import type { Insertable } from 'kysely';
import { preparedInserts } from '../queries/prepared-query.ts';
import type { CompanyDb, CompanyTables } from '../tables.ts';

const MODULES_PER_STATEMENT = [128, 16, 4, 1];

/** Call it in each transaction that changes readings of these modules. */
export async function renewReadingVersions(
  db: CompanyDb,
  moduleIds: Iterable<number>,
): Promise<void> {
  const version = randomUUID();
  // Two writers in another order might wait for each other.
  const ordered = [...moduleIds].sort((a, b) => a - b);
  await saveVersions(
    db,
    ordered.map((id) => [id, version]),
  );
}

const saveVersions = preparedInserts<Insertable<CompanyTables['reading_versions']>>(
  ['module_id', 'version'],
  MODULES_PER_STATEMENT,
  (db, rows) =>
    db
      .insertInto('reading_versions')
      .values(rows)
      .onConflict((conflict) =>
        conflict
          .columns(['module_id'])
          .doUpdateSet((set) => ({ version: set.ref('excluded.version') })),
      ),
);

/**
 * By module id. Equal versions mean equal readings, in any process and store. Modules whose readings
 * have not changed since there are versions have none.
 */
export async function readingVersions(
  db: CompanyDb,
  moduleIds: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (moduleIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('reading_versions')
    .select(['module_id', 'version'])
    .where('module_id', 'in', moduleIds)
    .execute();
  return new Map(rows.map(({ module_id: id, version }) => [id, version]));
}
