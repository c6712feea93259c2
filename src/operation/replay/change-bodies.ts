import type {
  ChangeAction,
  ChangedRowBody,
  ChangeEffects,
  UndoneChangeBody,
} from '../../schema/changes/change.ts';
import type { Scope } from '../../schema/scope.ts';
import type { Column } from '../../schema/tables/column.ts';
import { type ChangedKind, TABLES } from '../../schema/tables/index.ts';
import type { Table } from '../../schema/tables/table.ts';
import type { Change } from '../../store/changes/changes.ts';
import { allUsers } from '../../store/company/companies.ts';
import { changedRowsWithNotes } from '../../store/irrigation/irrigation-notes.ts';
import { camelRow } from '../../store/queries/camel-row.ts';
import { bodyOfValue, valueOfCell } from '../../store/queries/cells.ts';
import type { ChangedRow, RowImage } from '../../store/scope/recorded-rows.ts';
import type { CompanyDb } from '../../store/tables.ts';
import type { Caller } from '../authorization.ts';
import type { Call } from '../call.ts';

/** Null for a row that is not listed. */
const kindOf = ({ table }: Pick<ChangedRow, 'table'>): ChangedKind | null =>
  TABLES[table].changes.kind;

export const scopeToRead = (table: ChangedRow['table']): Scope => TABLES[table].changes.readScope;

export const mayReadRow = (
  caller: Pick<Caller, 'scopes'>,
  { table }: Pick<ChangedRow, 'table'>,
): boolean => caller.scopes.includes(scopeToRead(table));

export async function changeBodies({ db, caller }: Pick<Call, 'db' | 'caller'>, mostRows?: number) {
  const users = new Map((await allUsers(db)).map(({ id, name }) => [id, name]));
  return async (change: Change): Promise<UndoneChangeBody> => {
    return {
      id: change.id,
      at: new Date(change.at).toISOString(),
      operation: change.operation,
      surface: change.channel,
      userName: change.user_id === null ? null : (users.get(change.user_id) ?? null),
      undoes: change.undoes,
      effects: await effectsOfRows(db, change.rows ?? [], caller, mostRows),
    };
  };
}

/** Counts all rows, and lists those that the caller may read. */
export async function effectsOfRows(
  db: CompanyDb,
  changedRows: readonly ChangedRow[],
  caller: Pick<Caller, 'scopes'>,
  mostRows?: number,
): Promise<ChangeEffects> {
  const counts: Record<string, number> = {};
  countEffects(changedRows, counts);
  const listed: ChangedRow[] = [];
  for (const row of changedRows) {
    if (listed.length === mostRows) break;
    if (kindOf(row) !== null && mayReadRow(caller, row)) listed.push(row);
  }

  const rows = (await changedRowsWithNotes(db, listed)).flatMap((row) => {
    const kind = kindOf(row);
    return kind === null ? [] : [rowBody(row, kind)];
  });
  return { counts, rows };
}

function actionOf({ before, after }: ChangedRow): ChangeAction {
  if (before === null) return 'added';
  return after === null ? 'removed' : 'changed';
}

/** Adds to the counts of rows by kind and action. */
export function countEffects(rows: readonly ChangedRow[], counts: Record<string, number>): void {
  for (const row of rows) {
    const kind = kindOf(row);
    if (kind === null) continue;
    const effect = `${kind} ${actionOf(row)}`;
    counts[effect] = (counts[effect] ?? 0) + 1;
  }
}

/** Listed even if unchanged, because they identify the row. */
const IDENTIFYING_COLUMNS = [
  'module_id',
  'target_module_id',
  'parcel_id',
  'target_parcel_id',
  'started_at',
];

function rowBody(row: ChangedRow, kind: ChangedKind): ChangedRowBody {
  const { table, key, before, after } = row;

  const differs = (column: string): boolean =>
    before === null ||
    after === null ||
    before[column] !== after[column] ||
    IDENTIFYING_COLUMNS.includes(column);

  return {
    kind,
    id: String(key),
    before: fieldsOf(table, before, differs),
    after: fieldsOf(table, after, differs),
  };
}

/** A watering on a probe has no parcel of its own. */
const isAbsent = (table: ChangedRow['table'], name: string, value: unknown): boolean =>
  table === 'waterings' && name === 'parcel_id' && value === null;

/** Not listed: the number of the row in the order of creation, and where its note is stored. */
const UNLISTED_COLUMNS = ['seq', 'note_id'];

function fieldsOf(
  table: ChangedRow['table'],
  image: RowImage | null,
  isListedColumn: (column: string) => boolean,
): Record<string, unknown> | null {
  if (image === null) return null;
  const { columns }: Table = TABLES[table];
  const entries = Object.entries(image).filter(
    ([name, value]) =>
      !UNLISTED_COLUMNS.includes(name) && !isAbsent(table, name, value) && isListedColumn(name),
  );
  return camelRow(
    Object.fromEntries(entries.map(([name, value]) => [name, bodyOfCell(columns[name], value)])),
  );
}

/** The stored value stands for a column that the table no longer has. */
const bodyOfCell = (column: Column | undefined, cell: RowImage[string]): unknown =>
  column ? bodyOfValue(column.properties, valueOfCell(column.properties, cell)) : cell;
