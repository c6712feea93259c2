import type { AcequiaError } from '../schema/error.ts';
import { MIGRATION_COUNT, migrations } from './schema/migrations.ts';
import type { StoreState } from './store-interface.ts';
import { newerStoreError } from './store-state-errors.ts';

/** Delete it at 1.0, with convert-unreleased-store.ts. */
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
  const isUnfinishedCopy = tableNames.includes(UNFINISHED_COPY_TABLE);

  if (applied.includes(FIRST_UNRELEASED_MIGRATION)) {
    const { assertConvertible } = await import('./convert-unreleased-store.ts');
    assertConvertible(location, applied, isUnfinishedCopy);
    return 'needsMigration';
  }

  const ownMigrations = applied.filter((name) => name in migrations);
  if (ownMigrations.length === 0) throw foreignTablesError();
  if (ownMigrations.length < applied.length) throw newerStoreError(location);

  if (isUnfinishedCopy) return 'unfinishedCopy';
  return ownMigrations.length === MIGRATION_COUNT ? 'current' : 'needsMigration';
}
