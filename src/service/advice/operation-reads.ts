import { AcequiaError } from '../../schema/error.ts';
import type { WateringBody, WateringStatus } from '../../schema/watering.ts';
import { toIso } from '../wire-format.ts';
import type { PerformedOperations } from './performed-operations.ts';

const PAGE_ROWS = 200;

export async function* resultPages<Row>(
  list: (page: { limit: number; cursor?: string }) => Promise<{ data: Row[]; next_cursor: string | null }>,
): AsyncGenerator<Row[]> {
  let cursor: string | null = null;
  do {
    const page: { data: Row[]; next_cursor: string | null } = await list({
      limit: PAGE_ROWS,
      ...(cursor !== null && { cursor }),
    });
    yield page.data;
    cursor = page.next_cursor;
  } while (cursor !== null);
}

export async function allResultRows<Row>(list: Parameters<typeof resultPages<Row>>[0]): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const page of resultPages(list)) rows.push(...page);
  return rows;
}

export async function wateringsBetween(
  { listWaterings }: Pick<PerformedOperations, 'listWaterings'>,
  moduleId: number,
  { from, to, status }: { from: number; to: number; status?: WateringStatus },
): Promise<WateringBody[]> {
  const filter = { moduleId, from: toIso(from), to: toIso(to), ...(status && { status }) };
  return (await allResultRows((page) => listWaterings({ ...filter, ...page }))).reverse();
}

/** In ms; ends at its start when the duration is unknown. */
export const runPeriod = ({ startedAt, endedAt }: WateringBody) => ({
  start: Date.parse(startedAt),
  end: Date.parse(endedAt ?? startedAt),
});

/** A module that was never commissioned is listed, but has nothing to read. */
export async function nullIfNotFound<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof AcequiaError && error.status === 404) return null;
    throw error;
  }
}
