import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createTileCache,
  RESOLUTIONS,
  resolutionFor,
  tilesOf,
} from '../../../src/page/chart/tiles.ts';
import {
  drawnPeriod,
  isDrawn,
  lengthOf,
  moveView,
  pinchView,
  viewBounds,
  zoomView,
} from '../../../src/page/chart/view.ts';
import { DAY, HOUR } from '../../time.ts';

const NOW = Date.UTC(2026, 6, 1, 10);
const BOUNDS = viewBounds(NOW);
const views = fc
  .record({
    end: fc.integer({ min: NOW - 3000 * DAY, max: NOW }),
    hours: fc.integer({ min: 2, max: 24 * 400 }),
  })
  .map(({ end, hours }) => ({ start: end - hours * HOUR, end }));

describe('the view', () => {
  it('keeps its length while it is moved, and stays within its bounds', () => {
    fc.assert(
      fc.property(views, fc.integer({ min: -20_000, max: 20_000 }), (view, hours) => {
        const moved = moveView(view, hours * HOUR, BOUNDS);
        expect(lengthOf(moved)).toBeCloseTo(lengthOf(view), 3);
        expect(moved.start).toBeGreaterThanOrEqual(BOUNDS.start - 1);
        expect(moved.end).toBeLessThanOrEqual(BOUNDS.end + 1);
      }),
    );
  });

  it('keeps the instant under the pointer where it is while it is zoomed', () => {
    fc.assert(
      fc.property(
        views,
        fc.double({ min: 0.3, max: 2, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (view, factor, share) => {
          const at = view.start + share * lengthOf(view);
          const zoomed = zoomView(view, factor, at, { start: -1e15, end: 1e15 });
          expect((at - zoomed.start) / lengthOf(zoomed)).toBeCloseTo(share, 6);
        },
      ),
    );
  });

  it('is never shorter than two hours, nor longer than its bounds', () => {
    const view = { start: NOW - 7 * DAY, end: NOW };
    expect(lengthOf(zoomView(view, 1e-9, NOW, BOUNDS))).toBe(2 * HOUR);
    expect(lengthOf(zoomView(view, 1e9, NOW, BOUNDS))).toBe(lengthOf(BOUNDS));
  });

  it('keeps the instants under two fingers that move apart', () => {
    const view = { start: NOW - 10 * DAY, end: NOW };
    const zoomed = pinchView(view, { before: [400, 600], after: [300, 700], width: 1000 }, BOUNDS);
    expect(lengthOf(zoomed)).toBe(5 * DAY);
    const under = (px: number): number => zoomed.start + (px / 1000) * lengthOf(zoomed);
    expect([under(300), under(700)]).toEqual([NOW - 6 * DAY, NOW - 4 * DAY]);
  });

  it('is drawn with a margin, within which it is not drawn again', () => {
    const view = { start: NOW - 4 * DAY, end: NOW };
    const drawn = drawnPeriod(view);
    expect(isDrawn(moveView(view, -3 * DAY, BOUNDS), drawn)).toBe(true);
    expect(isDrawn(moveView(view, -3.1 * DAY, BOUNDS), drawn)).toBe(false);
    expect(isDrawn({ start: NOW - 3 * DAY, end: NOW }, drawn)).toBe(false);
  });
});

describe('tiles', () => {
  const zones = fc.constantFrom(
    'Europe/Madrid',
    'Australia/Lord_Howe',
    'America/St_Johns',
    'Asia/Kathmandu',
    'UTC',
  );

  it('cover a period without gaps, and begin at local midnights', () => {
    fc.assert(
      fc.property(
        views,
        zones,
        fc.integer({ min: 0, max: RESOLUTIONS.length - 1 }),
        (view, zone, resolution) => {
          const tiles = tilesOf(view, resolution, zone);
          expect(tiles[0]!.start).toBeLessThanOrEqual(view.start);
          expect(tiles.at(-1)!.end).toBeGreaterThanOrEqual(view.end);
          for (const [index, tile] of tiles.entries()) {
            if (index > 0) expect(tile.start).toBe(tiles[index - 1]!.end);
            const clock = new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeStyle: 'short' });
            expect(clock.format(tile.start)).toBe('00:00');
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('are the same wherever the view begins', () => {
    fc.assert(
      fc.property(views, fc.integer({ min: 1, max: 200 }), (view, hours) => {
        const keys = (period: typeof view) =>
          tilesOf(period, 2, 'Europe/Madrid').map(({ start }) => start);
        const all = keys({ start: view.start - hours * HOUR, end: view.end });
        expect(all).toEqual(expect.arrayContaining(keys(view)));
      }),
    );
  });

  it('have at most 500 points, whatever is seen, and enough for the screen', () => {
    for (const { intervalMs, tileMs } of RESOLUTIONS)
      expect(tileMs / intervalMs).toBeLessThanOrEqual(500);
    const pointsOf = (days: number, width: number) =>
      (days * DAY) /
      RESOLUTIONS[resolutionFor({ start: NOW - days * DAY, end: NOW }, width)]!.intervalMs;
    for (const days of [3, 7, 30, 90, 365])
      for (const width of [260, 1000]) {
        expect(pointsOf(days, width)).toBeLessThanOrEqual(Math.max(480, 1.5 * width));
        expect(pointsOf(days, width)).toBeGreaterThan(width / 6);
      }
  });
});

describe('the cache of tiles', () => {
  const tileAt = (start: number) => ({ start, end: start + 1 });
  function cacheOf(capacity = 10) {
    const requests: {
      start: number;
      signal: AbortSignal;
      answer: (value: string) => void;
      refuse: (error: unknown) => void;
    }[] = [];
    let settled = 0;
    const cache = createTileCache<{ start: number; end: number }, string>({
      keyOf: ({ start }) => String(start),
      load: ({ start }, signal) =>
        new Promise((answer, refuse) => {
          requests.push({ start, signal, answer, refuse });
        }),
      onSettled: () => settled++,
      capacity,
    });
    return { cache, requests, settled: () => settled };
  }
  const tick = () => new Promise((resolve) => setTimeout(resolve));

  it('requests a tile once, and cancels requests for tiles that are no longer wanted', async () => {
    const { cache, requests } = cacheOf();
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
    expect([cache.valueOf(tileAt(1)), cache.valueOf(tileAt(2))]).toEqual([undefined, 'two']);
  });

  it('has the old value until the new one has arrived', async () => {
    const { cache, requests } = cacheOf();
    cache.want([tileAt(1)]);
    requests[0]!.answer('old');
    await tick();
    cache.outdate(() => true);
    cache.want([tileAt(1)]);
    expect(cache.valueOf(tileAt(1))).toBe('old');
    requests[1]!.answer('new');
    await tick();
    expect(cache.valueOf(tileAt(1))).toBe('new');
  });

  it('reports a tile that did not arrive, and does not request it again at once', async () => {
    const { cache, requests, settled } = cacheOf();
    cache.want([tileAt(1)]);
    requests[0]!.refuse('offline');
    await tick();
    cache.want([tileAt(1)]);
    expect([requests.length, cache.failure(), settled()]).toEqual([1, 'offline', 1]);
    cache.outdate(() => true);
    cache.want([tileAt(1)]);
    expect(requests).toHaveLength(2);
  });

  it('forgets the tiles that were wanted longest ago', async () => {
    const { cache, requests } = cacheOf(2);
    for (const start of [1, 2, 3]) {
      cache.want([tileAt(start)]);
      requests.at(-1)!.answer(String(start));
      await tick();
    }
    cache.want([tileAt(3)]);
    expect([1, 2, 3].map((start) => cache.valueOf(tileAt(start)))).toEqual([undefined, '2', '3']);
  });
});
