import { expect, it } from 'vitest';
import { barsOf } from '../../src/chart/bars.ts';
import { wateringSums } from '../../src/chart/watering-sums.ts';
import { DAY, HOUR, NOW, oak } from './oak.ts';

const watering = (at: number, more = {}) => ({ at, durationMin: 60, mm: 2, isPlanned: false, ...more });

it('keeps each watering by itself while they stand apart', () => {
  const waterings = [watering(NOW - DAY), watering(NOW - 3 * DAY, { mm: 5 })];
  const { span, sums } = wateringSums(oak({ waterings }), 600);
  expect(span).toBe('each');
  expect(sums.map(({ from, done }) => [from, done])).toEqual([
    [NOW - 3 * DAY, 5],
    [NOW - DAY, 2],
  ]);
});

it('takes those of the period alone, its start included and its end not', () => {
  const waterings = [NOW - 7 * DAY - 1, NOW - 7 * DAY, NOW - 1, NOW].map((at) => watering(at));
  expect(wateringSums(oak({ waterings }), 600).sums.map(({ from }) => from)).toEqual([NOW - 7 * DAY, NOW - 1]);
});

it('sums them by local days where they would run into each other', () => {
  // 1 July in Paris begins at 22:00 UTC of 30 June.
  const midnight = Date.UTC(2026, 5, 30, 22);
  const waterings = [
    watering(midnight - HOUR),
    watering(midnight),
    watering(midnight + HOUR, { isPlanned: true, mm: 3 }),
    watering(midnight + 2 * HOUR, { mm: null }),
  ];
  expect(wateringSums(oak({ waterings }), 600)).toEqual({
    span: 'day',
    sums: [
      { from: midnight - DAY, to: midnight, done: 2, planned: 0, isUnknown: false },
      { from: midnight, to: midnight + DAY, done: 2, planned: 3, isUnknown: true },
    ],
  });
});

it.each([
  [90, 'week'],
  [900, 'month'],
] as const)('sums a daily watering of %i days by the %s, and loses none', (days, expected) => {
  const waterings = Array.from({ length: days }, (_, index) => watering(NOW - (index + 1) * DAY));
  const { span, sums } = wateringSums(oak({ start: NOW - days * DAY, waterings }), 600);
  expect(span).toBe(expected);
  expect(sums.reduce((total, { done }) => total + done, 0)).toBe(2 * days);
});

it('labels a bar with its dose, with ? where it is not known, and with both where part of it is', () => {
  const label = (...waterings: ReturnType<typeof watering>[]) =>
    barsOf(oak({ waterings }), 600).bars.map((bar) => bar.label);
  expect(label(watering(NOW - DAY, { mm: 3.25 }))).toEqual(['3.3']);
  expect(label(watering(NOW - DAY, { mm: null }))).toEqual(['?']);
  expect(label(watering(NOW - DAY), watering(NOW - DAY, { mm: null }))).toEqual(['2 + ?']);
});
