import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { itemAt } from '../../domain/items.ts';
import type { CopiedRow } from '../store-adapter.ts';
import type { Tables } from '../tables.ts';
import { copiedTables, rowBatches } from './copied-tables.ts';

export interface TableChecksum {
  readonly table: string;
  readonly rows: number;
  /** SHA-256 of the rows in the order of company and key, in hex. */
  readonly checksum: string;
}

export interface RowMonitor {
  onRows(count: number): void;
  readonly signal: AbortSignal;
}

export const serializeRow = (row: CopiedRow): string =>
  JSON.stringify(
    Object.keys(row)
      .sort()
      .map((column) => row[column]),
  );

export class ChecksumBuilder {
  readonly #hash = createHash('sha256');
  #rows = 0;

  add(lines: readonly string[]): void {
    this.#rows += lines.length;
    for (const line of lines) this.#hash.update(line).update('\n');
  }

  build(table: string): TableChecksum {
    return { table, rows: this.#rows, checksum: this.#hash.digest('hex') };
  }
}

export async function tableChecksums(
  db: Kysely<Tables>,
  { onRows, signal }: RowMonitor,
): Promise<TableChecksum[]> {
  const checksums: TableChecksum[] = [];
  for (const table of copiedTables) {
    const checksum = new ChecksumBuilder();
    for await (const { rows } of rowBatches(db, table)) {
      // SQLite reads block the event loop, so a signal arrives only in between.
      await nextTurn();
      signal.throwIfAborted();
      checksum.add(rows.map(serializeRow));
      onRows(rows.length);
    }
    checksums.push(checksum.build(table.name));
  }

  return checksums;
}

export interface TableDifference {
  readonly table: string;
  readonly source: TableChecksum;
  readonly target: TableChecksum;
}

/** Both lists have the tables in the order of `copiedTables`. */
export const differingTables = (
  sources: readonly TableChecksum[],
  targets: readonly TableChecksum[],
): TableDifference[] =>
  sources
    .map((source, index) => ({ table: source.table, source, target: itemAt(targets, index) }))
    .filter(
      ({ source, target }) => source.rows !== target.rows || source.checksum !== target.checksum,
    );
