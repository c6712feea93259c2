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

/** The store into which a run copies. */
interface CopyTarget {
  readonly store: Store;
  readonly run: CopyRun;
  /** Tables that have no rows, or none any more: their batches are inserted without comparing. */
  readonly emptyTables: Set<CopiedTable>;
}

/**
 * Each batch is one transaction, so that a later run can compare whole batches and continue. The
 * target is `started` if an earlier run has copied some.
 */
export async function copyTables(
  source: Kysely<Tables>,
  { store, run, state }: { store: Store; run: CopyRun; state: 'empty' | 'started' },
  monitor: RowMonitor,
): Promise<TableChecksum[]> {
  const emptyTables = new Set(state === 'empty' ? copiedTables : []);
  const target = { store, run, emptyTables };
  const checksums: TableChecksum[] = [];
  for (const table of copiedTables)
    checksums.push(
      (await copyTable(source, target, table, monitor)) ??
        (await recopyTable(source, target, table, monitor)),
    );
  return checksums;
}

/**
 * Null if an earlier run copied rows that have changed in the source since and cannot be replaced
 * one by one.
 */
async function copyTable(
  source: Kysely<Tables>,
  target: CopyTarget,
  table: CopiedTable,
  monitor: RowMonitor,
): Promise<TableChecksum | null> {
  const checksum = new ChecksumBuilder();
  for await (const batch of rowBatches(source, table)) {
    await nextTurn();
    monitor.signal.throwIfAborted();
    const lines = batch.rows.map(serializeRow);
    if (!(await copyBatch(target, table, batch, lines))) return null;
    checksum.add(lines);
    monitor.onRows(batch.rows.length);
  }

  return checksum.build(table.name);
}

async function recopyTable(
  source: Kysely<Tables>,
  target: CopyTarget,
  table: CopiedTable,
  monitor: RowMonitor,
): Promise<TableChecksum> {
  await clearFrom(target, table);
  // An empty table has no rows to replace.
  return (await copyTable(source, target, table, monitor))!;
}

/**
 * False if the target has rows in the range that the source lacks, and other tables may refer to
 * them, so that they cannot be replaced.
 */
async function copyBatch(
  target: CopyTarget,
  table: CopiedTable,
  batch: RowBatch,
  lines: readonly string[],
): Promise<boolean> {
  if (target.emptyTables.has(table)) {
    if (lines.length > 0) await write(target, (db) => insertRows(db, table, batch));
    return true;
  }

  const targetRows = await target.store.readAll((db) =>
    rowsInRange(db, table, batch, table.batchSize + 1),
  );
  const targetLines = new Set(targetRows.map(serializeRow));
  const sourceLines = new Set(lines);
  if ([...targetLines].every((line) => sourceLines.has(line))) {
    const missing = batch.rows.filter((_, index) => !targetLines.has(itemAt(lines, index)));
    if (missing.length > 0)
      await write(target, (db) => insertRows(db, table, { ...batch, rows: missing }));
    return true;
  }

  if (table.isStandalone)
    await write(target, async (db) => {
      await deleteRange(db, table, batch);
      await insertRows(db, table, batch);
    });

  return table.isStandalone;
}

/** Empties a table and those that follow it, which may refer to it. */
function clearFrom(target: CopyTarget, table: CopiedTable): Promise<void> {
  const cleared = copiedTables
    .slice(copiedTables.indexOf(table))
    .filter(({ isStandalone }) => !isStandalone);
  for (const clearedTable of cleared) target.emptyTables.add(clearedTable);

  return write(target, async (db) => {
    for (const clearedTable of cleared.toReversed())
      await deleteRange(db, clearedTable, WHOLE_TABLE);
  });
}

const write = (
  { store, run }: CopyTarget,
  body: (db: Kysely<Tables>) => Promise<void>,
): Promise<void> =>
  store.writeAll(async (db) => {
    await assertClaim(db, run);
    await body(db);
  });

const WHOLE_TABLE = { companyId: null, after: null, upTo: null };
