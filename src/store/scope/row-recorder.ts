import {
  type DeleteQueryNode,
  type InsertQueryNode,
  type OperationNode,
  ReturningNode,
  type RootOperationNode,
  SelectionNode,
  SelectQueryNode,
  TableNode,
  type UpdateQueryNode,
  ValueNode,
  ValuesNode,
} from 'kysely';
import { firstOf } from '../../domain/items.ts';
import {
  type ChangedRow,
  isChange,
  isRecorded,
  isWholeRow,
  keyColumnsOf,
  keyOf,
  type RecordedTable,
  type RowImage,
  type RowKey,
  toImage,
} from './recorded-rows.ts';

type StoredRow = Readonly<Record<string, unknown>>;

type ReadImages = (
  table: RecordedTable,
  keys: readonly RowKey[],
) => Promise<ReadonlyMap<RowKey, RowImage>>;

/**
 * Collects the rows that the queries of a handle create, change or delete, as they were before the
 * first of these queries; null for a row that did not exist.
 */
export class RowRecorder {
  readonly #before = new Map<RecordedTable, Images>();
  /** Rows whose newest image is known: null for a deleted one. A row that is missing is read. */
  readonly #after = new Map<RecordedTable, Images>();
  /** Set by the operation that deletes the company: afterwards no response can be stored for it. */
  isCompanyDeleted = false;
  #company: { readonly id: number; readonly before: RowImage | null } | null = null;

  recordCompany(id: number, before: RowImage | null): void {
    this.#company ??= { id, before };
  }

  /** `rows` are as they were before an update, or when they were deleted. */
  recordBefore(
    table: RecordedTable,
    rows: readonly StoredRow[],
    { isDeletion }: { readonly isDeletion: boolean },
  ): void {
    const images = imagesOf(this.#after, table);
    for (const row of rows) {
      const key = keyOf(table, row);
      this.#record(table, key, toImage(table, row));
      if (isDeletion) images.set(key, null);
      else images.delete(key);
    }
  }

  recordInserted(
    table: RecordedTable,
    node: InsertQueryNode,
    returned: readonly StoredRow[],
  ): void {
    const images = imagesOf(this.#after, table);
    for (const key of insertedKeys(table, node, returned)) {
      this.#record(table, key, null);
      images.delete(key);
    }
    if (returned.every((row) => isWholeRow(table, row))) this.recordWhole(table, returned);
  }

  /** The rows that an insert has just stored, with all their columns. */
  recordWhole(table: RecordedTable, rows: readonly StoredRow[]): void {
    const images = imagesOf(this.#after, table);
    for (const row of rows) images.set(keyOf(table, row), toImage(table, row));
  }

  /** Must be called when rows of the table are written without being recorded. */
  readAgain(table: RecordedTable): void {
    this.#after.delete(table);
  }

  #record(table: RecordedTable, key: RowKey, before: RowImage | null): void {
    const rows = imagesOf(this.#before, table);
    if (!rows.has(key)) rows.set(key, before);
  }

  async changedRows(
    read: ReadImages,
    readCompany: (id: number) => Promise<RowImage | null>,
  ): Promise<ChangedRow[]> {
    const rows: ChangedRow[] = [];
    if (this.#company) {
      const { id, before } = this.#company;
      rows.push({ table: 'companies', key: id, before, after: await readCompany(id) });
    }

    for (const [table, images] of this.#before) {
      const known = imagesOf(this.#after, table);
      const unknown = [...images.keys()].filter((key) => !known.has(key));
      const stored = unknown.length === 0 ? known : await read(table, unknown);
      for (const [key, before] of images)
        rows.push({ table, key, before, after: known.get(key) ?? stored.get(key) ?? null });
    }

    return rows.filter(isChange);
  }
}

type Images = Map<RowKey, RowImage | null>;

function imagesOf(tables: Map<RecordedTable, Images>, table: RecordedTable): Images {
  const images = tables.get(table) ?? new Map();
  tables.set(table, images);
  return images;
}

type RecordedWrite =
  | { readonly table: RecordedTable; readonly insert: InsertQueryNode }
  | { readonly table: RecordedTable; readonly rowsBefore: SelectQueryNode }
  /** The deletion itself returns the rows, which need not be read before. */
  | { readonly table: RecordedTable; readonly deletion: DeleteQueryNode };

/** Null for a read, and for a write that is not recorded. */
export function recordedWrite(node: RootOperationNode): RecordedWrite | null {
  switch (node.kind) {
    case 'InsertQueryNode': {
      const table = node.into && recordedTableOf(node.into);
      return table ? { table, insert: node } : null;
    }
    case 'UpdateQueryNode': {
      const table = node.table && recordedTableOf(node.table);
      return table ? { table, rowsBefore: affectedRows(table, node) } : null;
    }
    case 'DeleteQueryNode': {
      const table = recordedTableOf(firstOf(node.from.froms));
      return table ? { table, deletion: returningRows(node) } : null;
    }
    default:
      return null;
  }
}

function recordedTableOf(source: OperationNode): RecordedTable | null {
  const name = tableNameOf(source);
  return name !== undefined && isRecorded(name) ? name : null;
}

const tableNameOf = (source: OperationNode | undefined): string | undefined =>
  source && TableNode.is(source) ? source.table.identifier.name : undefined;

/** Undefined for a read. */
export function writtenTable(node: RootOperationNode): string | undefined {
  switch (node.kind) {
    case 'InsertQueryNode':
      return tableNameOf(node.into);
    case 'UpdateQueryNode':
      return tableNameOf(node.table);
    case 'DeleteQueryNode':
      return tableNameOf(node.from.froms[0]);
    default:
      return undefined;
  }
}

const allColumns = [SelectionNode.createSelectAll()];

const returningRows = (node: DeleteQueryNode): DeleteQueryNode => ({
  ...node,
  returning: ReturningNode.create(allColumns),
});

function affectedRows(table: RecordedTable, { where }: UpdateQueryNode): SelectQueryNode {
  const allRows = SelectQueryNode.cloneWithSelections(
    SelectQueryNode.createFrom([TableNode.create(table)]),
    allColumns,
  );
  return where ? { ...allRows, where } : allRows;
}

function insertedKeys(
  table: RecordedTable,
  node: InsertQueryNode,
  returned: readonly StoredRow[],
): RowKey[] {
  const keyColumns = keyColumnsOf(table);
  const [first] = returned;
  if (first && keyColumns.every((column) => column in first))
    return returned.map((row) => keyOf(table, row));

  const names = (node.columns ?? []).map(({ column }) => column.name);
  if (
    !keyColumns.every((column) => names.includes(column)) ||
    !node.values ||
    !ValuesNode.is(node.values)
  )
    throw new Error(`An insert into ${table} must name or return ${keyColumns.join(' and ')}`);

  return node.values.values.map(({ values }) =>
    keyOf(table, Object.fromEntries(names.map((name, index) => [name, plainValue(values[index])]))),
  );
}

const plainValue = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && ValueNode.is(value as OperationNode)
    ? (value as ValueNode).value
    : value;
