import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Period } from '../../../../src/domain/periods.ts';
import { ChartView } from '../../../../src/page/chart/control/chart-view.ts';
import { Gestures, type Pointer } from '../../../../src/page/chart/control/gestures.ts';
import { lengthOf } from '../../../../src/page/chart/control/view.ts';
import { DAY } from '../../../time.ts';
import { NOW } from './views.ts';

/** 100 px are a day. */
const WIDTH = 1000;
const WEEKS_AGO = { start: NOW - 30 * DAY, end: NOW - 20 * DAY };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function gesturesOnPlot(period: Period = WEEKS_AGO) {
  const view = new ChartView(
    period,
    () => NOW,
    () => undefined,
  );
  const target = {
    view,
    plotWidth: WIDTH,
    drag: vi.fn((moved: Period) => view.dragTo(moved)),
    inspect: vi.fn(),
    grab: vi.fn(),
    pull: vi.fn(),
    drop: vi.fn(),
  };
  return { ...target, gestures: new Gestures(target) };
}

const mouse = (x: number, y = 100): Pointer => ({ id: 1, x, y, isMouse: true });
const finger = (x: number, y = 100, id = 1): Pointer => ({ id, x, y, isMouse: false });
const daysMoved = ({ start }: Period): number => (start - WEEKS_AGO.start) / DAY;

describe('one pointer', () => {
  it('moves the view with the mouse, until the button is released', () => {
    const { gestures, view } = gesturesOnPlot();
    gestures.press(mouse(500), null);
    gestures.move(mouse(700), true);
    expect([daysMoved(view.period), view.isMoving]).toEqual([-2, true]);
    gestures.release(1, false);
    expect(view.isMoving).toBe(false);
    gestures.move(mouse(900), true);
    expect(daysMoved(view.period)).toBe(-2);
  });

  it('keeps the instant under it, wherever it goes', () => {
    const x = fc.integer({ min: 0, max: WIDTH });
    fc.assert(
      fc.property(x, fc.array(x, { minLength: 1 }), (from, path) => {
        const { gestures, view } = gesturesOnPlot();
        const instantAt = (px: number) => view.period.start + (px / WIDTH) * lengthOf(view.period);
        const grabbed = instantAt(from);
        gestures.press(mouse(from), null);
        for (const to of path) gestures.move(mouse(to), true);
        const last = path.at(-1)!;
        if (view.isMoving) expect(instantAt(last)).toBeCloseTo(grabbed, -1);
        expect(lengthOf(view.period)).toBeCloseTo(10 * DAY, -1);
      }),
    );
  });

  it('reads a value where it taps, even if it trembles', () => {
    const { gestures, inspect, drag } = gesturesOnPlot();
    gestures.press(finger(400), null);
    gestures.move(finger(405, 103), true);
    gestures.release(1, false);
    expect(inspect.mock.calls).toEqual([[400]]);
    expect(drag).not.toHaveBeenCalled();
  });

  it('reads nothing where the browser takes the touch away', () => {
    const { gestures, inspect } = gesturesOnPlot();
    gestures.press(finger(400), null);
    gestures.release(1, true);
    expect(inspect).not.toHaveBeenCalled();
  });

  it('reads values as long as a finger rests and follows it', () => {
    const { gestures, inspect, drag } = gesturesOnPlot();
    gestures.press(finger(400), null);
    vi.advanceTimersByTime(300);
    gestures.move(finger(450), true);
    gestures.release(1, false);
    expect(inspect.mock.calls).toEqual([[400], [450]]);
    expect(drag).not.toHaveBeenCalled();
  });

  it('reads values under the mouse on the plot alone', () => {
    const { gestures, inspect } = gesturesOnPlot();
    gestures.move(mouse(10), true);
    gestures.move(mouse(1200), true);
    gestures.move(mouse(20), false);
    gestures.leave();
    expect(inspect.mock.calls).toEqual([[10], [null], [null], [null]]);
  });
});

describe('two fingers', () => {
  it('zoom the view, and the one that stays moves it', () => {
    const { gestures, view } = gesturesOnPlot();
    gestures.press(finger(400, 100, 1), null);
    gestures.press(finger(600, 100, 2), null);
    gestures.move(finger(300, 100, 1), true);
    gestures.move(finger(700, 100, 2), true);
    expect(lengthOf(view.period)).toBeCloseTo(5 * DAY, 0);
    gestures.release(1, false);
    const before = view.period.start;
    // 200 px are a day now.
    gestures.move(finger(500, 100, 2), true);
    expect((view.period.start - before) / DAY).toBeCloseTo(1, 6);
    gestures.release(2, false);
    expect(view.isMoving).toBe(false);
  });
});

describe('a line', () => {
  const strip = { id: 'a1', isHandle: false };
  const handle = { id: 'a1', isHandle: true };

  it('is pulled up and down by its strip, which a sideways drag leaves alone', () => {
    const upward = gesturesOnPlot();
    upward.gestures.press(finger(400, 100), strip);
    upward.gestures.move(finger(402, 80), true);
    upward.gestures.move(finger(402, 60), true);
    upward.gestures.release(1, false);
    expect(upward.grab).toHaveBeenCalledExactlyOnceWith('a1');
    expect(upward.pull.mock.calls).toEqual([[20], [40]]);
    expect(upward.drop).toHaveBeenCalledOnce();

    const sideways = gesturesOnPlot();
    sideways.gestures.press(finger(400, 100), strip);
    sideways.gestures.move(finger(300, 90), true);
    expect(sideways.grab).not.toHaveBeenCalled();
    expect(daysMoved(sideways.view.period)).toBe(1);
  });

  it('is grabbed by a tap on its handle, and pulled by any drag of it', () => {
    const { gestures, grab, drop, pull, inspect } = gesturesOnPlot();
    gestures.press(finger(1010, 100), handle);
    gestures.release(1, false);
    expect([grab.mock.calls, drop.mock.calls.length]).toEqual([[['a1']], 1]);
    gestures.press(finger(1010, 100), handle);
    vi.advanceTimersByTime(300);
    gestures.move(finger(1040, 95), true);
    expect(pull.mock.calls).toEqual([[5]]);
    expect(inspect.mock.calls).toEqual([[null]]);
  });
});

describe('the wheel', () => {
  const wheel = { x: 250, deltaX: 0, deltaY: 0, shiftKey: false };

  it('zooms around the pointer, and moves the view sideways', () => {
    const { gestures, view } = gesturesOnPlot();
    const instant = WEEKS_AGO.start + 2.5 * DAY;
    gestures.wheel({ ...wheel, deltaY: 400 });
    expect(lengthOf(view.period)).toBeGreaterThan(10 * DAY);
    expect(view.period.start + 0.25 * lengthOf(view.period)).toBeCloseTo(instant, -1);

    const other = gesturesOnPlot();
    other.gestures.wheel({ ...wheel, deltaX: 100 });
    other.gestures.wheel({ ...wheel, deltaY: 200, shiftKey: true });
    expect(daysMoved(other.view.period)).toBeCloseTo(3, 6);
  });

  it('settles once it pauses', () => {
    const { gestures, view } = gesturesOnPlot();
    gestures.wheel({ ...wheel, deltaY: 40 });
    vi.advanceTimersByTime(100);
    gestures.wheel({ ...wheel, deltaY: 40 });
    vi.advanceTimersByTime(100);
    expect(view.isMoving).toBe(true);
    vi.advanceTimersByTime(100);
    expect(view.isMoving).toBe(false);
  });
});
