import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite';
import type { TableFigures } from '../../schema/backups/manifest.ts';
import { TABLES_BY_NAME } from '../../schema/tables/index.ts';
import { NO_FOLDER } from './backup-location.ts';

// Copies are read without the descriptions of the tables, because those of an earlier version of
// Acequia have other columns.

const MIGRATION_TABLES = ['kysely_migration', 'kysely_migration_lock'];

const isCounted = (name: string): boolean =>
  !name.startsWith('sqlite_') &&
  !MIGRATION_TABLES.includes(name) &&
  (TABLES_BY_NAME.get(name)?.isCopied ?? true);

function rows<Row>(database: DatabaseSyncInstance, query: string): Row[] {
  return database.prepare(query).all() as Row[];
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

export const tableNamesIn = (database: DatabaseSyncInstance): string[] =>
  rows<{ name: string }>(
    database,
    "select name from sqlite_schema where type = 'table' order by name",
  ).map(({ name }) => name);

export const migrationsIn = (database: DatabaseSyncInstance): string[] =>
  tableNamesIn(database).includes('kysely_migration')
    ? rows<{ name: string }>(database, 'select name from kysely_migration order by name').map(
        ({ name }) => name,
      )
    : [];

export function storeIdIn(database: DatabaseSyncInstance): string | null {
  if (!tableNamesIn(database).includes('backup_folders')) return null;
  const [row] = rows<{ store_id: string }>(
    database,
    'select store_id from backup_folders order by folder limit 1',
  );
  return row?.store_id ?? null;
}

/** Of a demo. */
export const makesNoCopiesIn = (database: DatabaseSyncInstance): boolean =>
  tableNamesIn(database).includes('backup_folders') &&
  rows(database, `select 1 from backup_folders where folder = '${NO_FOLDER}'`).length > 0;

const ROWS_PER_TURN = 2000;

/** An iterator of the binding does not keep its statement from being garbage-collected. */
const reading = new Set<StatementSyncInstance>();

/**
 * Rows and checksums of every table that means something in another store, in the order in which
 * the file has the rows.
 */
export async function figuresOf(
  database: DatabaseSyncInstance,
  onRows: (count: number) => void = () => undefined,
): Promise<TableFigures[]> {
  const figures: TableFigures[] = [];
  for (const table of tableNamesIn(database).filter(isCounted))
    figures.push(await tableFigures(database, table, onRows));
  return figures;
}

async function tableFigures(
  database: DatabaseSyncInstance,
  table: string,
  onRows: (count: number) => void,
): Promise<TableFigures> {
  // Leaves computed columns out, which "table_xinfo" would list.
  const columns = rows<{ name: string }>(database, `pragma table_info(${quoted(table)})`)
    .map(({ name }) => name)
    .sort();
  const statement = database.prepare(
    `select ${columns.map(quoted).join(', ')} from ${quoted(table)} not indexed`,
  );
  statement.setReturnArrays(true);

  reading.add(statement);
  try {
    return { table, ...(await rowFigures(statement.iterate(), onRows)) };
  } finally {
    reading.delete(statement);
  }
}

async function rowFigures(
  rowsOfTable: Iterable<unknown>,
  onRows: (count: number) => void,
): Promise<Omit<TableFigures, 'table'>> {
  const hash = createHash('sha256');
  let count = 0;
  let lines: string[] = [];
  for (const values of rowsOfTable) {
    lines.push(JSON.stringify(values), '\n');
    count++;
    if (count % ROWS_PER_TURN !== 0) continue;

    hash.update(lines.join(''));
    lines = [];
    onRows(ROWS_PER_TURN);
    await nextTurn();
  }

  hash.update(lines.join(''));
  onRows(count % ROWS_PER_TURN);
  return { rows: count, checksum: hash.digest('hex') };
}

export interface FigureDifference {
  readonly table: string;
  /** Null where there is no such table. */
  readonly expected: number | null;
  readonly found: number | null;
}

/** The tables that differ in rows or checksum. */
export function differencesOf(
  expected: readonly TableFigures[],
  found: readonly TableFigures[],
): FigureDifference[] {
  const foundByTable = new Map(found.map((each) => [each.table, each]));
  const expectedNames = new Set(expected.map(({ table }) => table));
  return [
    ...expected
      .filter(({ table, checksum }) => foundByTable.get(table)?.checksum !== checksum)
      .map(({ table, rows }) => ({
        table,
        expected: rows,
        found: foundByTable.get(table)?.rows ?? null,
      })),
    ...found
      .filter(({ table }) => !expectedNames.has(table))
      .map(({ table, rows }) => ({ table, expected: null, found: rows })),
  ];
}

/** What SQLite finds wrong in the file; null if it is intact. */
export function damageIn(database: DatabaseSyncInstance): string | null {
  const [first] = rows<{ integrity_check: string }>(database, 'pragma integrity_check(1)');
  return first?.integrity_check === 'ok' ? null : (first?.integrity_check ?? 'unreadable');
}

/** In hex. */
export async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(chunk);
  return hash.digest('hex');
}
