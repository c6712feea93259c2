import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  drawnPeriod,
  isDrawn,
  lengthOf,
  moveView,
  pinchView,
  viewBounds,
  zoomView,
} from '../../../../src/page/chart/control/view.ts';
import { DAY, HOUR } from '../../../time.ts';
import { NOW, views } from './views.ts';

const BOUNDS = viewBounds(NOW);

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
