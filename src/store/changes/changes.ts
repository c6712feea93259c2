import type { ExpressionBuilder, Insertable, Selectable } from 'kysely';
import { lastOf } from '../../domain/items.ts';
import { preparedInsert } from '../queries/prepared-query.ts';
import type { ChangedRow, RowKey } from '../scope/recorded-rows.ts';
import type { CompanyDb, CompanyTables } from '../tables.ts';
import { changesWithParts, rowsOfParts } from './change-parts.ts';
import { decodeRows, encodeRows } from './changed-rows-text.ts';

type ChangeRow = Selectable<CompanyTables['changes']>;

export interface Change extends Omit<ChangeRow, 'changed_rows'> {
  /** Null for readings, whose rows are not recorded. */
  readonly rows: readonly ChangedRow[] | null;
}

type NewChange = Omit<Change, 'id'>;

const toChange = async ({ changed_rows, ...change }: ChangeRow): Promise<Change> => ({
  ...change,
  rows: changed_rows === null ? null : await decodeRows(changed_rows),
});

/** Reads the rows of their parts too. */
async function* toChanges(
  db: CompanyDb,
  stored: readonly ChangeRow[],
): AsyncGenerator<Change, void> {
  const inParts = await changesWithParts(
    db,
    stored.map(({ id }) => id),
  );
  for (const row of stored) {
    const change = await toChange(row);
    yield inParts.has(row.id)
      ? { ...change, rows: [...(change.rows ?? []), ...(await rowsOfParts(db, row.id))] }
      : change;
  }
}

const insertChangeRow = preparedInsert((db, row: Insertable<CompanyTables['changes']>) =>
  db.insertInto('changes').values(row).returning('id'),
);

/** Returns the id of the change, and the length of what it stores. */
export async function insertChange(
  db: CompanyDb,
  { rows, ...change }: NewChange,
): Promise<{ readonly id: number; readonly length: number }> {
  const text = rows && (await encodeRows(rows));
  const id = await insertChangeRow(db, { ...change, changed_rows: text });
  return { id, length: text?.length ?? 0 };
}

export async function changeById(db: CompanyDb, id: number): Promise<Change | null> {
  const row = await db.selectFrom('changes').selectAll().where('id', '=', id).executeTakeFirst();
  return row ? ((await toChanges(db, [row]).next()).value ?? null) : null;
}

/** For changes of which the parts may be many. */
export async function changeWithoutParts(db: CompanyDb, id: number): Promise<Change | null> {
  const row = await db.selectFrom('changes').selectAll().where('id', '=', id).executeTakeFirst();
  return row ? toChange(row) : null;
}

const NO_ROWS = JSON.stringify([]);

/**
 * A call that changed nothing is stored as a change without rows, only to record it as its caller's
 * latest call.
 */
const hasEffect = (eb: ExpressionBuilder<CompanyTables, 'changes'>) =>
  eb.or([
    eb('changed_rows', 'is', null),
    eb('changed_rows', '!=', NO_ROWS),
    eb.exists(
      eb
        .selectFrom('change_parts')
        .select('change_parts.part')
        .whereRef('change_parts.change_id', '=', 'changes.id'),
    ),
  ]);

export interface ChangesRange {
  /** Null begins with the newest change. */
  readonly beforeId: number | null;
  /** When they were made, in ms; `to` is excluded. */
  readonly from?: number;
  readonly to?: number;
}

/** A change may hold thousands of rows, so few are read before they are needed. */
const CHANGES_PER_QUERY = 10;

/** Newest first, until the reader ends. */
export async function* changesBefore(
  db: CompanyDb,
  { beforeId, from, to }: ChangesRange,
): AsyncGenerator<Change, void> {
  for (let before = beforeId; ; ) {
    let query = db
      .selectFrom('changes')
      .selectAll()
      .where(hasEffect)
      .orderBy('id', 'desc')
      .limit(CHANGES_PER_QUERY);
    if (before !== null) query = query.where('id', '<', before);
    if (from !== undefined) query = query.where('at', '>=', from);
    if (to !== undefined) query = query.where('at', '<', to);

    const stored = await query.execute();
    yield* toChanges(db, stored);

    if (stored.length < CHANGES_PER_QUERY) return;
    before = lastOf(stored).id;
  }
}

/** Ids of the caller's changes that had an effect and are not undos, newest first. */
export const ownChangesBefore = async (
  db: CompanyDb,
  caller: string,
  beforeId: number,
  limit: number,
): Promise<number[]> =>
  (
    await db
      .selectFrom('changes')
      .select('id')
      .where('caller', '=', caller)
      .where('undoes', 'is', null)
      .where(hasEffect)
      .where('id', '<', beforeId)
      .orderBy('id', 'desc')
      .limit(limit)
      .execute()
  ).map(({ id }) => id);

/** The caller's latest call, if it changed nothing. */
export async function latestChangeWithoutEffect(
  db: CompanyDb,
  caller: string,
): Promise<Change | null> {
  const newest = await db
    .selectFrom('changes')
    .selectAll()
    .where('caller', '=', caller)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (newest?.changed_rows !== NO_ROWS) return null;
  return (await changesWithParts(db, [newest.id])).size === 0 ? toChange(newest) : null;
}

export const newestChangeId = async (db: CompanyDb): Promise<number | null> =>
  (await db.selectFrom('changes').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst())
    ?.id ?? null;

/** Calls of one operation that follow each other without effect are stored once. */
export async function insertChangeWithoutEffect(
  db: CompanyDb,
  call: Omit<NewChange, 'rows'>,
): Promise<void> {
  const latest = await latestChangeWithoutEffect(db, call.caller);
  if (latest?.operation !== call.operation) await insertChange(db, { ...call, rows: [] });
}

/** The id of the change that undid this one; null if there is none, or if it was undone itself. */
export async function undoneBy(db: CompanyDb, id: number): Promise<number | null> {
  const undo = await db
    .selectFrom('changes')
    .select('id')
    .where('undoes', '=', id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return undo !== undefined && (await undoneBy(db, undo.id)) === null ? undo.id : null;
}

const PAGE_LENGTH = 200;

/** The oldest change after `afterId` that contains one of the rows. */
export async function firstChangeAfter(
  db: CompanyDb,
  afterId: number,
  rows: readonly { readonly table: string; readonly key: RowKey | null }[],
): Promise<Change | null> {
  const wanted = new Set(rows.map(({ table, key }) => `${table} ${key}`));
  for (let after = afterId; ; ) {
    const page = await db
      .selectFrom('changes')
      .selectAll()
      .where('id', '>', after)
      .orderBy('id')
      .limit(PAGE_LENGTH)
      .execute();
    for await (const change of toChanges(db, page)) {
      if (change.rows?.some(({ table, key }) => wanted.has(`${table} ${key}`))) return change;
    }

    if (page.length < PAGE_LENGTH) return null;
    after = lastOf(page).id;
  }
}
