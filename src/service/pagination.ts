import { MAX_PAGE_BYTES } from '../domain/shares/bounded-things.ts';
import { sliceOf } from '../domain/shares/loop-turns.ts';
import { companyTaker } from '../domain/shares/takers.ts';
import { say } from '../domain/text/say.ts';
import { invalidInputError } from '../schema/error.ts';
import { CURSOR_HINT } from '../schema/shared-fields.ts';

const invalidCursorError = () =>
  invalidInputError(
    'invalid_cursor',
    say`The next page that was asked for does not belong to this list.`,
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
  if (position.length !== length || !position.every(isWholeNumber)) throw invalidCursorError();
  // Decoding ignores stray characters, so only a text that encodes to itself is a valid cursor.
  if (encodeCursor(list, position) !== cursor) throw invalidCursorError();

  return position;
}

/** The id that a page of rows in the order of their ids follows; ids begin at 1. */
export const idBeforePage = (list: ListKey, cursor: string | undefined): number =>
  decodeCursor(list, cursor, 1)?.[0] ?? 0;

interface PageOf<Row, Body> {
  readonly limit: number;
  readonly positionOf: (row: Row) => readonly number[];
  readonly bodyOf: (row: Row) => Body | Promise<Body>;
}

/**
 * Ends a page at `limit` rows or at MAX_PAGE_BYTES, and reads no more rows than one that shows
 * whether others follow.
 */
export async function toPage<Row, Body>(
  list: ListKey,
  rows: Iterable<Row> | AsyncIterable<Row>,
  { limit, positionOf, bodyOf }: PageOf<Row, Body>,
): Promise<{ data: Body[]; next_cursor: string | null }> {
  const data: Body[] = [];
  let bytes = 0;
  let position: readonly number[] = [];
  const [, companyId] = list;
  const slice = sliceOf(companyTaker(companyId));
  const untilHere = () => ({ data, next_cursor: encodeCursor(list, position) });

  for await (const row of rows) {
    if (data.length >= limit) return untilHere();
    const body = await bodyOf(row);
    bytes += Buffer.byteLength(JSON.stringify(body));
    if (bytes > MAX_PAGE_BYTES && data.length > 0) return untilHere();

    data.push(body);
    position = positionOf(row);
    if (slice.isOver()) await slice.renew();
  }

  return { data, next_cursor: null };
}

const isWholeNumber = (value: unknown): value is number => Number.isSafeInteger(value);
