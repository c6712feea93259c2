import { expect, it } from 'vitest';
import { wateringBars, wateringSums } from '../../src/chart/watering-bars.ts';

import { CHART_NOW, DAY, HOUR, oakChart } from './oak-chart.ts';

const watering = (at: number, more = {}) => ({ at, durationMin: 60, mm: 2, isPlanned: false, ...more });

it('keeps each watering by itself while they stand apart', () => {
  const waterings = [watering(CHART_NOW - DAY), watering(CHART_NOW - 3 * DAY, { mm: 5 })];
  const { span, sums } = wateringSums(oakChart({ waterings }), 600);
  expect(span).toBe('each');
  expect(sums.map(({ from, done }) => [from, done])).toEqual([
    [CHART_NOW - 3 * DAY, 5],
    [CHART_NOW - DAY, 2],
  ]);
});

it('takes those of the period alone, its start included and its end not', () => {
  const waterings = [CHART_NOW - 7 * DAY - 1, CHART_NOW - 7 * DAY, CHART_NOW - 1, CHART_NOW].map((at) => watering(at));
  expect(wateringSums(oakChart({ waterings }), 600).sums.map(({ from }) => from)).toEqual([
    CHART_NOW - 7 * DAY,
    CHART_NOW - 1,
  ]);
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
  expect(wateringSums(oakChart({ waterings }), 600)).toEqual({
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
  const waterings = Array.from({ length: days }, (_, index) => watering(CHART_NOW - (index + 1) * DAY));
  const { span, sums } = wateringSums(oakChart({ start: CHART_NOW - days * DAY, waterings }), 600);
  expect(span).toBe(expected);
  expect(sums.reduce((total, { done }) => total + done, 0)).toBe(2 * days);
});

it('labels a bar with its dose, with ? where it is not known, and with both where part of it is', () => {
  const label = (...waterings: ReturnType<typeof watering>[]) =>
    wateringBars(oakChart({ waterings }), 600).bars.map((bar) => bar.label);
  expect(label(watering(CHART_NOW - DAY, { mm: 3.25 }))).toEqual(['3.3']);
  expect(label(watering(CHART_NOW - DAY, { mm: null }))).toEqual(['?']);
  expect(label(watering(CHART_NOW - DAY), watering(CHART_NOW - DAY, { mm: null }))).toEqual(['2 + ?']);
});
