import { describe, expect, it } from 'vitest';
import { daysUntil, dryDays, dryingPace } from '../../src/domain/dry-days.ts';
import type { Moisture } from '../../src/domain/rises.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const BEGIN = Date.UTC(2026, 5, 1);

const hourly = (from: number, days: number, valueAt: (day: number) => number): Moisture[] =>
  Array.from({ length: 24 * days }, (_, hour) => ({ at: from + hour * HOUR, value: valueAt(hour / 24) }));

describe('a dry day', () => {
  it('is a local day into which no watering reached', () => {
    // Midnight in Paris is 22:00 UTC of the day before.
    const points = hourly(BEGIN - 2 * HOUR, 5, (day) => 30 - day / 2);
    const overMidnight = { start: BEGIN + DAY - 3 * HOUR, end: BEGIN + DAY - HOUR };
    const days = dryDays(points, [overMidnight], 'Europe/Paris');
    const first = BEGIN / DAY;
    expect(days.map(({ day }) => day)).toEqual([first + 2, first + 3, first + 4]);
  });

  it('is none where the curve rose, whatever the book says', () => {
    const points = hourly(BEGIN, 5, (day) => 30 - day / 2 + (day >= 2.5 ? 4 : 0));
    expect(dryDays(points, [], 'UTC').map(({ day }) => day - BEGIN / DAY)).toEqual([0, 1, 3, 4]);
  });

  it('is none that tells less than half of itself', () => {
    const points = hourly(BEGIN, 5, (day) => 30 - day / 2).slice(0, 4 * 24 + 6);
    expect(dryDays(points, [], 'UTC')).toHaveLength(4);
  });

  it('has one point where a probe sends once a day', () => {
    const points = [0, 1, 2, 3].map((day) => ({ at: BEGIN + day * DAY, value: 30 - day }));
    expect(dryingPace(dryDays(points, [], 'UTC'))).toBeCloseTo(-1);
  });
});

describe('the pace of drying', () => {
  const day = (number: number, value: number) => ({ day: number, at: number * DAY, value });

  it('is the median slope between two days of a dry spell, so that an odd day does not move it', () => {
    // 1-2: -1, 1-3: -1, 1-4: +3, 2-3: -1, 2-4: +5, 3-4: +11 without the last two days; with them -1 prevails.
    const days = [10, 9, 8, 19, 6, 5].map((value, index) => day(index + 1, value));
    expect(dryingPace(days)).toBe(-1);
  });

  it('holds no days against each other with water between them', () => {
    expect(dryingPace([day(1, 20), day(2, 19), day(4, 30), day(5, 29)])).toBe(-1);
  });

  it('is not known from fewer than three days, or where none follows another', () => {
    expect(dryingPace([day(1, 20), day(2, 19)])).toBeNull();
    expect(dryingPace([day(1, 20), day(3, 19), day(5, 18)])).toBeNull();
  });

  it('leads to the stress point, at once below it, and never where nothing dries', () => {
    expect(daysUntil(20, 23, -0.5)).toBe(6);
    expect(daysUntil(20, 20, 0)).toBe(0);
    expect(daysUntil(20, 23, -0.001)).toBeNull();
    expect(daysUntil(20, 23, 0.5)).toBeNull();
  });
});
