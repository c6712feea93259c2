import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RESOLUTIONS, resolutionFor, tilesOf } from '../../../../src/page/chart/data/tiles.ts';
import { DAY, HOUR } from '../../../time.ts';
import { NOW, views } from '../control/views.ts';

const RESOLUTION_INDEXES = [0, 1, 2, 3, 4, 5, 6] as const;

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
        fc.constantFrom(...RESOLUTION_INDEXES),
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
      RESOLUTIONS[resolutionFor({ start: NOW - days * DAY, end: NOW }, width)].intervalMs;
    for (const days of [3, 7, 30, 90, 365])
      for (const width of [260, 1000]) {
        expect(pointsOf(days, width)).toBeLessThanOrEqual(Math.max(480, 1.5 * width));
        expect(pointsOf(days, width)).toBeGreaterThan(width / 6);
      }
  });
});
