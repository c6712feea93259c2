import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drySpells } from '../../../src/domain/facts/dry-spells.ts';
import {
  daysUntilStress,
  estimateDryingRate,
  sunShare,
} from '../../../src/domain/facts/drying-rate.ts';
import type { TimedValue } from '../../../src/domain/moisture/series.ts';
import { DAY, HOUR } from '../../time.ts';

/** A midnight in UTC. */
const BEGIN = Date.UTC(2026, 5, 1);

/** Hourly values from `from` of a curve that loses `perDay` a day in proportion to the sun. */
const bySun = (from: number, hours: number, perDay: number): TimedValue[] =>
  Array.from({ length: hours }, (_, hour) => ({
    at: from + hour * HOUR,
    value: 30 - perDay * sunShare(from, from + hour * HOUR, 'UTC'),
  }));

/**
 * Two weeks of a soil that the sun dries, watered at one hour every few days and back at 30 % two
 * hours later.
 */
function watered(
  perDay: number,
  everyDays: number,
  hour: number,
  odd: (day: number) => number = () => 0,
) {
  const waterings = Array.from({ length: Math.ceil(14 / everyDays) }, (_, index) => {
    const start = BEGIN + index * everyDays * DAY + hour * HOUR;
    return { start, end: start + 2 * HOUR };
  });
  const points = waterings.flatMap(({ start, end }) =>
    bySun(end, everyDays * 24 - 2, perDay).map(({ at, value }) => ({
      at,
      value: value - odd((start - BEGIN) / DAY),
    })),
  );
  return { points, waterings };
}

describe('the drying rate', () => {
  it('is estimated between waterings every second day, without a whole dry calendar day', () => {
    // 46 hours from 08:00; in the first six the water soaks in. Each of 7 spells holds one whole
    // day.
    const { points, waterings } = watered(0.8, 2, 6);
    const pace = estimateDryingRate(drySpells(points, waterings), 'UTC')!;
    expect(pace).toEqual({ pointsPerDay: expect.closeTo(-0.8, 6), basis: 'newest', count: 7 });
  });

  it('is scaled by sun under daily watering', () => {
    // 22 hours from 15:00 to 12:00: the sun of 12 to 15 is (cos 5/12 pi - cos 8/12 pi) / 2 = 0.3794
    // of a day's.
    const { points, waterings } = watered(0.8, 1, 13);
    const spell = points.slice(0, 22);
    expect(spell[0]!.value - spell.at(-1)!.value).toBeCloseTo(0.8 * (1 - 0.3794), 3);
    expect(estimateDryingRate(drySpells(points, waterings), 'UTC')).toEqual({
      pointsPerDay: expect.closeTo(-0.8, 6),
      basis: 'parts',
      count: 14,
    });
  });

  it('is that of the soil, however often it is watered', () =>
    fc.assert(
      fc.property(
        fc.double({ min: 0.2, max: 2, noNaN: true }),
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 0, max: 21 }),
        (perDay, everyDays, hour) => {
          const { points, waterings } = watered(perDay, everyDays, hour);
          expect(estimateDryingRate(drySpells(points, waterings), 'UTC')!.pointsPerDay).toBeCloseTo(
            -perDay,
            6,
          );
        },
      ),
    ));

  it('is robust against a few odd days', () => {
    // Before each third watering the soil loses four points more in a night.
    const { points, waterings } = watered(0.8, 2, 6);
    const odd = points.map((point, index) =>
      index % 138 > 100 ? { ...point, value: point.value - 4 } : point,
    );
    expect(estimateDryingRate(drySpells(odd, waterings), 'UTC')!.pointsPerDay).toBeCloseTo(-0.8, 1);
  });

  it('ignores the soaking after a watering', () => {
    const { points, waterings } = watered(0.8, 2, 6);
    const sinking = points.map((point, index) => ({
      ...point,
      value: point.value + Math.max(0, 6 - (index % 46)),
    }));
    expect(estimateDryingRate(drySpells(sinking, waterings), 'UTC')!.pointsPerDay).toBeCloseTo(
      -0.8,
      6,
    );
  });

  it('is estimated from one reading a day', () => {
    const points = [0, 1, 2, 3].map((day) => ({ at: BEGIN + day * DAY, value: 30 - day }));
    expect(estimateDryingRate(drySpells(points, []), 'UTC')).toEqual({
      pointsPerDay: -1,
      basis: 'newest',
      count: 3,
    });
  });

  /** Ten days that lose 0.1 points each, rain, and `hours` of a wet soil that loses 0.9 a day. */
  const rainOnDrySoil = (hours: number): TimedValue[] => [
    ...bySun(BEGIN, 240, 0.1),
    ...bySun(BEGIN + 10 * DAY, hours, 0.9).map(({ at, value }) => ({ at, value: value + 5 })),
  ];

  it('is halfway between the newest day and the usual one, as after rain on dry soil', () => {
    expect(estimateDryingRate(drySpells(rainOnDrySoil(36), []), 'UTC')).toEqual({
      pointsPerDay: expect.closeTo(-0.5, 6),
      basis: 'newest',
      count: 11,
    });
  });

  it('is the usual one until a day has passed after the soaking', () => {
    // The last of 29 hourly values is 22 hours after the soaking.
    expect(estimateDryingRate(drySpells(rainOnDrySoil(29), []), 'UTC')).toEqual({
      pointsPerDay: expect.closeTo(-0.1, 6),
      basis: 'days',
      count: 11,
    });
  });

  it('is robust against an odd newest reading', () => {
    const points = rainOnDrySoil(36).map((point, index, { length }) =>
      index === length - 1 ? { ...point, value: point.value - 4 } : point,
    );
    expect(estimateDryingRate(drySpells(points, []), 'UTC')!.pointsPerDay).toBeCloseTo(-0.5, 6);
  });

  it('is null from two days, from spells shorter than half a day, and from nights', () => {
    const days = (from: number, hours: number, count: number) =>
      Array.from({ length: count }, (_, day) => bySun(BEGIN + day * DAY + from * HOUR, hours, 1));
    expect(estimateDryingRate([bySun(BEGIN, 49, 1)], 'UTC')).toBeNull();
    expect(estimateDryingRate([bySun(BEGIN, 73, 1)], 'UTC')).toMatchObject({
      basis: 'newest',
      count: 3,
    });
    expect(estimateDryingRate(days(7, 12, 14), 'UTC')).toBeNull();
    expect(estimateDryingRate(days(7, 13, 14), 'UTC')).toMatchObject({ basis: 'parts', count: 14 });
    expect(estimateDryingRate(days(18, 15, 13), 'UTC')).toBeNull();
    expect(estimateDryingRate(days(7, 13, 2), 'UTC')).toBeNull();
  });

  it('gives fewer days until the stress point with more demand, and more with rain', () => {
    const days = (rainPoints: number, demandPercent: number, ageDays = 0) =>
      daysUntilStress(20, { value: 23, ageDays }, -0.5, { rainPoints, demandPercent });
    expect(days(0, 100)).toBe(6);
    expect(days(0, 150)).toBe(4);
    expect(days(1, 100)).toBe(8);
    expect(days(1, 50)).toBe(16);
    // In the day since the reading it fell by 0.5 points, at the pace so far; 2.5 points at 0.75 a
    // day remain.
    expect(days(0, 150, 1)).toBeCloseTo(2.5 / 0.75, 9);
    expect(
      daysUntilStress(20, { value: 20, ageDays: 0 }, -0.5, { rainPoints: 5, demandPercent: 50 }),
    ).toBe(0);
    expect(
      daysUntilStress(20, { value: 23, ageDays: 0 }, -0.05, { rainPoints: 0, demandPercent: 10 }),
    ).toBe(600);
  });

  it('gives days until the stress point, 0 below it, and null without drying', () => {
    expect(daysUntilStress(20, { value: 23, ageDays: 0 }, -0.5)).toBe(6);
    expect(daysUntilStress(20, { value: 20, ageDays: 0 }, 0)).toBe(0);
    expect(daysUntilStress(20, { value: 23, ageDays: 0 }, -0.001)).toBeNull();
    expect(daysUntilStress(20, { value: 23, ageDays: 0 }, 0.5)).toBeNull();
  });

  it('gives days from now, also when the newest value is old', () => {
    expect(daysUntilStress(20, { value: 23, ageDays: 1 }, -0.5)).toBe(5);
    expect(daysUntilStress(20, { value: 20.2, ageDays: 1 }, -0.5)).toBe(0.1);
  });
});

const hourly = (days: number, valueAt: (day: number) => number): TimedValue[] =>
  Array.from({ length: 24 * days }, (_, hour) => ({
    at: BEGIN + hour * HOUR,
    value: valueAt(hour / 24),
  }));

/** First and last hour of each spell, counted from the begin. */
const bounds = (spells: readonly (readonly TimedValue[])[]): number[][] =>
  spells.map((spell) => [spell[0]!.at, spell.at(-1)!.at].map((at) => (at - BEGIN) / HOUR));

describe('a dry spell', () => {
  it('lasts from the end of a watering to the hour before the next one', () => {
    const points = hourly(3, (day) => 30 - day / 2);
    const waterings = [
      { start: BEGIN + 6 * HOUR, end: BEGIN + 7.5 * HOUR },
      { start: BEGIN + 54.5 * HOUR, end: BEGIN + 55 * HOUR },
    ];
    expect(bounds(drySpells(points, waterings))).toEqual([
      [0, 5],
      [8, 53],
      [55, 71],
    ]);
  });

  it('ends where the curve rises and starts at its peak, logged or not', () => {
    // From hour 30 to hour 33 it climbs by two points an hour.
    const points = hourly(3, (day) => 30 - day / 2 + 2 * Math.min(3, Math.max(0, 24 * day - 30)));
    expect(bounds(drySpells(points, []))).toEqual([
      [0, 30],
      [33, 71],
    ]);
  });

  it('is cut by a watering of unknown length', () => {
    const at = BEGIN + 30 * HOUR + 1;
    expect(
      bounds(
        drySpells(
          hourly(2, (day) => 30 - day),
          [{ start: at, end: at }],
        ),
      ),
    ).toEqual([
      [0, 29],
      [31, 47],
    ]);
  });

  it('ends in a gap of half a day after which the curve is higher', () => {
    const points = [0, 1, 2, 3].map((day) => ({
      at: BEGIN + day * DAY,
      value: day < 2 ? 30 - day : 35 - day,
    }));
    expect(drySpells(points, []).map(({ length }) => length)).toEqual([2, 2]);
  });
});
