import { describe, expect } from 'vitest';
import { advisoriesOf, bodyOf, it } from '../../../farm.ts';

describe('the list of schedules', () => {
  it('is in order of id, with every field', async ({ farm }) => {
    const created = [
      await farm.createSchedule({ module: 'North 1' }),
      await farm.createSchedule({ parcel: 'South block', intervalDays: 3 }),
    ];
    const { data, next_cursor } = await farm.tool<{
      data: { id: number }[];
      next_cursor: string | null;
    }>('list_schedules');
    expect(data).toEqual(created.map(bodyOf));
    expect(next_cursor).toBeNull();
  });

  const ids = async (answer: Promise<{ data: { id: number }[] }>) =>
    (await answer).data.map(({ id }) => id);

  it('of a probe includes those of its parcel, of a parcel those of its probes', async ({
    farm,
  }) => {
    const north1 = await farm.createSchedule({ module: 'North 1' });
    const north2 = await farm.createSchedule({ module: 'North 2', isActive: false });
    const block = await farm.createSchedule({ parcel: 'North block' });
    const south = await farm.createSchedule({ parcel: 'South block' });
    const loose = await farm.createSchedule({ module: 'Loose' });
    const list = (query: object) => ids(farm.tool('list_schedules', { ...query }));
    expect(await list({ module: 'North 1' })).toEqual([north1.id, block.id]);
    expect(await list({ parcel: 'North block' })).toEqual([north1.id, north2.id, block.id]);
    expect(await list({ parcel: 'North block', isActive: false })).toEqual([north2.id]);
    expect(await list({ isActive: true })).toEqual([north1.id, block.id, south.id, loose.id]);
    expect(await list({ module: 'Loose' })).toEqual([loose.id]);
    expect(await list({ module: 'Mast' })).toEqual([]);
  });

  it('continues at the cursor, and has the total', async ({ farm }) => {
    const created = [];
    for (let index = 0; index < 5; index++)
      created.push((await farm.createSchedule({ module: 'North 1', endsOn: '2026-07-02' })).id);
    type Page = { data: { id: number }[]; next_cursor: string };
    const first = await farm.tool<Page>('list_schedules', { limit: 2 });
    expect(advisoriesOf(first, 'total')).toMatchObject([{ count: 5 }]);
    const second = await farm.tool<Page>('list_schedules', { limit: 2, cursor: first.next_cursor });
    const third = await farm.tool<Page>('list_schedules', { limit: 2, cursor: second.next_cursor });
    expect([first, second, third].flatMap(({ data }) => data.map(({ id }) => id))).toEqual(created);
    expect(third.next_cursor).toBeNull();
  });
});
