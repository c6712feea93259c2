import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';
import { copiedTables } from './copied-tables.ts';
import { type CopiedRow, rowBatches } from './row-batches.ts';

/** What two equal tables have in common. */
export interface TableChecksum {
  readonly table: string;
  readonly rows: number;
  /** SHA-256 over the rows in the order of company and key, in hex. */
  readonly checksum: string;
}

/** What is told while rows are read, and what ends that. */
export interface RowMonitor {
  /** So many more rows were read. */
  onRows(count: number): void;
  readonly signal: AbortSignal;
}

/** A row as one text, the same from either database. */
export const serializeRow = (row: CopiedRow): string =>
  JSON.stringify(
    Object.keys(row)
      .sort()
      .map((column) => row[column]),
  );

/** Adds up the figures of a table from its rows, in their order. */
export class ChecksumBuilder {
  readonly #hash = createHash('sha256');
  #rows = 0;

  add(lines: readonly string[]): void {
    this.#rows += lines.length;
    for (const line of lines) this.#hash.update(line).update('\n');
  }

  end(table: string): TableChecksum {
    return { table, rows: this.#rows, checksum: this.#hash.digest('hex') };
  }
}

/** The figures of every table of a store, from one snapshot. Throws what the signal was aborted with. */
export async function tableChecksums(db: Kysely<Tables>, { onRows, signal }: RowMonitor): Promise<TableChecksum[]> {
  const figures: TableChecksum[] = [];
  for (const table of copiedTables) {
    const summing = new ChecksumBuilder();
    for await (const { rows } of rowBatches(db, table)) {
      // A file is read in one go; a signal comes in between only where it is let.
      await nextTurn();
      signal.throwIfAborted();
      summing.add(rows.map(serializeRow));
      onRows(rows.length);
    }
    figures.push(summing.end(table.name));
  }
  return figures;
}

/** Two tables of one name whose figures are not the same. */
export interface TableDifference {
  readonly table: string;
  readonly source: TableChecksum;
  readonly target: TableChecksum;
}

/** The tables in which two stores differ. */
export const differingTables = (
  source: readonly TableChecksum[],
  target: readonly TableChecksum[],
): TableDifference[] =>
  source
    .map((each, index) => ({ table: each.table, source: each, target: target[index]! }))
    .filter((each) => each.source.rows !== each.target.rows || each.source.checksum !== each.target.checksum);
