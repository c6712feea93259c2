import { describe, expect, it } from 'vitest';
import {
  doubtCapacity,
  drainedWettings,
  fieldCapacityOf,
  offeredCapacity,
} from '../../../src/domain/advice/field-capacity.ts';
import type { DepthCurve } from '../../../src/domain/advice/watering-response.ts';
import type { TimedValue } from '../../../src/domain/moisture/series.ts';
import { minRiseHeight } from '../../../src/domain/moisture/wetting-events.ts';
import { DAY, HOUR } from '../../time.ts';

const LOAM = { fieldCapacity: 28, rootDepthCm: 40 };
const START = Date.UTC(2026, 4, 1);
const DAYS = 60;
const NOW = START + DAYS * DAY;
const CAPACITY = 28;

/**
 * A depth by the hour: wetted `rise` points above field capacity, it drains with a time constant of
 * 6 hours, and below field capacity loses 0.5 points a day. `reach` is the time that the water
 * takes to it.
 */
function depthCurve(depthCm: number, wettedAt: readonly number[], reachMs: number): DepthCurve {
  const points: TimedValue[] = [];
  let value = CAPACITY - 4;
  for (let at = START; at < NOW; at += HOUR) {
    if (wettedAt.some((each) => each + reachMs <= at && at < each + reachMs + 2 * HOUR))
      value = CAPACITY + 8;
    else
      value =
        value > CAPACITY ? CAPACITY + (value - CAPACITY) * Math.exp(-1 / 6) - 0.02 : value - 0.02;
    points.push({ at, value });
  }
  return {
    depthCm,
    slice: { topCm: depthCm - 10, bottomCm: depthCm + 10 },
    fieldCapacity: null,
    points,
    frozen: [],
    minRise: minRiseHeight(points),
  };
}

const probe = (thorough: readonly number[], shallow: readonly number[] = []) => [
  depthCurve(10, [...thorough, ...shallow].sort(), 0),
  depthCurve(30, thorough, 4 * HOUR),
];

const mean = ([upper, lower]: readonly DepthCurve[]): TimedValue[] =>
  upper!.points.map(({ at, value }, index) => ({
    at,
    value: (value + lower!.points[index]!.value) / 2,
  }));

const wetting = (day: number): number => START + day * DAY + 6 * HOUR;

const frozenOn = (days: readonly number[], curves: readonly DepthCurve[]): DepthCurve[] =>
  curves.map((curve) => ({
    ...curve,
    frozen: days.map((day) => ({ start: day - DAY / 2, end: day + DAY / 2 })),
  }));

const find = (curves: readonly DepthCurve[], more: { hourly?: TimedValue[]; now?: number } = {}) =>
  drainedWettings(curves, more.hourly ?? mean(curves), [], { now: more.now ?? NOW, soil: LOAM });

describe('the readings of a probe that is switched on', () => {
  const wettingsAt = (days: readonly number[]) => {
    const curves = probe(days.map(wetting));
    return drainedWettings(curves, mean(curves), [], { now: NOW, soil: LOAM }).wettings.length;
  };

  it('rise without a wetting in their first day, and with one after it', () => {
    expect(wettingsAt([0, 10, 20])).toBe(2);
    expect(wettingsAt([2, 10, 20])).toBe(3);
  });
});

describe('the field capacity in place', () => {
  it('is what the soil holds one to two days after wettings that reached the deepest slice', () => {
    const { wettings, unused } = find(probe([5, 15, 25, 35].map(wetting)));
    expect(wettings).toHaveLength(4);
    expect(unused).toEqual({ wateredAgain: 0, tooRecent: 0, gaps: 0 });
    const found = fieldCapacityOf(wettings)!;
    // In 36 hours 8 points drain to 0.02, and 0.5 points a day are used.
    expect(found.value).toBeGreaterThan(CAPACITY - 0.8);
    expect(found.value).toBeLessThan(CAPACITY + 0.3);
    expect(found.most - found.least).toBeLessThan(0.2);
  });

  it('ignores water that does not reach the deepest slice', () => {
    expect(find(probe([], [5, 15, 25, 35].map(wetting))).wettings).toEqual([]);
  });

  it('ignores a rise of soil that thaws, and what soil holds while it is frozen', () => {
    const curves = probe([5, 15, 25, 35].map(wetting));
    expect(find(frozenOn([wetting(15)], curves)).wettings).toHaveLength(3);
    const frozenLater = find(frozenOn([wetting(16.5), wetting(17)], curves));
    expect([frozenLater.wettings.length, frozenLater.unused.gaps]).toEqual([3, 1]);
  });

  it('ignores ground water, which moistens the deepest slice alone', () => {
    const rain = wetting(5);
    const curves = [
      depthCurve(10, [rain], 0),
      depthCurve(30, [rain, ...[15, 25, 35].map(wetting)], 4 * HOUR),
    ];
    expect(find(curves).wettings).toHaveLength(1);
  });

  it('is doubtful well below the one in force, and for wettings that differ widely', () => {
    const found = { value: 28, least: 27, most: 29 };
    const drawn = (fieldCapacity: number | null) => ({ fieldCapacity, isClass: false });
    for (const known of [null, 31, 20]) expect(doubtCapacity(found, drawn(known), [])).toBeNull();
    expect(doubtCapacity(found, drawn(33), [])).toBe('tooLow');
    expect(doubtCapacity({ ...found, least: 24 }, drawn(28), [])).toBe('tooWide');
  });

  it('ignores a wetting followed by more water within two days, even of a shallow one or only a logged one', () => {
    const days = [5, 15, 25, 35];
    const topped = find(probe(days.map(wetting), [wetting(16)]));
    expect([topped.wettings.length, topped.unused.wateredAgain]).toEqual([3, 1]);
    const curves = probe(days.map(wetting));
    const logged = { start: wetting(26), end: wetting(26) + HOUR, wettedMm: 5 };
    const { wettings, unused } = drainedWettings(curves, mean(curves), [logged], {
      now: NOW,
      soil: LOAM,
    });
    expect([wettings.length, unused.wateredAgain]).toEqual([3, 1]);
    expect(find(probe(days.map(wetting), [wetting(18)])).wettings).toHaveLength(4);
  });

  it('waits until two days have passed, and for enough readings', () => {
    const curves = probe([5, 15, 25].map(wetting));
    const recent = find(curves, { now: wetting(26) });
    expect([recent.wettings.length, recent.unused.tooRecent]).toEqual([2, 1]);
    const hourly = mean(curves).filter(({ at }) => at < wetting(15) || at > wetting(16.8));
    const withGap = find(curves, { hourly });
    expect([withGap.wettings.length, withGap.unused.gaps]).toEqual([2, 1]);
  });

  it('is not guessed from fewer than three', () => {
    const { wettings } = find(probe([5, 15, 25].map(wetting)));
    expect(fieldCapacityOf(wettings)).not.toBeNull();
    expect(fieldCapacityOf(wettings.slice(1))).toBeNull();
    expect(fieldCapacityOf([])).toBeNull();
  });
});

describe('a field capacity in place of that of a texture class', () => {
  const days = [5, 15, 25];
  const curves = probe(days.map(wetting));
  /** The soil is 5 to 8 points below 28 % before each wetting, of 40 cm of roots. */
  const wettingsOf = (wettedMm: number | null, soil = LOAM) => {
    const given = days.map((day) => ({
      start: wetting(day),
      end: wetting(day) + HOUR,
      wettedMm,
    }));
    return drainedWettings(curves, mean(curves), given, { now: NOW, soil }).wettings;
  };
  const offered = (values: readonly number[], of: number, isFilled = true) =>
    offeredCapacity(
      values.map((value, day) => ({ at: wetting(day), value, isFilled })),
      of,
    );

  it('is known of waterings that gave what the soil lacked', () => {
    expect(wettingsOf(40).map(({ isFilled }) => isFilled)).toEqual([true, true, true]);
    for (const mm of [10, null])
      expect(wettingsOf(mm).map(({ isFilled }) => isFilled)).toEqual([false, false, false]);
    // Roots of 80 cm are more than twice as deep as the deepest sensor.
    const deep = wettingsOf(400, { ...LOAM, rootDepthCm: 80 });
    expect(deep.some(({ isFilled }) => isFilled)).toBe(false);
  });

  it('is offered where it is higher, and three wettings agree', () => {
    expect(offered([31, 31.5, 30.8], 28, false)).toBe(31);
    expect(offered([31, 33.5, 30.8], 28)).toBeNull();
    expect(offered([31, 31.5], 28)).toBeNull();
    expect(offered([28.3, 28.4, 28.2], 28)).toBeNull();
  });

  it('is not offered after salt, which makes a sensor read more each time', () => {
    expect(offered([30.2, 31, 31.8], 28)).toBeNull();
    expect(offered([38, 37.5, 37.8], 28)).toBeNull();
  });

  it('is offered where it is lower only if the waterings were large enough', () => {
    expect(offered([22, 22.5, 22.3], 40)).toBe(22.3);
    // A drip orchard that is never filled must not learn to be content with that.
    expect(offered([22, 22.5, 22.3], 28, false)).toBeNull();
    expect(offered([22, 22.5, 22.3], 40, false)).toBeNull();
  });
});
