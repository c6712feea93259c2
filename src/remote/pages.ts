import { AcequiaError } from '../schema/error.ts';

/** The JSON under a path below the base address, before a deadline; refused as the service does. It is asked with what it takes of a query. */
export type GetJson = (path: string, query: QueryParams, deadline: number) => Promise<unknown>;

export type QueryParams = Readonly<Record<string, string>>;

/** An object of the service, of which nothing is known yet. */
export type RemoteRow = Readonly<Record<string, unknown>>;

/** Rows a page: as many as are served here; another service may serve fewer, or refuse so many. */
const PAGE_SIZE = '200';

/** More pages than any company has: a list whose pages go round ends here. */
const MAX_PAGES = 100;

/** Every row of a list that has an id, once, page after page. */
export async function fetchAllPages(
  get: GetJson,
  path: string,
  query: QueryParams,
  deadline: number,
): Promise<RemoteRow[]> {
  const rows = new Map<unknown, RemoteRow>();
  let limit: Record<string, string> = { limit: PAGE_SIZE };
  let cursor: string | null = null;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const pageQuery = (): QueryParams => ({ ...query, ...limit, ...(cursor !== null && { cursor }) });
    const answer = await get(path, pageQuery(), deadline).catch((error: unknown) => {
      if (!(error instanceof AcequiaError) || error.status !== 400 || !('limit' in limit)) throw error;
      limit = {};
      return get(path, pageQuery(), deadline);
    });
    const { data, next_cursor: next } = Array.isArray(answer)
      ? { data: answer, next_cursor: null }
      : ((answer ?? {}) as RemoteRow);
    for (const row of Array.isArray(data) ? data : []) if (Number.isSafeInteger(row?.id)) rows.set(row.id, row);
    if (typeof next !== 'string' || next === cursor) break;
    cursor = next;
  }
  return [...rows.values()];
}
