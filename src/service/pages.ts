import { refuse } from '../schema/error.ts';

const broken = () =>
  refuse('invalid_cursor', 'The cursor is not one of this list.', {
    hint: 'Pass next_cursor of the same list unchanged, or leave cursor out to begin anew.',
    field: 'cursor',
  });

/** A list, and the company whose rows it holds. */
export type CompanyList = readonly [name: string, companyId: number];

/** An opaque mark of the last row of a page: the list it belongs to and that row's place in its order. */
export const cursorAfter = (list: CompanyList, place: readonly number[]): string =>
  Buffer.from(JSON.stringify([...list, ...place])).toString('base64url');

/** The place behind a cursor of that list, or null where none was given; one of another list or company, or a broken one, is refused. */
export function placeOfCursor(list: CompanyList, cursor: string | undefined, length: number): number[] | null {
  if (cursor === undefined) return null;
  let read: unknown;
  try {
    read = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    throw broken();
  }
  const place: unknown[] = Array.isArray(read) ? read.slice(list.length) : [];
  if (place.length !== length || !place.every(Number.isSafeInteger)) throw broken();
  // Decoding overlooks stray characters, so only what encodes to the very same text was ours.
  if (cursorAfter(list, place as number[]) !== cursor) throw broken();
  return place as number[];
}

/** A page from one row more than it holds: the rows, and the cursor after the last where more follow. */
export function pageOf<T>(
  list: CompanyList,
  rows: readonly T[],
  limit: number,
  placeOf: (row: T) => readonly number[],
): { data: T[]; next_cursor: string | null } {
  const data = rows.slice(0, limit);
  const more = rows.length > limit && data.length > 0;
  return { data, next_cursor: more ? cursorAfter(list, placeOf(data.at(-1)!)) : null };
}
