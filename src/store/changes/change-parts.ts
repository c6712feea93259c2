import { lastOf } from '../../domain/items.ts';
import { rowsOfText } from '../../domain/shares/daily-rows.ts';
import { announceChange } from '../company-changes.ts';
import type { ChangedRow } from '../scope/recorded-rows.ts';
import type { RowRecorder } from '../scope/row-recorder.ts';
import type { CompanyDb } from '../tables.ts';
import { modulesOfRows } from './changed-modules.ts';
import { decodeRows, encodeRows } from './changed-rows-text.ts';
import { storedImages } from './reversals.ts';

// The rows of a change are one text. A change that takes several transactions has a part for each of
// them, because a text that grows would be written anew each time.

/** Bounds the texts in memory; a part has hundreds of rows. */
const PARTS_PER_QUERY = 20;

export interface ChangePart {
  readonly part: number;
  readonly rows: readonly ChangedRow[];
}

/** A part in the form in which it is stored. */
export interface NewPart {
  readonly rowCount: number;
  readonly text: string;
}

/** Takes some milliseconds for a thousand rows: best done before the write lock is taken. */
export const encodePart = async (rows: readonly ChangedRow[]): Promise<NewPart> => ({
  rowCount: rows.length,
  text: await encodeRows(rows),
});

/** Counts the row of the part itself too. */
export const rowsOfPart = ({ rowCount, text }: NewPart): number =>
  rowCount + rowsOfText(text.length);

/** `last` is the number of the last part that the change has. */
export async function addParts(
  db: CompanyDb,
  changeId: number,
  last: number,
  parts: readonly NewPart[],
): Promise<void> {
  const rows = parts.map(({ rowCount, text }, index) => ({
    change_id: changeId,
    part: last + 1 + index,
    row_count: rowCount,
    changed_rows: text,
  }));
  await db.insertInto('change_parts').values(rows).execute();
}

/** Adds what the recorder has recorded, if that is anything. */
export async function addChangePart(
  db: CompanyDb,
  changeId: number,
  recorder: RowRecorder,
): Promise<void> {
  const rows = await recorder.changedRows(
    (table, keys) => storedImages(db, table, keys),
    async () => null,
  );
  if (rows.length === 0) return;

  const last = await db
    .selectFrom('change_parts')
    .select('part')
    .where('change_id', '=', changeId)
    .orderBy('part', 'desc')
    .limit(1)
    .executeTakeFirst();
  await addParts(db, changeId, last?.part ?? 0, [await encodePart(rows)]);
  announceChange(db, modulesOfRows(rows));
}

/** The parts after the one with this number, in order. */
export async function* partsOfChange(
  db: CompanyDb,
  changeId: number,
  afterPart = 0,
  perQuery = PARTS_PER_QUERY,
): AsyncGenerator<ChangePart, void> {
  for (let after = afterPart; ; ) {
    const stored = await db
      .selectFrom('change_parts')
      .select(['part', 'changed_rows'])
      .where('change_id', '=', changeId)
      .where('part', '>', after)
      .orderBy('part')
      .limit(perQuery)
      .execute();
    for (const { part, changed_rows } of stored)
      yield { part, rows: await decodeRows(changed_rows) };

    if (stored.length < perQuery) return;
    after = lastOf(stored).part;
  }
}

/** `before` is 0 for the last of all. */
export async function lastPartBefore(
  db: CompanyDb,
  changeId: number,
  before: number,
): Promise<ChangePart | null> {
  let query = db
    .selectFrom('change_parts')
    .select(['part', 'changed_rows'])
    .where('change_id', '=', changeId);
  if (before > 0) query = query.where('part', '<', before);
  const stored = await query.orderBy('part', 'desc').limit(1).executeTakeFirst();
  return stored ? { part: stored.part, rows: await decodeRows(stored.changed_rows) } : null;
}

export async function rowsOfParts(db: CompanyDb, changeId: number): Promise<ChangedRow[]> {
  const rows: ChangedRow[] = [];
  for await (const part of partsOfChange(db, changeId)) rows.push(...part.rows);
  return rows;
}

export async function rowCountOfParts(db: CompanyDb, changeId: number): Promise<number> {
  const { count } = await db
    .selectFrom('change_parts')
    .select(({ fn }) => fn.sum<number | null>('row_count').as('count'))
    .where('change_id', '=', changeId)
    .executeTakeFirstOrThrow();
  return Number(count ?? 0);
}

/** The ids of the changes that have parts. */
export async function changesWithParts(
  db: CompanyDb,
  changeIds: readonly number[],
): Promise<ReadonlySet<number>> {
  if (changeIds.length === 0) return new Set();
  const rows = await db
    .selectFrom('change_parts')
    .select('change_id')
    .distinct()
    .where('change_id', 'in', changeIds)
    .execute();
  return new Set(rows.map((row) => row.change_id));
}
