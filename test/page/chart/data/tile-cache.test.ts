import { describe, expect, it } from 'vitest';
import { TileCache } from '../../../../src/page/chart/data/tile-cache.ts';
import type { Tile } from '../../../../src/page/chart/data/tiles.ts';

describe('the cache of tiles', () => {
  const tileAt = (start: number): Tile => ({ resolution: 0, start, end: start + 1 });
  function cacheOf(capacity = 10) {
    const requests: {
      start: number;
      signal: AbortSignal;
      answer: (value: string) => void;
      refuse: (error: unknown) => void;
    }[] = [];
    let settled = 0;
    const cache = new TileCache<string>({
      load: ({ start }, signal) =>
        new Promise((answer, refuse) => {
          requests.push({ start, signal, answer, refuse });
        }),
      onSettled: () => settled++,
      capacity,
    });
    const valueAt = (start: number) => cache.loaded.find(({ tile }) => tile.start === start)?.value;
    return { cache, requests, valueAt, settled: () => settled };
  }
  const tick = () => new Promise((resolve) => setTimeout(resolve));

  it('requests a tile once, and cancels requests for tiles that are no longer wanted', async () => {
    const { cache, requests, valueAt } = cacheOf();
    cache.want([tileAt(1), tileAt(2)]);
    cache.want([tileAt(2), tileAt(3)]);
    expect(requests.map(({ start, signal }) => [start, signal.aborted])).toEqual([
      [1, true],
      [2, false],
      [3, false],
    ]);
    requests[0]!.answer('late');
    requests[1]!.answer('two');
    await tick();
    expect([valueAt(1), valueAt(2)]).toEqual([undefined, 'two']);
  });

  it('has the old value until the new one has arrived', async () => {
    const { cache, requests, valueAt } = cacheOf();
    cache.want([tileAt(1)]);
    requests[0]!.answer('old');
    await tick();
    cache.outdate(() => true);
    cache.want([tileAt(1)]);
    expect(valueAt(1)).toBe('old');
    requests[1]!.answer('new');
    await tick();
    expect(valueAt(1)).toBe('new');
  });

  it('reports a tile that did not arrive, and does not request it again at once', async () => {
    const { cache, requests, settled } = cacheOf();
    cache.want([tileAt(1)]);
    requests[0]!.refuse('offline');
    await tick();
    cache.want([tileAt(1)]);
    expect([requests.length, cache.failure, settled()]).toEqual([1, 'offline', 1]);
    cache.outdate(() => true);
    cache.want([tileAt(1)]);
    expect(requests).toHaveLength(2);
  });

  it('forgets the tiles that were wanted longest ago', async () => {
    const { cache, requests, valueAt } = cacheOf(2);
    for (const start of [1, 2, 3]) {
      cache.want([tileAt(start)]);
      requests.at(-1)!.answer(String(start));
      await tick();
    }
    cache.want([tileAt(3)]);
    expect([1, 2, 3].map(valueAt)).toEqual([undefined, '2', '3']);
  });
});
