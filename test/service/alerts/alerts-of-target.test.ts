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

  const alerts = await alertsOfTarget({} as CallOperation, { parcelId: 1 }, context);
  expect(alerts).toEqual(data.filter(({ moduleId }) => moduleId < 100));
  expect(reads).toBe(modules.length);
});
