import { AcequiaError } from '../schema/error.ts';

/** The JSON under a path below the base address, before a deadline; refused as the service does. It is asked with what it takes of a query. */
export type Get = (path: string, query: Query, deadline: number) => Promise<unknown>;

export type Query = Readonly<Record<string, string>>;

/** An object of the service, of which nothing is known yet. */
export type Row = Readonly<Record<string, unknown>>;

/** Rows a page: as many as are served here; another service may serve fewer, or refuse so many. */
const LIMIT = '200';

/** More pages than any company has: a list whose pages go round ends here. */
const MOST_PAGES = 100;

/** Every row of a list that has an id, once, page after page. */
export async function allPages(get: Get, path: string, query: Query, deadline: number): Promise<Row[]> {
  const rows = new Map<unknown, Row>();
  let limit: Record<string, string> = { limit: LIMIT };
  let cursor: string | null = null;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const asked = (): Query => ({ ...query, ...limit, ...(cursor !== null && { cursor }) });
    const answer = await get(path, asked(), deadline).catch((error: unknown) => {
      if (!(error instanceof AcequiaError) || error.status !== 400 || !('limit' in limit)) throw error;
      limit = {};
      return get(path, asked(), deadline);
    });
    const { data, next_cursor: next } = Array.isArray(answer)
      ? { data: answer, next_cursor: null }
      : ((answer ?? {}) as Row);
    for (const row of Array.isArray(data) ? data : []) if (Number.isSafeInteger(row?.id)) rows.set(row.id, row);
    if (typeof next !== 'string' || next === cursor) break;
    cursor = next;
  }
  return [...rows.values()];
}
