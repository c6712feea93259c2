import { describe, expect } from 'vitest';
import type { WateringBody } from '../../../src/schema/irrigation/watering.ts';
import {
  advisoriesOf,
  DAY,
  depthAt,
  FARM_NOW,
  HOUR,
  iso,
  it,
  MINUTE,
  type TestFarm,
} from '../../farm.ts';

interface Page {
  readonly data: WateringBody[];
  readonly next_cursor: string | null;
}

const list = (farm: TestFarm, args = {}) => farm.tool<Page>('list_waterings', args);
const overTheWire = (farm: TestFarm, args = {}) => farm.wire<Page>('list_waterings', args);
const log = async (farm: TestFarm, module: string, startedAt: number, fields = {}) =>
  (await farm.log(module, depthAt(startedAt, 5, fields))).event;
const ids = ({ data }: Page): number[] => data.map(({ id }) => id);

describe('the list of waterings', () => {
  it('has the newest start first, and the later entry first for equal starts', async ({ farm }) => {
    const middle = await log(farm, 'North 1', FARM_NOW - 2 * HOUR);
    const newest = await log(farm, 'North 2', FARM_NOW - HOUR);
    const oldest = await log(farm, 'North 1', FARM_NOW - DAY);
    const twin = await log(farm, 'North 2', FARM_NOW - DAY);
    expect(ids(await list(farm))).toEqual([newest.id, middle.id, twin.id, oldest.id]);
  });

  it.for([
    ['module', { module: 'North 1' }, [0]],
    ['parcel', { parcel: 'North block' }, [0, 1]],
    ['module and period', { module: 'North 1', from: '2026-06-30' }, [0, 3]],
    ['status', { status: 'planned' }, [2, 3]],
    ['module and status together', { module: 'North 1', status: 'planned' }, [3]],
    ['parcel and status together', { parcel: 'North block', status: 'done' }, [0, 1]],
  ] as const)('can be filtered by %s', async ([_, args, which], { farm }) => {
    const rows = [
      await log(farm, 'North 1', FARM_NOW - 2 * HOUR),
      await log(farm, 'North 2', FARM_NOW - HOUR),
      await log(farm, 'South 1', FARM_NOW + HOUR),
      await log(farm, 'North 1', FARM_NOW + HOUR),
    ];
    expect(ids(await list(farm, args)).sort()).toEqual(which.map((each) => rows[each]!.id).sort());
  });

  it('is empty for a schedule without occurrences', async ({ farm }) => {
    await log(farm, 'North 1', FARM_NOW - HOUR);
    const { id } = await farm.createSchedule({ module: 'North 1', isActive: false });
    expect(ids(await list(farm, { scheduleId: id }))).toEqual([]);
  });

  it('of a period includes its start and excludes its end', async ({ farm }) => {
    const start = await log(farm, 'North 1', FARM_NOW - 2 * DAY);
    const inside = await log(farm, 'North 1', FARM_NOW - DAY - 1);
    await log(farm, 'North 1', FARM_NOW - DAY);
    await log(farm, 'North 1', FARM_NOW - 2 * DAY - 1);
    const page = await list(farm, { from: iso(FARM_NOW - 2 * DAY), to: iso(FARM_NOW - DAY) });
    expect(ids(page)).toEqual([inside.id, start.id]);
  });

  it('reads a date as its local midnight', async ({ farm }) => {
    const midnight = Date.parse('2026-06-29T22:00:00Z');
    const first = await log(farm, 'North 1', midnight);
    await log(farm, 'North 1', midnight - 1);
    expect(ids(await list(farm, { from: '2026-06-30' }))).toEqual([first.id]);
  });

  it('includes the day that ends its period', async ({ farm }) => {
    const midnight = Date.parse('2026-06-27T22:00:00Z');
    const first = await log(farm, 'North 1', midnight);
    const last = await log(farm, 'North 1', midnight + DAY - 1);
    await log(farm, 'North 1', midnight + DAY);
    const page = await list(farm, { from: '2026-06-28', to: '2026-06-28' });
    expect(ids(page)).toEqual([last.id, first.id]);
  });

  it('is counted by status over all pages', async ({ farm }) => {
    for (const back of [1, 2, 3]) await log(farm, 'North 1', FARM_NOW - back * HOUR);
    await log(farm, 'North 1', FARM_NOW + HOUR);
    await log(farm, 'North 1', FARM_NOW - 4 * HOUR, { status: 'skipped' });
    const page = await list(farm, { limit: 2 });
    expect(page.next_cursor).not.toBeNull();
    expect(advisoriesOf(page, 'waterings_by_status')).toMatchObject([
      {
        counts: [
          { status: 'done', count: 3 },
          { status: 'planned', count: 1 },
          { status: 'skipped', count: 1 },
        ],
        toConfirm: 0,
      },
    ]);
  });

  const period = { from: iso(FARM_NOW - DAY), to: iso(FARM_NOW) };
  it.for([
    ['all', () => ({})],
    [
      'those of a probe and a period',
      (farm: TestFarm) => ({ moduleId: farm.idOf('North 1'), ...period }),
    ],
    ['those with a status in a period', () => ({ status: 'done', ...period })],
  ] as const)('has each row on one page: %s', async ([_, queryOf], { farm }) => {
    for (const back of [1, 1, 1, 2, 3, 3, 4]) await log(farm, 'North 1', FARM_NOW - back * HOUR);
    const listedIds: number[] = [];
    let cursor: string | null = null;
    do {
      const page: Page = await overTheWire(farm, {
        ...queryOf(farm),
        limit: 2,
        cursor: cursor ?? undefined,
      });
      listedIds.push(...ids(page));
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(listedIds).toEqual(ids(await overTheWire(farm, { limit: 200 })));
    expect(listedIds).toHaveLength(7);
  });

  it('continues at the cursor when rows are added', async ({ farm }) => {
    for (const back of [1, 2, 3, 4]) await log(farm, 'North 1', FARM_NOW - back * HOUR);
    const all = ids(await list(farm));
    const first = await list(farm, { limit: 2 });
    await log(farm, 'North 1', FARM_NOW);
    const second = await list(farm, { limit: 2, cursor: first.next_cursor });
    expect([...ids(first), ...ids(second)]).toEqual(all);
    expect(second.next_cursor).toBeNull();
  });

  it('ends what is planned with what nobody confirmed, and continues in either part', async ({
    farm,
  }) => {
    const hours = [-30, -2, 1, 2, 26];
    const rows: number[] = [];
    for (const hour of hours)
      rows.push((await log(farm, 'North 1', FARM_NOW + hour * HOUR, { status: 'planned' })).id);
    const [older, newer, first, second, third] = rows;
    const listedIds: number[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page: Page = await list(farm, {
        status: 'planned',
        limit: 2,
        cursor: cursor ?? undefined,
      });
      listedIds.push(...ids(page));
      cursor = page.next_cursor;
      // All pages share the instant of the first one.
      farm.now += 90 * MINUTE;
    }
    expect(listedIds).toEqual([first, second, third, newer, older]);
  });

  it('shows what is logged by a clock that is ahead', async ({ farm }) => {
    const { id } = await log(farm, 'North 1', FARM_NOW + 3 * MINUTE, { status: 'done' });
    expect(ids(await list(farm))).toEqual([id]);
  });

  it('has every row by start over REST, the newest first, unless another order is asked for', async ({
    farm,
  }) => {
    const past = await log(farm, 'North 1', FARM_NOW - HOUR);
    const near = await log(farm, 'North 1', FARM_NOW + HOUR);
    const far = await log(farm, 'North 2', FARM_NOW + DAY);
    expect(ids(await overTheWire(farm))).toEqual([far.id, near.id, past.id]);
    expect(ids(await overTheWire(farm, { order: 'past_first' }))).toEqual([past.id]);
    expect((await overTheWire(farm)).data[2]).toEqual(past);
  });

  it('names the next planned one', async ({ farm }) => {
    await log(farm, 'North 1', FARM_NOW - HOUR);
    await log(farm, 'North 2', FARM_NOW + DAY);
    await log(farm, 'North 1', FARM_NOW + HOUR, { status: 'skipped' });
    expect(advisoriesOf(await list(farm), 'waterings_ahead')).toMatchObject([
      { count: 1, nextAt: FARM_NOW + DAY, probe: 'North 2' },
    ]);
    const ofOther = await list(farm, { module: 'North 1' });
    expect(advisoriesOf(ofOther, 'waterings_ahead')).toEqual([]);
  });
});
