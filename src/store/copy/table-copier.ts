import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Store } from '../store-interface.ts';
import type { Tables } from '../tables.ts';
import { type CopiedTable, copiedTables } from './copied-tables.ts';
import { type CopyRun, requireClaim } from './copy-claim.ts';
import { deleteRange, insertRows, type RowBatch, rowBatches, rowsInRange } from './row-batches.ts';
import { ChecksumBuilder, type RowMonitor, serializeRow, type TableChecksum } from './table-checksums.ts';

/**
 * Brings every row of a source into the target, and takes away what an earlier run brought that the source has no more.
 * A batch is one transaction, so that what stands in the target is whole batches, and a later run goes on behind them.
 */
export class TableCopier {
  readonly #target: Store;
  readonly #run: CopyRun;
  /** Tables in which nothing of an earlier run can stand. */
  readonly #emptyTables: Set<CopiedTable>;

  constructor(target: Store, run: CopyRun, begun: 'empty' | 'begun') {
    this.#target = target;
    this.#run = run;
    this.#emptyTables = new Set(begun === 'empty' ? copiedTables : []);
  }

  /** From one snapshot of the source, whose figures it tells. Throws what the signal was aborted with. */
  async copyAll(source: Kysely<Tables>, watched: RowMonitor): Promise<TableChecksum[]> {
    const figures: TableChecksum[] = [];
    for (const table of copiedTables)
      figures.push(
        (await this.#copyTable(source, table, watched)) ?? (await this.#recopyTable(source, table, watched)),
      );
    return figures;
  }

  /** Null where an earlier run brought what the source has changed since, which cannot be mended in place. */
  async #copyTable(source: Kysely<Tables>, table: CopiedTable, watched: RowMonitor): Promise<TableChecksum | null> {
    const summing = new ChecksumBuilder();
    for await (const stretch of rowBatches(source, table)) {
      await nextTurn();
      watched.signal.throwIfAborted();
      const lines = stretch.rows.map(serializeRow);
      if (!(await this.#copyBatch(table, stretch, lines))) return null;
      summing.add(lines);
      watched.onRows(stretch.rows.length);
    }
    return summing.end(table.name);
  }

  async #recopyTable(source: Kysely<Tables>, table: CopiedTable, watched: RowMonitor): Promise<TableChecksum> {
    await this.#clearFrom(table);
    // What stands in a table that was cleared is what this run has brought.
    return (await this.#copyTable(source, table, watched)) as TableChecksum;
  }

  /** False where rows stand in the stretch that are not those of the source. */
  async #copyBatch(table: CopiedTable, stretch: RowBatch, lines: readonly string[]): Promise<boolean> {
    if (this.#emptyTables.has(table)) {
      if (lines.length > 0) await this.#write((db) => insertRows(db, table, stretch));
      return true;
    }
    const standing = await this.#target.readAll((db) => rowsInRange(db, table, stretch, table.batch + 1));
    const brought = new Set(standing.map(serializeRow));
    const known = new Set(lines);
    const missing = stretch.rows.filter((_, index) => !brought.has(lines[index]!));
    if ([...brought].every((line) => known.has(line))) {
      if (missing.length > 0) await this.#write((db) => insertRows(db, table, { ...stretch, rows: missing }));
      return true;
    }
    if (table.isStandalone)
      await this.#write(async (db) => {
        await deleteRange(db, table, stretch);
        await insertRows(db, table, stretch);
      });
    return table.isStandalone;
  }

  /** Empties a table and those that can refer to it, the last ones first. */
  #clearFrom(table: CopiedTable): Promise<void> {
    const cleared = copiedTables.slice(copiedTables.indexOf(table)).filter(({ isStandalone }) => !isStandalone);
    for (const each of cleared) this.#emptyTables.add(each);
    return this.#write(async (db) => {
      for (const each of [...cleared].reverse()) await deleteRange(db, each, WHOLE_TABLE);
    });
  }

  #write(body: (db: Kysely<Tables>) => Promise<void>): Promise<void> {
    return this.#target.writeAll(async (db) => {
      await requireClaim(db, this.#run);
      await body(db);
    });
  }
}

const WHOLE_TABLE = { companyId: null, after: null, upTo: null };
