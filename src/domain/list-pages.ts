/** The most rows that operations put on a page. */
export const MAX_PAGE_ROWS = 200;

export interface PageRequest {
  readonly limit: number;
  /** Absent for the first page. */
  readonly cursor?: string;
}

/** As operations return it. */
export interface ListPage<Row> {
  readonly data: readonly Row[];
  readonly next_cursor: string | null;
}

type ReadPage<Row> = (request: PageRequest) => Promise<ListPage<Row>>;

export async function* readPages<Row>(readPage: ReadPage<Row>): AsyncGenerator<readonly Row[]> {
  let request: PageRequest = { limit: MAX_PAGE_ROWS };
  for (;;) {
    const { data, next_cursor: cursor } = await readPage(request);
    yield data;

    // A faulty service that repeats a cursor would make this go on forever.
    if (cursor === null || cursor === request.cursor) return;
    request = { limit: MAX_PAGE_ROWS, cursor };
  }
}

export async function readAllRows<Row>(readPage: ReadPage<Row>): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const page of readPages(readPage)) rows.push(...page);
  return rows;
}
