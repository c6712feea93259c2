import { describe, expect } from 'vitest';
import { MAX_PAGE_BYTES } from '../../../src/domain/shares/bounded-things.ts';
import type { ChangeBody } from '../../../src/schema/changes/change.ts';
import { insertChange } from '../../../src/store/changes/changes.ts';
import type { ChangedRow } from '../../../src/store/scope/recorded-rows.ts';
import { FARM_NOW, it, type TestFarm } from '../../farm.ts';

/** The rows that a watering of a parcel with 300 probes and a long note changes: about 0.6 MB. */
const rowsOfParcel = (farm: TestFarm): ChangedRow[] =>
  Array.from({ length: 300 }, (_, key) => ({
    table: 'waterings',
    key,
    before: null,
    after: { id: key, module_id: farm.idOf('North 1'), note: 'x'.repeat(2_000) },
  }));

const recordLargeChanges = (farm: TestFarm, count: number): Promise<void> =>
  farm.write(async (db) => {
    for (let n = 0; n < count; n++)
      await insertChange(db, {
        at: FARM_NOW,
        caller: 'owner',
        user_id: null,
        channel: 'api',
        operation: 'log_watering',
        scope: 'irrigation:write',
        undoes: null,
        rows: rowsOfParcel(farm),
      });
  });

interface Page {
  readonly data: readonly ChangeBody[];
  readonly next_cursor: string | null;
}

async function pagesOf(farm: TestFarm, query: object): Promise<Page[]> {
  const pages: Page[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page: Page = await farm.wire('list_changes', { ...query, limit: 100, cursor });
    pages.push(page);
    cursor = page.next_cursor;
  }
  return pages;
}

describe('a list of changes with many rows', () => {
  it.for([
    ['of the company', () => ({})],
    ['of a probe', (farm: TestFarm) => ({ moduleId: farm.idOf('North 1') })],
  ] as const)('%s has pages of at most 2 MB, and each change once', async ([, query], { farm }) => {
    await recordLargeChanges(farm, 7);
    const pages = await pagesOf(farm, { ...query(farm), mostRows: 300 });

    for (const { data } of pages)
      expect(Buffer.byteLength(JSON.stringify(data))).toBeLessThan(MAX_PAGE_BYTES + 100);
    const ids = pages.flatMap(({ data }) => data.map(({ id }) => id));
    expect(ids).toEqual([7, 6, 5, 4, 3, 2, 1]);
    expect(pages.length).toBe(3);
  });

  it('is one page if few rows of each are listed', async ({ farm }) => {
    await recordLargeChanges(farm, 7);
    expect(await pagesOf(farm, { mostRows: 3 })).toMatchObject([{ next_cursor: null }]);
  });
});
