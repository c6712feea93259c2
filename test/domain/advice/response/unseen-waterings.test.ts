import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DepthCurve } from '../../../../src/domain/advice/watering-response.ts';
import { minRiseHeight } from '../../../../src/domain/moisture/wetting-events.ts';
import { HOUR } from '../../../time.ts';
import { curve, FIELD_CAPACITY, HOURS, judge, watered } from './jumping-soil.ts';

describe('waterings that no depth shows', () => {
  it('are doubted from two in a row on', () => {
    expect(judge([curve(10), curve(30)])).toEqual({
      unseen: { startedAt: [200 * HOUR, 100 * HOUR], areScheduled: false },
      logShift: null,
    });
    expect(judge([curve(10)], watered([200])).unseen).toBeNull();
  });

  it('are none where a depth gains a point in the end, though no rise stands out', () => {
    const gaining = (points: number): DepthCurve => {
      const still = curve(30);
      const gainAt = (at: number): number =>
        Math.max(0, at / HOUR - 100) * ((points + 2.36) / (HOURS - 100));
      return {
        ...still,
        points: still.points.map(({ at, value }) => ({ at, value: value + gainAt(at) })),
      };
    };
    expect(judge([curve(10), gaining(1.3)]).unseen).toBeNull();
    expect(judge([curve(10), gaining(0.3)]).unseen).not.toBeNull();
  });

  it('are not in a row if a depth showed the newest one, whichever depth', () => {
    expect(judge([curve(10), curve(30, [203])]).unseen).toBeNull();
  });

  it('are doubted by those since the last that was seen', () => {
    const { unseen } = judge([curve(10, [51])], watered([50, 150, 250]));
    expect(unseen?.startedAt).toEqual([250 * HOUR, 150 * HOUR]);
  });

  it('count by local day, whose pulses act together: 5 mm of them', () => {
    const pulses = [100, 103, 200, 203];
    expect(judge([curve(10)], watered(pulses, 2.5)).unseen?.startedAt).toHaveLength(2);
    expect(judge([curve(10)], watered(pulses, 2.4)).unseen).toBeNull();
    expect(judge([curve(10)], watered(pulses, null)).unseen).toBeNull();
  });

  it('are not judged in soil less than 2 points below field capacity', () => {
    // By the first of them it has lost a point.
    expect(judge([curve(10, [], FIELD_CAPACITY - 1.1)]).unseen?.startedAt).toHaveLength(2);
    expect(judge([curve(10, [], FIELD_CAPACITY - 0.5)]).unseen).toBeNull();
  });

  it('are given a day, or two where the top sensor lies below 30 cm', () => {
    const deep = [131, 231];
    expect(judge([curve(30, deep)]).unseen).not.toBeNull();
    expect(judge([curve(31, deep)]).unseen).toBeNull();
    expect(judge([curve(30)], watered([100, 312])).unseen).toBeNull();
  });

  it('need readings that would show a rise', () => {
    const gap = ({ at }: { readonly at: number }) => at < 201 * HOUR || at > 214 * HOUR;
    const top = curve(10);
    expect(judge([{ ...top, points: top.points.filter(gap) }]).unseen).toBeNull();
  });

  it('need to be enough to reach a deep top sensor in dry soil', () => {
    // At 30 cm and 8 or 9 points below field capacity: half of some 27 mm.
    expect(judge([curve(30)], watered([100, 200], 12)).unseen).toBeNull();
    expect(judge([curve(30)], watered([100, 200], 14)).unseen).not.toBeNull();
  });

  it('do not add up where the crop drinks each dose before the next', () => {
    // 7 mm of a fraction of 0.35. At 20 cm and 10 points below field capacity: half of some 20 mm.
    const light = (hours: readonly number[]) => watered(hours, 7, { waterMm: 2.45 });
    const dry = curve(20, [], 19);
    expect(judge([dry], light([60, 132, 204, 276])).unseen).toBeNull();
    // A valve that stays shut gives none of four days in a row.
    expect(judge([dry], light([204, 216, 228, 240, 252, 264])).unseen).not.toBeNull();
  });

  it('are not doubted where a sensor of whole points gained one after each', () => {
    const top = curve(10);
    const points = top.points.map(({ at }, hour) => ({
      at,
      value: 20 + ([100, 200].some((start) => hour > start && hour < start + 30) ? 1 : 0),
    }));
    const coarse = { ...top, points, minRise: minRiseHeight(points, 1) };
    expect(coarse.minRise).toBeGreaterThan(2);
    expect(judge([coarse], watered([100, 200], 9), new Map([[10, 1]])).unseen).toBeNull();
    expect(judge([coarse], watered([150, 250], 9), new Map([[10, 1]])).unseen).not.toBeNull();
  });

  it('are doubted although a depth gained less than a tenth of what they bring it', () => {
    // 15 mm over 20 cm are 7.5 points.
    const gaining = (points: number) => {
      const top = curve(10);
      const raised = top.points.map(({ at, value }, hour) => ({
        at,
        value: value + points * (hour > 202 ? 1 : 0),
      }));
      return judge([{ ...top, points: raised }]).unseen;
    };
    expect(gaining(0.7)).not.toBeNull();
    expect(gaining(0.8)).toBeNull();
  });

  it('are known as unconfirmed only if all are', () => {
    const scheduled = watered([100], 15, { isConfirmed: false });
    expect(judge([curve(10)], [...scheduled, ...watered([200])]).unseen?.areScheduled).toBe(false);
    const both = watered([100, 200], 15, { isConfirmed: false });
    expect(judge([curve(10)], both).unseen?.areScheduled).toBe(true);
  });

  it('are never found where each is followed by a rise within a day', () => {
    const starts = fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 8 });
    const property = fc.property(starts, fc.integer({ min: 1, max: 20 }), (days, delay) => {
      const hours = days.sort((a, b) => a - b).map((day) => 24 * day);
      const { unseen } = judge(
        [
          curve(
            10,
            hours.map((hour) => hour + delay),
            0,
          ),
        ],
        watered(hours),
      );
      expect(unseen).toBeNull();
    });
    fc.assert(property, { numRuns: 40 });
  });
});
