import type { Advisory } from '../../schema/advisory.ts';
import type { ChangeEffects } from '../../schema/changes/change.ts';
import { type Change, changeById, undoneBy } from '../../store/changes/changes.ts';
import { wateringsOfSchedulesSince } from '../../store/changes/later-uses.ts';
import { unwrittenRows } from '../../store/changes/pending-parts.ts';
import { type RowAsStored, withStoredImages } from '../../store/changes/reversals.ts';
import { type ChangedRow, isRecorded, isSameImage } from '../../store/scope/recorded-rows.ts';
import type { CompanyDb } from '../../store/tables.ts';
import type { Caller } from '../authorization.ts';
import { effectsOfRows } from './change-bodies.ts';

/** More would not be said. */
const MAX_ROWS = 3;

interface WrittenRows {
  readonly effects: ChangeEffects;
  /** Says if they were undone or changed since; null if they stand. */
  readonly fate: Advisory | null;
}

/**
 * The rows that a change wrote, and what became of them; null for readings, whose rows are not
 * recorded.
 */
export async function rowsSince(
  db: CompanyDb,
  caller: Caller,
  changeId: number,
): Promise<WrittenRows | null> {
  const change = await changeById(db, changeId);
  if (change?.rows == null) return null;

  const pending = await unwrittenRows(db);
  const changedRows = pending.undoId === changeId ? [...change.rows, ...pending.rows] : change.rows;
  const effects = await effectsOfRows(db, changedRows, caller, MAX_ROWS);
  // The row of a company is left out: no key has it.
  const rows = changedRows.flatMap(({ table, ...row }) =>
    isRecorded(table) ? [{ table, ...row }] : [],
  );
  const current = asIfWritten(await withStoredImages(db, rows), pending.rows);
  const undoId = await undoneBy(db, changeId);
  const undo = undoId === null ? null : await changeById(db, undoId);
  if (undo !== null) {
    const isOfStored = change.rows.every(({ before }) => before !== null);
    const fate = await undoneSince(db, { at: change.at, undo, current, isOfStored });
    return { effects, fate };
  }

  const differing = current.flatMap(({ row: { after, ...row }, image }) =>
    isSameImage(image, after) ? [] : [{ ...row, before: after, after: image }],
  );
  if (differing.length === 0) return { effects, fate: null };

  // A header has little room.
  const changed = await effectsOfRows(db, differing, caller, 1);
  return { effects, fate: { kind: 'changed_since', effects: changed } };
}

/** A process that died has left rows to be written, which is no later change of them. */
function asIfWritten<Row extends Pick<ChangedRow, 'table' | 'key'>>(
  stored: readonly RowAsStored<Row>[],
  pending: readonly ChangedRow[],
): readonly RowAsStored<Row>[] {
  if (pending.length === 0) return stored;
  const pendingByKey = new Map(pending.map((row) => [`${row.table} ${row.key}`, row]));
  return stored.map(({ row, image }) => {
    const written = pendingByKey.get(`${row.table} ${row.key}`);
    return written && isSameImage(image, written.before)
      ? { row, image: written.after }
      : { row, image };
  });
}

interface UndoneRows {
  /** When they were written. */
  readonly at: number;
  readonly undo: Change;
  readonly current: readonly RowAsStored<ChangedRow>[];
  readonly isOfStored: boolean;
}

/** An undo leaves the waterings that had begun, and with them a schedule that the change added. */
async function undoneSince(
  db: CompanyDb,
  { at, undo, current, isOfStored }: UndoneRows,
): Promise<Advisory> {
  const schedules = current.filter(({ row }) => row.table === 'schedules');
  const added = schedules.filter(({ row }) => row.before === null);
  const changed = schedules.filter(({ row }) => row.before !== null);
  const recorded = [
    ...(await wateringsOfSchedulesSince(db, idsOf(added), Number.MIN_SAFE_INTEGER, undo.at)),
    ...(await wateringsOfSchedulesSince(db, idsOf(changed), at, undo.at)),
  ];

  return {
    kind: 'undone_since',
    changeId: undo.id,
    keptWaterings: recorded.filter(({ startedAt }) => startedAt <= undo.at).length,
    isScheduleKept: added.some(({ image }) => image !== null),
    isOfStored,
  };
}

const idsOf = (schedules: UndoneRows['current']): number[] =>
  schedules.map(({ row }) => Number(row.key));
