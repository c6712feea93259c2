import type { AcequiaError } from '../schema/error.ts';
import { MIGRATION_COUNT, migrations } from './schema/migrations.ts';
import type { StoreState } from './store-interface.ts';
import { newerStoreError, unreleasedStoreError } from './store-state-errors.ts';

/** The first migration of stores from before the first release, whose tables are other ones. */
const FIRST_UNRELEASED_MIGRATION = '0001-first-tables';

/** A copy has this table until it is complete. */
export const UNFINISHED_COPY_TABLE = 'unfinished_copy';

interface StoreContents {
  readonly location: string;
  readonly tableNames: readonly string[];
  appliedMigrations(): Promise<readonly string[]> | readonly string[];
}

export async function storeStateOf(
  { location, tableNames, appliedMigrations }: StoreContents,
  foreignTablesError: () => AcequiaError,
): Promise<StoreState> {
  if (tableNames.length === 0) return 'new';

  const applied = tableNames.includes('kysely_migration') ? await appliedMigrations() : [];
  if (applied.includes(FIRST_UNRELEASED_MIGRATION)) throw unreleasedStoreError(location);

  const ownMigrations = applied.filter((name) => name in migrations);
  if (ownMigrations.length === 0) throw foreignTablesError();
  if (ownMigrations.length < applied.length) throw newerStoreError(location);

  if (tableNames.includes(UNFINISHED_COPY_TABLE)) return 'unfinishedCopy';
  return ownMigrations.length === MIGRATION_COUNT ? 'current' : 'needsMigration';
}
