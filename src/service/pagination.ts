import { invalidInput } from '../schema/error.ts';

const invalidCursor = () =>
  invalidInput('invalid_cursor', 'The cursor is not one of this list.', {
    hint: 'Pass next_cursor of the same list unchanged, or leave cursor out to begin anew.',
    field: 'cursor',
  });

/** A list, and the company whose rows it holds. */
export type ListKey = readonly [name: string, companyId: number];

/** An opaque mark of the last row of a page: the list it belongs to and that row's place in its order. */
export const encodeCursor = (list: ListKey, position: readonly number[]): string =>
  Buffer.from(JSON.stringify([...list, ...position])).toString('base64url');

/** The place behind a cursor of that list, or null where none was given; one of another list or company, or a broken one, is refused. */
export function decodeCursor(list: ListKey, cursor: string | undefined, length: number): number[] | null {
  if (cursor === undefined) return null;
  let decoded: unknown;
  try {
    decoded = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    throw invalidCursor();
  }
  const position: unknown[] = Array.isArray(decoded) ? decoded.slice(list.length) : [];
  if (position.length !== length || !position.every(Number.isSafeInteger)) throw invalidCursor();
  // Decoding overlooks stray characters, so only what encodes to the very same text was ours.
  if (encodeCursor(list, position as number[]) !== cursor) throw invalidCursor();
  return position as number[];
}

/** A page from one row more than it holds: the rows, and the cursor after the last where more follow. */
export function toPage<T>(
  list: ListKey,
  rows: readonly T[],
  limit: number,
  placeOf: (row: T) => readonly number[],
): { data: T[]; next_cursor: string | null } {
  const data = rows.slice(0, limit);
  const more = rows.length > limit && data.length > 0;
  return { data, next_cursor: more ? encodeCursor(list, placeOf(data.at(-1)!)) : null };
}
