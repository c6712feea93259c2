import type { ExpressionBuilder } from 'kysely';
import { chunksOf, groupBy } from '../../domain/groups.ts';
import { entryOf, firstOf, withoutNulls } from '../../domain/items.ts';
import { preparedListQuery, preparedRowInserts } from '../queries/prepared-query.ts';
import { valuesByKey } from '../queries/values-by-key.ts';
import {
  type ChangedRow,
  firstKeyValueOf,
  keyColumnsOf,
  keyOf,
  type RecordedTable,
  type RowImage,
  type RowKey,
  recordedTables,
  toImage,
} from '../scope/recorded-rows.ts';
import type { CompanyDb, CompanyTables } from '../tables.ts';

// Kysely cannot infer columns from a table name that is generic: 'users' and 'id' represent any of
// these tables.

const rowsByKey = new Map(
  recordedTables.map((table) => [
    table,
    // The first key is a number or a text, depending on the table.
    preparedListQuery((db, firstKeys: readonly RowKey[]) =>
      db
        .selectFrom(table as 'users')
        .selectAll()
        .where(firstOf(keyColumnsOf(table)) as 'id', 'in', firstKeys as readonly number[]),
    ),
  ]),
);

/** Rows of one statement on SQLite, largest first. */
const INSERT_SIZES = [100, 10, 1];

const newInserts = (table: RecordedTable) =>
  preparedRowInserts(INSERT_SIZES, (db, rows: readonly RowImage[]) =>
    db
      .insertInto(table)
      .values(rows)
      // Whole rows are returned, so that the undo that records them reads them no second time.
      .returningAll(),
  );

/**
 * By table and columns: an earlier version may have recorded rows before their table got a column.
 */
const preparedInserts = new Map<string, ReturnType<typeof newInserts>>();

function insertsOf(table: RecordedTable, image: RowImage): ReturnType<typeof newInserts> {
  const id = `${table} ${Object.keys(image)}`;
  const inserts = preparedInserts.get(id) ?? newInserts(table);
  preparedInserts.set(id, inserts);
  return inserts;
}

const KEYS_PER_QUERY = 500;

/** The rows with these keys as they are stored now; deleted ones are left out. */
export async function storedImages(
  db: CompanyDb,
  table: RecordedTable,
  keys: readonly RowKey[],
): Promise<Map<RowKey, RowImage>> {
  const images = new Map<RowKey, RowImage>();
  const wanted = new Set(keys);
  const firstKeys = [...new Set(keys.map((key) => firstKeyValueOf(table, key)))];

  for (const chunk of chunksOf(firstKeys, KEYS_PER_QUERY)) {
    const rows = await entryOf(rowsByKey, table)(db, chunk);
    for (const row of rows) {
      const key = keyOf(table, row);
      if (wanted.has(key)) images.set(key, toImage(table, row));
    }
  }

  return images;
}

interface RecordedRow {
  readonly table: RecordedTable;
  readonly key: RowKey;
}

export interface RowAsStored<Row> {
  readonly row: Row;
  /** Null if it does not exist. */
  readonly image: RowImage | null;
}

export async function withStoredImages<Row extends RecordedRow>(
  db: CompanyDb,
  rows: readonly Row[],
): Promise<RowAsStored<Row>[]> {
  const found: RowAsStored<Row>[] = [];
  for (const [table, group] of groupBy(rows, (row) => row.table)) {
    const keys = group.map(({ key }) => key);
    const images = await storedImages(db, table, keys);
    for (const row of group) found.push({ row, image: images.get(row.key) ?? null });
  }
  return found;
}

/** Takes one row back to what it was; null stands for a row that does not exist. */
export interface Reversal {
  readonly table: RecordedTable;
  readonly key: RowKey;
  /** The row as it is now. */
  readonly from: RowImage | null;
  /** The row as it was before the change. */
  readonly to: RowImage | null;
}

/** Leaves out the row of the company, which belongs to no company. */
export const toReversals = (rows: readonly ChangedRow[]): Reversal[] =>
  rows.flatMap(({ table, key, before: to, after: from }): Reversal[] =>
    table === 'companies' ? [] : [{ table, key, from, to }],
  );

/** For an update, or a deletion by several key columns: a value or a condition for each row. */
const ROWS_PER_STATEMENT = 100;
/** For a deletion by one key column. */
const ROWS_PER_LIST = 500;
const ROWS_PER_INSERT = 5_000;

function rowsPerStatement({ table, from, to }: Reversal): number {
  if (from === null) return ROWS_PER_INSERT;
  return to === null && keyColumnsOf(table).length === 1 ? ROWS_PER_LIST : ROWS_PER_STATEMENT;
}

/** Reversals that do the same to rows of a table share statements. */
export async function writeReversals(db: CompanyDb, reversals: readonly Reversal[]): Promise<void> {
  const groups = groupBy(
    inWritingOrder(reversals),
    (reversal) => `${reversal.table} ${kindOf(reversal)}`,
  );
  for (const [, group] of groups)
    for (const chunk of chunksOf(group, rowsPerStatement(firstOf(group))))
      await writeAlike(db, chunk);
}

/**
 * Removals come first, starting with rows that refer to others; additions come last, starting with
 * rows to which others refer. In `recordedTables`, a table comes after those to which it refers.
 */
function inWritingOrder(reversals: readonly Reversal[]): Reversal[] {
  const position = ({ table }: Reversal): number => recordedTables.indexOf(table);
  const sorted = [...reversals].sort((a, b) => position(a) - position(b));
  return [
    ...sorted.filter(({ to }) => to === null).reverse(),
    ...sorted.filter(({ from, to }) => from !== null && to !== null),
    ...sorted.filter(({ from }) => from === null),
  ];
}

/** One statement sets the same columns; of rows with several key columns, to the same values. */
function kindOf({ table, from, to }: Reversal): string {
  if (from === null) return `insert ${Object.keys(to ?? {})}`;
  if (to === null) return 'delete';
  const changes = changedColumns(from, to);
  return JSON.stringify(keyColumnsOf(table).length === 1 ? Object.keys(changes) : changes);
}

const changedColumns = (from: RowImage, to: RowImage): RowImage =>
  Object.fromEntries(Object.entries(to).filter(([column, value]) => from[column] !== value));

async function writeAlike(db: CompanyDb, alike: readonly Reversal[]): Promise<void> {
  const { table, from, to } = firstOf(alike);
  if (from === null) {
    const images = withoutNulls(alike.map((reversal) => reversal.to));
    await insertsOf(table, firstOf(images))(db, images);
    return;
  }

  const keys = alike.map((reversal) =>
    keyColumnsOf(table).map((column) => reversal.from?.[column]),
  );
  const isOneOf = (eb: ExpressionBuilder<CompanyTables, 'users'>) => {
    const columns = keyColumnsOf(table) as readonly 'id'[];
    return columns.length === 1
      ? eb(firstOf(columns), 'in', keys.map(firstOf) as number[])
      : eb.or(
          keys.map((key) =>
            eb.and(columns.map((column, at) => eb(column, '=', key[at] as number))),
          ),
        );
  };

  if (to === null) await db.deleteFrom(table).where(isOneOf).execute();
  else {
    const changes = Object.fromEntries(
      Object.keys(changedColumns(from, to)).map((column) => [column, valueForAll(alike, column)]),
    );
    if (Object.keys(changes).length > 0)
      await db.updateTable(table).set(changes).where(isOneOf).execute();
  }
}

function valueForAll(alike: readonly Reversal[], column: string) {
  const values = new Map(alike.map(({ key, to }) => [key, to?.[column] ?? null]));
  const [first, ...others] = new Set(values.values());
  return others.length === 0
    ? first
    : valuesByKey(firstOf(keyColumnsOf(firstOf(alike).table)), values);
}

/** The SQLSTATEs of PostgreSQL for a missing or remaining reference and for a repeated value. */
const FOREIGN_KEY_VIOLATION = '23503';
const UNIQUE_VIOLATION = '23505';

/** A unique key or a foreign key was violated, in SQLite or PostgreSQL. */
export function isConstraintViolation(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (/^(?:UNIQUE|FOREIGN KEY) constraint failed/.test(error.message)) return true;
  const code = 'code' in error ? error.code : undefined;
  return code === FOREIGN_KEY_VIOLATION || code === UNIQUE_VIOLATION;
}
