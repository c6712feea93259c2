import { describe, expect, it } from 'vitest';
import { drySpells } from '../../../src/domain/advice/drying-rate.ts';
import type { TimedValue } from '../../../src/domain/moisture/series.ts';
import { DAY, HOUR } from '../../time.ts';

const BEGIN = Date.UTC(2026, 5, 1);

const hourly = (days: number, valueAt: (day: number) => number): TimedValue[] =>
  Array.from({ length: 24 * days }, (_, hour) => ({ at: BEGIN + hour * HOUR, value: valueAt(hour / 24) }));

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
    const points = [0, 1, 2, 3].map((day) => ({ at: BEGIN + day * DAY, value: day < 2 ? 30 - day : 35 - day }));
    expect(drySpells(points, []).map(({ length }) => length)).toEqual([2, 2]);
  });
});
