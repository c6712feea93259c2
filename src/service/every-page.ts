import type { Call } from '../operation/call.ts';

/** Rows a page, the most there are. */
const PAGE_ROWS = 200;

/** The rows of a list that another operation gives, page by page, in its order. */
export async function* resultPages<T>(
  call: Call,
  list: string,
  args: Record<string, unknown> = {},
): AsyncGenerator<T[]> {
  let cursor: string | null = null;
  do {
    const page = (await call.perform(list, { ...args, limit: PAGE_ROWS, ...(cursor !== null && { cursor }) })) as {
      data: T[];
      next_cursor: string | null;
    };
    yield page.data;
    cursor = page.next_cursor;
  } while (cursor !== null);
}

/** All rows of a list that another operation gives. */
export async function allResultRows<T>(call: Call, list: string, args?: Record<string, unknown>): Promise<T[]> {
  const rows: T[] = [];
  for await (const page of resultPages<T>(call, list, args)) rows.push(...page);
  return rows;
}
