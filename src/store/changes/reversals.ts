import type { Insertable } from 'kysely';
import { chunksOf } from '../../domain/groups.ts';
import { entryOf, firstOf } from '../../domain/items.ts';
import { preparedListQuery } from '../queries/prepared-query.ts';
import {
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
    for (const row of rows as readonly Record<string, unknown>[]) {
      const key = keyOf(table, row);
      if (wanted.has(key)) images.set(key, toImage(table, row));
    }
  }

  return images;
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

export async function writeReversal(db: CompanyDb, { table, from, to }: Reversal): Promise<void> {
  const name = table as 'users';
  const values = to as unknown as Insertable<CompanyTables['users']>;
  if (from === null) {
    await db.insertInto(name).values(values).execute();
    return;
  }

  const key = Object.fromEntries(keyColumnsOf(table).map((column) => [column, from[column]]));
  if (to === null)
    await db
      .deleteFrom(name)
      .where((eb) => eb.and(key))
      .execute();
  else
    await db
      .updateTable(name)
      .set(values)
      .where((eb) => eb.and(key))
      .execute();
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
