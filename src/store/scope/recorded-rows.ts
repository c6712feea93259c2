import { entryOf, firstOf, withoutNulls } from '../../domain/items.ts';
import {
  CHANGED_TABLES,
  type ChangedTable,
  isChangedTable,
  TABLES,
} from '../../schema/tables/index.ts';
import type { Table } from '../../schema/tables/table.ts';

/** A stored row as changes record it, without derived columns. */
export type RowImage = Readonly<Record<string, string | number | null>>;

/** The value of the key column, or the values of several key columns as one text. */
export type RowKey = number | string;

export type RecordedTable = Exclude<ChangedTable, 'companies'>;

export const isRecorded = (table: string): table is RecordedTable =>
  isChangedTable(table) && table !== 'companies';

/** Each follows those to which it refers. */
export const recordedTables: readonly RecordedTable[] = CHANGED_TABLES.filter(isRecorded);

export const keyColumnsOf = (table: RecordedTable): readonly string[] => TABLES[table].key;

type StoredRow = Readonly<Record<string, unknown>>;

/** Values of a composite key are separated by a space. */
export function keyOf(table: RecordedTable, row: StoredRow): RowKey {
  const columns = keyColumnsOf(table);
  return columns.length === 1
    ? (row[firstOf(columns)] as RowKey)
    : columns.map((column) => row[column]).join(' ');
}

/** The value of the first key column, which is an integer where the key has several columns. */
export const firstKeyValueOf = (table: RecordedTable, key: RowKey): RowKey =>
  keyColumnsOf(table).length > 1 ? Number(String(key).split(' ')[0]) : key;

const recordedColumns: ReadonlyMap<RecordedTable, readonly string[]> = new Map(
  recordedTables.map((table) => {
    const { columns }: Table = TABLES[table];
    return [table, Object.keys(columns).filter((name) => columns[name]?.properties.isRecorded)];
  }),
);

/** Thousands of rows of a large parcel are taken while the write lock is held. */
export function toImage(table: RecordedTable, row: StoredRow): RowImage {
  const image: Record<string, unknown> = {};
  for (const name of entryOf(recordedColumns, table)) if (name in row) image[name] = row[name];
  return image as RowImage;
}

/** It has all columns that `toImage` copies. */
export const isWholeRow = (table: RecordedTable, row: StoredRow): boolean =>
  entryOf(recordedColumns, table).every((name) => name in row);

/** A planned watering is derived from its schedule until a person edits it. */
const isDerivedRow = (table: ChangedTable, image: RowImage): boolean =>
  table === 'waterings' &&
  image.schedule_id !== null &&
  image.is_detached === 0 &&
  image.status === 'planned';

export interface ChangedRow {
  readonly table: ChangedTable;
  readonly key: RowKey;
  /** Null before its creation. */
  readonly before: RowImage | null;
  /** Null after its deletion. */
  readonly after: RowImage | null;
}

/** Ignores columns that the table got after `image` was recorded. */
export const isSameImage = (stored: RowImage | null, image: RowImage | null): boolean =>
  stored === null || image === null
    ? stored === image
    : Object.entries(image).every(([column, value]) => stored[column] === value);

export function isChange({ table, before, after }: ChangedRow): boolean {
  if (isSameImage(before, after)) return false;
  return withoutNulls([before, after]).some((image) => !isDerivedRow(table, image));
}
