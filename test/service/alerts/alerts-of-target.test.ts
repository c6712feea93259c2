import { expect, it } from 'vitest';
import type { ArgumentContext, CallOperation } from '../../../src/operation/operation.ts';
import { alertsOfTarget } from '../../../src/service/alerts/alerts-of-target.ts';

it('looks at each probe of a parcel once, however many alerts there are', async () => {
  let reads = 0;
  const modules = Array.from({ length: 100 }, (_, id) => ({
    get id() {
      reads++;
      return id;
    },
    parcelId: 1,
  }));
  const data = Array.from({ length: 1_000 }, (_, n) => ({ moduleId: n % 150, parcelId: null }));
  const context = {
    directory: { modules: async () => modules },
    runRead: async () => ({ data, next_cursor: null }),
  } as unknown as ArgumentContext;

  const pages = alertsOfTarget({} as CallOperation, { parcelId: 1 }, context);
  const { value: alerts } = await pages.next();
  expect(alerts).toEqual(data.filter(({ moduleId }) => moduleId < 100));
  expect(reads).toBe(modules.length);
});

it('reads the next page only when the one before has been used', async () => {
  let pagesRead = 0;
  const context = {
    directory: { modules: async () => [{ id: 1, parcelId: 1 }] },
    runRead: async () => {
      pagesRead++;
      return { data: [{ moduleId: 1, parcelId: null }], next_cursor: String(pagesRead) };
    },
  } as unknown as ArgumentContext;

  const pages = alertsOfTarget({} as CallOperation, { parcelId: 1 }, context);
  for (const page of [1, 2, 3]) {
    await pages.next();
    expect(pagesRead).toBe(page);
  }
});
