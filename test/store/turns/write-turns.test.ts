import { describe, expect, it } from 'vitest';
import { BOUNDED_THINGS } from '../../../src/domain/shares/bounded-things.ts';
import type { Taker } from '../../../src/domain/shares/shares.ts';
import type { Store } from '../../../src/store/store.ts';
import { onEachStore, withStore as withFile } from '../temporary-stores.ts';

const by = (company: number, key: string): Taker => ({ company, key });

/** While one write runs, the takers ask for others in this order. Returns the order in which these began. */
async function orderOfWrites(store: Store, takers: readonly Taker[]): Promise<string[]> {
  const order: string[] = [];
  const write = ({ company, key }: Taker) =>
    store.write(
      Number(company),
      async () => {
        order.push(key);
      },
      { taker: { company, key } },
    );

  const waiting: Promise<void>[] = [];
  await store.write(1, async () => void waiting.push(...takers.map(write)));
  await Promise.all(waiting);

  return order;
}

const times = (count: number, taker: Taker): Taker[] => Array(count).fill(taker);

describe('a file', () => {
  it('gives the write lock in turn by company, then by key', () =>
    withFile(async (store) => {
      const order = await orderOfWrites(store, [
        ...times(4, by(1, 'A busy')),
        ...times(2, by(1, 'A quiet')),
        ...times(2, by(2, 'B')),
      ]);

      expect(order).toEqual([
        ...['B', 'A busy', 'B', 'A quiet'],
        ...['A busy', 'A quiet', 'A busy', 'A busy'],
      ]);
    }));

  it('gives it to the service in turn with companies', () =>
    withFile(async (store) => {
      const order: string[] = [];
      const waiting: Promise<void>[] = [];
      await store.write(1, async () => {
        for (let n = 0; n < 5; n++)
          waiting.push(store.write(1, async () => void order.push('company')));
        waiting.push(store.writeUnlocked(async () => void order.push('service')));
      });
      await Promise.all(waiting);

      expect(order.indexOf('service')).toBe(0);
      expect(order).toHaveLength(6);
    }));
});

onEachStore((withStore) => {
  it('gives writes of a company in turn to its keys', () =>
    withStore(async (store) => {
      const order = await orderOfWrites(store, [
        ...times(4, by(1, 'busy')),
        ...times(2, by(1, 'quiet')),
      ]);

      expect(order).toEqual(['busy', 'quiet', 'busy', 'quiet', 'busy', 'busy']);
    }));

  it('leaves connections for the reads of others, however many a company asks for', () =>
    withStore(async (store) => {
      let running = 0;
      let most = 0;
      let endAll = (): void => undefined;
      const ended = new Promise<void>((resolve) => {
        endAll = resolve;
      });
      const read = () =>
        store.read(1, async () => {
          running++;
          most = Math.max(most, running);
          await ended;
          running--;
        });

      const reads = Array.from({ length: 20 }, read);
      await store.read(2, async () => undefined);
      endAll();
      await Promise.all(reads);

      const { ofCompany } = BOUNDED_THINGS.storeReaders;
      expect(most).toBeLessThanOrEqual(ofCompany);
    }));
});
