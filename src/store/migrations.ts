import type { Kysely, Migration } from 'kysely';
import type { ColumnTypes } from './column-types.ts';

/** One step of the tables, for either database. */
interface MigrationStep {
  up(db: Kysely<unknown>, types: ColumnTypes): Promise<void>;
}

/**
 * The migrations by name, in order. A name never changes and a migration is never edited once released: a store tells
 * by these names what it has been through.
 */
export const migrations: Readonly<Record<string, () => Promise<MigrationStep>>> = {
  '0001-first-tables': () => import('./migrations/0001-first-tables.ts'),
  '0002-schedules': () => import('./migrations/0002-schedules.ts'),
  '0003-annotations-and-alerts': () => import('./migrations/0003-annotations-and-alerts.ts'),
  '0004-alert-watch': () => import('./migrations/0004-alert-watch.ts'),
  '0005-api-keys': () => import('./migrations/0005-api-keys.ts'),
  '0006-answers-by-company': () => import('./migrations/0006-answers-by-company.ts'),
};

/** All of them, as they are for a database that declares its columns so. */
export async function migrationsFor(types: ColumnTypes): Promise<Record<string, Migration>> {
  const loaded: Record<string, Migration> = {};
  for (const [name, load] of Object.entries(migrations)) {
    const { up } = await load();
    loaded[name] = { up: (db) => up(db, types) };
  }
  return loaded;
}
