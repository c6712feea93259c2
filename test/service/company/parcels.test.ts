import { describe, expect } from 'vitest';
import type { ParcelBody } from '../../../src/schema/company.ts';
import { insertFarmRow } from '../../../src/store/farm/farm-rows.ts';
import { it, type TestFarm } from '../../farm.ts';

interface Page {
  readonly data: ParcelBody[];
  readonly next_cursor: string | null;
}
const list = (farm: TestFarm, args = {}) => farm.tool<Page>('list_parcels', args);

const outline = {
  type: 'Polygon',
  coordinates: [
    [
      [3.9, 43.6],
      [3.91, 43.6],
      [3.91, 43.61],
      [3.9, 43.6],
    ],
  ],
};

describe('the list of parcels', () => {
  it('has the company’s parcels by id with their use', async ({ farm }) => {
    await farm.write((db) => insertFarmRow(db, 'parcels', { name: 'Olives', type: 'olive', geometry: null }));
    const { data, summary } = await list(farm);
    expect(data.map(({ name, type }) => [name, type])).toEqual([
      ['North block', null],
      ['South block', null],
      ['Fallow', null],
      ['Olives', 'olive'],
    ]);
    expect(summary).toContain('4 in all.');
  });

  it('has outlines as they were declared', async ({ farm }) => {
    await farm.write((db) =>
      insertFarmRow(db, 'parcels', { name: 'Olives', type: null, geometry: JSON.stringify(outline) }),
    );
    expect((await list(farm, { detail: 'full' })).data.at(-1)).toMatchObject({ name: 'Olives', geometry: outline });
  });

  it('has an outline without rings if none was declared', async ({ farm }) => {
    expect((await list(farm, { detail: 'full' })).data[0]!.geometry).toEqual({ type: 'Polygon', coordinates: [] });
  });

  it('continues at next_cursor, which is null on the last page', async ({ farm }) => {
    const first = await list(farm, { limit: 2 });
    await farm.write((db) => insertFarmRow(db, 'parcels', { name: 'Newcomer', type: null, geometry: null }));
    const second = await list(farm, { limit: 2, cursor: first.next_cursor });
    expect([...first.data, ...second.data].map(({ name }) => name)).toEqual([
      'North block',
      'South block',
      'Fallow',
      'Newcomer',
    ]);
    expect(second.next_cursor).toBeNull();
  });
});
