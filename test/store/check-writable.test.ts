import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import { onEachStore } from './temporary-stores.ts';

/** More than a store has connections of either kind. */
const MANY = 20;

/** Transactions that are open, or wait for a connection, until `end` is called. */
function holdTransactions(store: Store) {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const hold = () => ended;
  const transactions = Array.from({ length: MANY }, () => [
    store.readAll(hold),
    store.write(1, hold),
  ]).flat();
  return {
    end: async () => {
      end();
      await Promise.all(transactions);
    },
  };
}

onEachStore((withStore) => {
  it('knows at once that it accepts writes, also while reads and writes hold every connection', () =>
    withStore(async (store) => {
      const held = holdTransactions(store);
      await nextTurn();
      await store.checkWritable();
      await Promise.all(Array.from({ length: MANY }, () => store.checkWritable()));
      await held.end();
    }));

  it('does not accept writes once it is closed', () =>
    withStore(async (store) => {
      await store.close();
      await expect(store.checkWritable()).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    }));
});
