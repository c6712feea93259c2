import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Store } from '../store-interface.ts';
import type { Tables } from '../tables.ts';
import { lineOf, Summing, type TableFigures, type Watched } from './figures.ts';
import { insertRows } from './insert.ts';
import { expectClaimed, type Run } from './mark.ts';
import { deleteIn, type FilledStretch, rowsIn, stretchesOf } from './rows.ts';
import { type CopiedTable, copiedTables } from './tables.ts';

/**
 * Brings every row of a source into the target, and takes away what an earlier run brought that the source has no more.
 * A batch is one transaction, so that what stands in the target is whole batches, and a later run goes on behind them.
 */
export class Filling {
  readonly #target: Store;
  readonly #run: Run;
  /** Tables in which nothing of an earlier run can stand. */
  readonly #fresh: Set<CopiedTable>;

  constructor(target: Store, run: Run, begun: 'empty' | 'begun') {
    this.#target = target;
    this.#run = run;
    this.#fresh = new Set(begun === 'empty' ? copiedTables : []);
  }

  /** From one snapshot of the source, whose figures it tells. Throws what the signal was aborted with. */
  async fill(source: Kysely<Tables>, watched: Watched): Promise<TableFigures[]> {
    const figures: TableFigures[] = [];
    for (const table of copiedTables)
      figures.push((await this.#fillTable(source, table, watched)) ?? (await this.#refill(source, table, watched)));
    return figures;
  }

  /** Null where an earlier run brought what the source has changed since, which cannot be mended in place. */
  async #fillTable(source: Kysely<Tables>, table: CopiedTable, watched: Watched): Promise<TableFigures | null> {
    const summing = new Summing();
    for await (const stretch of stretchesOf(source, table)) {
      await nextTurn();
      watched.signal.throwIfAborted();
      const lines = stretch.rows.map(lineOf);
      if (!(await this.#bring(table, stretch, lines))) return null;
      summing.add(lines);
      watched.onRows(stretch.rows.length);
    }
    return summing.end(table.name);
  }

  async #refill(source: Kysely<Tables>, table: CopiedTable, watched: Watched): Promise<TableFigures> {
    await this.#clearFrom(table);
    // What stands in a table that was cleared is what this run has brought.
    return (await this.#fillTable(source, table, watched)) as TableFigures;
  }

  /** False where rows stand in the stretch that are not those of the source. */
  async #bring(table: CopiedTable, stretch: FilledStretch, lines: readonly string[]): Promise<boolean> {
    if (this.#fresh.has(table)) {
      if (lines.length > 0) await this.#write((db) => insertRows(db, table, stretch));
      return true;
    }
    const standing = await this.#target.readAll((db) => rowsIn(db, table, stretch, table.batch + 1));
    const brought = new Set(standing.map(lineOf));
    const known = new Set(lines);
    const missing = stretch.rows.filter((_, index) => !brought.has(lines[index]!));
    if ([...brought].every((line) => known.has(line))) {
      if (missing.length > 0) await this.#write((db) => insertRows(db, table, { ...stretch, rows: missing }));
      return true;
    }
    if (table.isLoose)
      await this.#write(async (db) => {
        await deleteIn(db, table, stretch);
        await insertRows(db, table, stretch);
      });
    return table.isLoose;
  }

  /** Empties a table and those that can refer to it, the last ones first. */
  #clearFrom(table: CopiedTable): Promise<void> {
    const cleared = copiedTables.slice(copiedTables.indexOf(table)).filter(({ isLoose }) => !isLoose);
    for (const each of cleared) this.#fresh.add(each);
    return this.#write(async (db) => {
      for (const each of [...cleared].reverse()) await deleteIn(db, each, EVERYTHING);
    });
  }

  #write(body: (db: Kysely<Tables>) => Promise<void>): Promise<void> {
    return this.#target.writeAll(async (db) => {
      await expectClaimed(db, this.#run);
      await body(db);
    });
  }
}

const EVERYTHING = { companyId: null, after: null, upTo: null };
