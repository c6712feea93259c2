import { entryOf, firstOf } from '../../domain/items.ts';
import { preparedInsert, preparedListQuery } from '../queries/prepared-query.ts';
import type { ChangedRow, RowImage } from '../scope/recorded-rows.ts';
import type { CompanyDb } from '../tables.ts';

// A parcel of thousands of probes has a watering for each. Their note is stored once, and so is it
// in the record of changes, whose rows refer to it as well. A watering whose note a person changed
// has a note of its own.

interface NoteColumns {
  readonly note: string | null;
  readonly note_id: number | null;
}

const insertNote = preparedInsert((db, row: { readonly note: string }) =>
  db.insertInto('irrigation_notes').values(row).returning('id'),
);

/** For new rows of one irrigation, which have the same note. */
export async function withSharedNote<Row extends NoteColumns>(
  db: CompanyDb,
  rows: readonly Row[],
): Promise<readonly Row[]> {
  const note = rows.length > 1 ? firstOf(rows).note : null;
  if (note === null) return rows;

  const noteId = await insertNote(db, { note });
  return rows.map((row) => ({ ...row, note: null, note_id: noteId }));
}

const notesWithIds = preparedListQuery((db, ids) =>
  db.selectFrom('irrigation_notes').select(['id', 'note']).where('id', 'in', ids),
);

async function notesById(
  db: CompanyDb,
  ids: Iterable<number>,
): Promise<ReadonlyMap<number, string>> {
  const notes = await notesWithIds(db, [...new Set(ids)]);
  return new Map(notes.map(({ id, note }) => [id, note]));
}

export const sharedNote = async (db: CompanyDb, id: number): Promise<string | null> =>
  (await notesById(db, [id])).get(id) ?? null;

const sharedNoteIds = (rows: Iterable<{ readonly note_id?: unknown } | null>): number[] =>
  [...rows].flatMap((row) => (typeof row?.note_id === 'number' ? [row.note_id] : []));

/** The rows with the note that they share written into each. */
export async function withOwnNotes<Row extends NoteColumns>(
  db: CompanyDb,
  rows: readonly Row[],
): Promise<readonly Row[]> {
  const notes = await notesById(db, sharedNoteIds(rows));
  if (notes.size === 0) return rows;
  return rows.map((row) =>
    row.note_id === null ? row : { ...row, note: entryOf(notes, row.note_id) },
  );
}

/** The same for rows that a change has recorded, of any table. */
export async function changedRowsWithNotes(
  db: CompanyDb,
  rows: readonly ChangedRow[],
): Promise<readonly ChangedRow[]> {
  const notes = await notesById(
    db,
    sharedNoteIds(rows.flatMap(({ before, after }) => [before, after])),
  );
  if (notes.size === 0) return rows;

  const withNote = (image: RowImage | null): RowImage | null =>
    typeof image?.note_id === 'number' ? { ...image, note: entryOf(notes, image.note_id) } : image;
  return rows.map((row) => ({ ...row, before: withNote(row.before), after: withNote(row.after) }));
}
