import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drySpells } from '../../../src/domain/facts/dry-spells.ts';
import { estimateDryingRate, sunShare } from '../../../src/domain/facts/drying-rate.ts';
import type { TimedValue } from '../../../src/domain/moisture/series.ts';
import { DAY, HOUR } from '../../time.ts';

/** A midnight in UTC. */
const BEGIN = Date.UTC(2026, 5, 1);

const estimate = (
  spells: readonly (readonly TimedValue[])[],
  { deepest = [] as readonly TimedValue[], residual = null as number | null } = {},
) => estimateDryingRate(spells, deepest, { zone: 'UTC', residual });

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
    const pace = estimate(drySpells(points, waterings))!;
    expect(pace).toMatchObject({ perDay: expect.closeTo(-0.8, 6), basis: 'newest', count: 7 });
  });

  it('is scaled by sun under daily watering', () => {
    // 22 hours from 15:00 to 12:00: the sun of 12 to 15 is (cos 5/12 pi - cos 8/12 pi) / 2 = 0.3794
    // of a day's.
    const { points, waterings } = watered(0.8, 1, 13);
    const spell = points.slice(0, 22);
    expect(spell[0]!.value - spell.at(-1)!.value).toBeCloseTo(0.8 * (1 - 0.3794), 3);
    expect(estimate(drySpells(points, waterings))).toMatchObject({
      perDay: expect.closeTo(-0.8, 6),
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
          expect(estimate(drySpells(points, waterings))!.perDay).toBeCloseTo(-perDay, 6);
        },
      ),
    ));

  it('is robust against a few odd days', () => {
    // Before each third watering the soil loses four points more in a night.
    const { points, waterings } = watered(0.8, 2, 6);
    const odd = points.map((point, index) =>
      index % 138 > 100 ? { ...point, value: point.value - 4 } : point,
    );
    expect(estimate(drySpells(odd, waterings))!.perDay).toBeCloseTo(-0.8, 1);
  });

  it('ignores the soaking after a watering', () => {
    const { points, waterings } = watered(0.8, 2, 6);
    const sinking = points.map((point, index) => ({
      ...point,
      value: point.value + Math.max(0, 6 - (index % 46)),
    }));
    expect(estimate(drySpells(sinking, waterings))!.perDay).toBeCloseTo(-0.8, 6);
  });

  it('is estimated from one reading a day', () => {
    const points = [0, 1, 2, 3].map((day) => ({ at: BEGIN + day * DAY, value: 30 - day }));
    expect(estimate(drySpells(points, []))).toMatchObject({
      perDay: -1,
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
    expect(estimate(drySpells(rainOnDrySoil(36), []))).toMatchObject({
      perDay: expect.closeTo(-0.5, 6),
      basis: 'newest',
      count: 11,
    });
  });

  it('is the usual one until a day has passed after the soaking', () => {
    // The last of 29 hourly values is 22 hours after the soaking.
    expect(estimate(drySpells(rainOnDrySoil(29), []))).toMatchObject({
      perDay: expect.closeTo(-0.1, 6),
      basis: 'days',
      count: 11,
    });
  });

  it('is robust against an odd newest reading', () => {
    const points = rainOnDrySoil(36).map((point, index, { length }) =>
      index === length - 1 ? { ...point, value: point.value - 4 } : point,
    );
    expect(estimate(drySpells(points, []))!.perDay).toBeCloseTo(-0.5, 6);
  });

  it('is null from two days, from spells shorter than half a day, and from nights', () => {
    const days = (from: number, hours: number, count: number) =>
      Array.from({ length: count }, (_, day) => bySun(BEGIN + day * DAY + from * HOUR, hours, 1));
    expect(estimate([bySun(BEGIN, 49, 1)])).toBeNull();
    expect(estimate([bySun(BEGIN, 73, 1)])).toMatchObject({
      basis: 'newest',
      count: 3,
    });
    expect(estimate(days(7, 12, 14))).toBeNull();
    expect(estimate(days(7, 13, 14))).toMatchObject({ basis: 'parts', count: 14 });
    expect(estimate(days(18, 15, 13))).toBeNull();
    expect(estimate(days(7, 13, 2))).toBeNull();
  });

  it('counts falls alone: days on which dew or fog hid what plants took do not slow it', () => {
    const points = bySun(BEGIN, 10 * 24, 0.8).map(({ at, value }, hour) => ({
      at,
      // Every third day it gains what it lost.
      value: value + 0.8 * Math.floor(hour / 72) + (hour % 72 >= 48 ? 0.8 : 0),
    }));
    expect(estimate([points])!.usualPerDay).toBeCloseTo(-0.8, 1);
  });

  it('is 0, and not unknown, where no day fell', () => {
    const flat = Array.from({ length: 96 }, (_, hour) => ({ at: BEGIN + hour * HOUR, value: 30 }));
    expect(estimate([flat])).toMatchObject({ perDay: 0, usualPerDay: 0, basis: 'days' });
  });

  it('leaves out days on which the deepest sensor gains', () => {
    // For four days water sinks on: the curve falls by 2 points a day, then plants take 0.5.
    const sinks = (hour: number) => Math.min(96, hour) / 24;
    const hours = Array.from({ length: 9 * 24 }, (_, hour) => hour);
    const points = hours.map((hour) => ({
      at: BEGIN + hour * HOUR,
      value: 40 - 2 * sinks(hour) - 0.5 * (hour / 24 - sinks(hour)),
    }));
    const deepest = points.map(({ at }, hour) => ({ at, value: 20 + 0.3 * sinks(hour) }));
    expect(estimate([points], { deepest })).toMatchObject({
      usualPerDay: expect.closeTo(-0.5, 6),
      count: 5,
    });
    expect(estimate([points])!.count).toBe(9);
    // A healthy twin: its deepest sensor dries too.
    const dries = points.map(({ at }, hour) => ({ at, value: 20 - 0.01 * hour }));
    expect(estimate([points], { deepest: dries })).toEqual(estimate([points]));
    expect(estimate([points], { deepest: dries.slice(0, 3) })!.count).toBe(9);
  });

  it('finds the rate of an exponential fall, whatever it is', () =>
    fc.assert(
      fc.property(
        fc.double({ min: 0.03, max: 0.5, noNaN: true }),
        fc.double({ min: 0, max: 15, noNaN: true }),
        (k, residual) => {
          const points = Array.from({ length: 8 * 24 }, (_, hour) => ({
            at: BEGIN + hour * HOUR,
            value: residual + 20 * Math.exp((-k * hour) / 24),
          }));
          const { decay } = estimate([points], { residual })!;
          expect(decay!.residual).toBe(residual);
          expect(decay!.perDay).toBeCloseTo(-k, 6);
          expect(decay!.usualPerDay).toBeCloseTo(-k, 6);
        },
      ),
      { numRuns: 30 },
    ));
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
