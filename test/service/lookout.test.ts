import { expect, it } from 'vitest';
import { lookoutOf } from '../../src/service/lookout.ts';
import { companyById } from '../../src/store/companies.ts';
import { withFarm } from '../farm.ts';

it('looks at once, and once more however often it is called meanwhile', () =>
  withFarm(async (farm) => {
    const company = (await farm.store.readAll((all) => companyById(all, 1)))!;
    let looks = 0;
    const lookout = lookoutOf({
      store: farm.store,
      clock: () => farm.now,
      onLooked: () => void looks++,
      report: async (error) => Promise.reject(error),
    });
    for (let n = 0; n < 10; n++) lookout.look(company);
    while (looks < 2) await new Promise((resolve) => setTimeout(resolve, 1));
    await lookout.end();
    expect(looks).toBe(2);
    lookout.look(company);
    await lookout.end();
    expect(looks).toBe(2);
  }));

it('goes on where a look fails, which is reported', () =>
  withFarm(async (farm) => {
    const company = (await farm.store.readAll((all) => companyById(all, 1)))!;
    const reported: unknown[] = [];
    const fails = new Error('the look failed');
    const lookout = lookoutOf({
      store: { ...farm.store, readAll: () => Promise.reject(fails) },
      clock: () => farm.now,
      report: async (error) => reported.push(error),
    });
    lookout.look(company);
    await lookout.end();
    lookout.look(company);
    await lookout.end();
    expect(reported).toEqual([fails]);
  }));
