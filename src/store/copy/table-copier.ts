import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { itemAt } from '../../domain/items.ts';
import type { Store } from '../store-interface.ts';
import type { Tables } from '../tables.ts';
import {
  type CopiedTable,
  copiedTables,
  deleteRange,
  insertRows,
  type RowBatch,
  rowBatches,
  rowsInRange,
} from './copied-tables.ts';
import { assertClaim, type CopyRun } from './copy-claim.ts';
import {
  ChecksumBuilder,
  type RowMonitor,
  serializeRow,
  type TableChecksum,
} from './table-checksums.ts';

/** Each batch is one transaction, so a later run can compare whole batches and continue. */
export class TableCopier {
  readonly #target: Store;
  readonly #run: CopyRun;
  readonly #emptyTables: Set<CopiedTable>;

  constructor(target: Store, run: CopyRun, state: 'empty' | 'started') {
    this.#target = target;
    this.#run = run;
    this.#emptyTables = new Set(state === 'empty' ? copiedTables : []);
  }

  async copyAll(source: Kysely<Tables>, monitor: RowMonitor): Promise<TableChecksum[]> {
    const checksums: TableChecksum[] = [];
    for (const table of copiedTables)
      checksums.push(
        (await this.#copyTable(source, table, monitor)) ??
          (await this.#recopyTable(source, table, monitor)),
      );
    return checksums;
  }

  /**
   * Null if an earlier run copied rows that have changed in the source since and cannot be replaced
   * one by one.
   */
  async #copyTable(
    source: Kysely<Tables>,
    table: CopiedTable,
    monitor: RowMonitor,
  ): Promise<TableChecksum | null> {
    const checksum = new ChecksumBuilder();
    for await (const batch of rowBatches(source, table)) {
      await nextTurn();
      monitor.signal.throwIfAborted();
      const lines = batch.rows.map(serializeRow);
      if (!(await this.#copyBatch(table, batch, lines))) return null;
      checksum.add(lines);
      monitor.onRows(batch.rows.length);
    }

    return checksum.build(table.name);
  }

  async #recopyTable(
    source: Kysely<Tables>,
    table: CopiedTable,
    monitor: RowMonitor,
  ): Promise<TableChecksum> {
    await this.#clearFrom(table);
    // An empty table has no rows to replace.
    return (await this.#copyTable(source, table, monitor))!;
  }

  /**
   * False if the target has rows in the range that the source lacks, and other tables may refer to
   * them, so that they cannot be replaced.
   */
  async #copyBatch(
    table: CopiedTable,
    batch: RowBatch,
    lines: readonly string[],
  ): Promise<boolean> {
    if (this.#emptyTables.has(table)) {
      if (lines.length > 0) await this.#write((db) => insertRows(db, table, batch));
      return true;
    }

    const targetRows = await this.#target.readAll((db) =>
      rowsInRange(db, table, batch, table.batchSize + 1),
    );
    const targetLines = new Set(targetRows.map(serializeRow));
    const sourceLines = new Set(lines);
    if ([...targetLines].every((line) => sourceLines.has(line))) {
      const missing = batch.rows.filter((_, index) => !targetLines.has(itemAt(lines, index)));
      if (missing.length > 0)
        await this.#write((db) => insertRows(db, table, { ...batch, rows: missing }));
      return true;
    }

    if (table.isStandalone)
      await this.#write(async (db) => {
        await deleteRange(db, table, batch);
        await insertRows(db, table, batch);
      });

    return table.isStandalone;
  }

  /** Empties a table and those that follow it, which may refer to it. */
  #clearFrom(table: CopiedTable): Promise<void> {
    const cleared = copiedTables
      .slice(copiedTables.indexOf(table))
      .filter(({ isStandalone }) => !isStandalone);
    for (const clearedTable of cleared) this.#emptyTables.add(clearedTable);

    return this.#write(async (db) => {
      for (const clearedTable of cleared.toReversed())
        await deleteRange(db, clearedTable, WHOLE_TABLE);
    });
  }

  #write(body: (db: Kysely<Tables>) => Promise<void>): Promise<void> {
    return this.#target.writeAll(async (db) => {
      await assertClaim(db, this.#run);
      await body(db);
    });
  }
}

const WHOLE_TABLE = { companyId: null, after: null, upTo: null };
