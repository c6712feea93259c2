import { expect, it } from 'vitest';
import { rainSums } from '../../src/chart/rain-bars.ts';
import { DAY } from '../time.ts';
import { CHART_NOW, oakChart } from './oak-chart.ts';

/** 1 July in Paris begins at 22:00 UTC of 30 June. */
const MIDNIGHT = Date.UTC(2026, 5, 30, 22);

it('sums the rain of a local day, of the day in which the period begins too', () => {
  const rain = [
    { at: MIDNIGHT - 7 * DAY, mm: 2 },
    { at: MIDNIGHT, mm: 3 },
    { at: MIDNIGHT, mm: 1.5 },
  ];
  expect(rainSums(oakChart({ rain }), 600)).toEqual({
    period: 'day',
    sums: [
      { from: MIDNIGHT - 7 * DAY, to: MIDNIGHT - 6 * DAY, mm: 2 },
      { from: MIDNIGHT, to: MIDNIGHT + DAY, mm: 4.5 },
    ],
  });
});

it.each([
  [60, 'day'],
  [90, 'week'],
  [900, 'month'],
] as const)('sums daily rain over %i days by %s and loses none', (days, expected) => {
  const rain = Array.from({ length: days }, (_, index) => ({ at: MIDNIGHT - index * DAY, mm: 2 }));
  const { period, sums } = rainSums(oakChart({ start: CHART_NOW - days * DAY, rain }), 600);
  expect(period).toBe(expected);
  expect(sums.reduce((total, { mm }) => total + mm, 0)).toBe(2 * days);
});

it('leaves out rain of other days', () => {
  const rain = [MIDNIGHT - 9 * DAY, MIDNIGHT + DAY].map((at) => ({ at, mm: 5 }));
  expect(rainSums(oakChart({ rain }), 600).sums).toEqual([]);
});
