import { statSync } from 'node:fs';
import { type Kysely, sql } from 'kysely';
import { firstOf } from '../domain/items.ts';
import { adapterOf } from './store-adapter.ts';
import { isServerUrl } from './store-location.ts';
import type { Tables } from './tables.ts';

/** What a reading takes where the server has counted none. Source: docs/scale.md. */
const DEFAULT_BYTES = 100;

/** The bytes on disk that one reading takes on average, its index included. */
export async function bytesPerReading(db: Kysely<Tables>): Promise<number> {
  const { rows } =
    adapterOf(db).dialect === 'sqlite'
      ? await sql<Sizes>`select sum(pgsize) as bytes, sum(ncell) as rows from dbstat
          where name = 'readings'`.execute(db)
      : await sql<Sizes>`select cast(sum(pg_total_relation_size(relid)) as double precision) as bytes,
          cast(sum(n_live_tup) as double precision) as rows
          from pg_stat_user_tables where relid in
            (select inhrelid from pg_inherits where inhparent = 'readings'::regclass)`.execute(db);
  const { bytes, rows: count } = firstOf(rows);
  return bytes !== null && count !== null && count > 0 ? bytes / count : DEFAULT_BYTES;
}

interface Sizes {
  readonly bytes: number | null;
  readonly rows: number | null;
}

export interface CompactedSizes {
  readonly before: number;
  readonly after: number;
}

/**
 * Gives the space of deleted rows back to the disk. SQLite writes the whole file anew, PostgreSQL the
 * readings of one month after the other; writers wait meanwhile. The store must not be open here.
 */
export async function compactStore(location: string): Promise<CompactedSizes> {
  if (isServerUrl(location)) {
    const { compactDatabase } = await import('./postgres/compact.ts');
    return compactDatabase(location);
  }

  const { clearFile } = await import('./sqlite/clear-file.ts');
  const before = statSync(location).size;
  await clearFile(location);
  return { before, after: statSync(location).size };
}
