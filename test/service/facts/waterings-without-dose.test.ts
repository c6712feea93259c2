import { expect } from 'vitest';
import type { WateringFacts } from '../../../src/domain/facts/watering-facts.ts';
import { wateringsWithoutDose } from '../../../src/store/irrigation/watering-facts.ts';
import { FARM_NOW, it, type TestFarm } from '../../farm.ts';
import { addUndosedWaterings, PROBES } from '../irrigation/undosed-waterings.ts';

const pagesOf = (farm: TestFarm, options = {}): Promise<WateringFacts[][]> =>
  farm.write(async (db) => {
    const pages: WateringFacts[][] = [];
    const modules = PROBES.map(farm.idOf);
    for await (const page of wateringsWithoutDose(db, modules, FARM_NOW, options)) pages.push(page);
    return pages;
  });

const ofModule = (pages: readonly WateringFacts[][], id: number): number[] =>
  pages.flat().flatMap(({ moduleId, startedAt }) => (moduleId === id ? startedAt : []));

it('reads waterings without a dose in pages, newest first for each probe', async ({ farm }) => {
  await addUndosedWaterings(farm, 5);
  const [whole, ...others] = await pagesOf(farm);
  expect([whole?.length, others]).toEqual([15, []]);

  const pages = await pagesOf(farm, { perPage: 2 });
  expect(Math.max(...pages.map(({ length }) => length))).toBe(2);
  expect(pages.flat()).toHaveLength(15);
  for (const id of PROBES.map(farm.idOf)) {
    const starts = ofModule(pages, id);
    expect(starts).toEqual(ofModule([whole ?? []], id));
    expect(starts).toEqual([...starts].sort((a, b) => b - a));
  }
});
