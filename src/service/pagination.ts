import { lastOf } from '../domain/items.ts';
import { invalidInputError } from '../schema/error.ts';
import { CURSOR_HINT } from '../schema/shared-fields.ts';

const invalidCursorError = () =>
  invalidInputError(
    'invalid_cursor',
    'The next page that was asked for does not belong to this list.',
    {
      hint: CURSOR_HINT,
      field: 'cursor',
    },
  );

export type ListKey = readonly [name: string, companyId: number];

export const encodeCursor = (list: ListKey, position: readonly number[]): string =>
  Buffer.from(JSON.stringify([...list, ...position])).toString('base64url');

export function decodeCursor(
  list: ListKey,
  cursor: string | undefined,
  length: number,
): number[] | null {
  if (cursor === undefined) return null;

  let decoded: unknown;
  try {
    decoded = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    throw invalidCursorError();
  }

  const position: unknown[] = Array.isArray(decoded) ? decoded.slice(list.length) : [];
  if (position.length !== length || !position.every(Number.isSafeInteger))
    throw invalidCursorError();
  // Decoding ignores stray characters, so only a text that encodes to itself is a valid cursor.
  if (encodeCursor(list, position as number[]) !== cursor) throw invalidCursorError();

  return position as number[];
}

/** The id that a page of rows in the order of their ids follows; ids begin at 1. */
export const idBeforePage = (list: ListKey, cursor: string | undefined): number =>
  decodeCursor(list, cursor, 1)?.[0] ?? 0;

/** `rows` has one row more than the page if more follow. */
export function toPage<T>(
  list: ListKey,
  rows: readonly T[],
  limit: number,
  positionOf: (row: T) => readonly number[],
): { data: T[]; next_cursor: string | null } {
  const data = rows.slice(0, limit);
  const hasMore = rows.length > limit && data.length > 0;
  return { data, next_cursor: hasMore ? encodeCursor(list, positionOf(lastOf(data))) : null };
}
