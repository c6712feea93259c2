import { expect, it } from 'vitest';
import { plotFor } from '../../src/chart/layout.ts';
import type { ChartedWatering } from '../../src/chart/moisture-chart.ts';
import { wateringBars, wateringSums } from '../../src/chart/watering-bars.ts';
import { DAY, HOUR } from '../time.ts';
import { CHART_NOW, chartWatering, oakChart } from './oak-chart.ts';

const watering = (at: number, overrides: Partial<ChartedWatering> = {}) =>
  chartWatering(at, { mm: 2, ...overrides });

it('draws each watering by itself while there is room', () => {
  const waterings = [watering(CHART_NOW - DAY), watering(CHART_NOW - 3 * DAY, { mm: 5 })];
  const { barsPer, sums } = wateringSums(oakChart({ waterings }), 600);
  expect(barsPer).toBe('watering');
  expect(sums.map(({ from, doneMm }) => [from, doneMm])).toEqual([
    [CHART_NOW - 3 * DAY, 5],
    [CHART_NOW - DAY, 2],
  ]);
});

it('includes a watering at the start of the period, not one at its end', () => {
  const waterings = [CHART_NOW - 7 * DAY - 1, CHART_NOW - 7 * DAY, CHART_NOW - 1, CHART_NOW].map(
    (at) => watering(at),
  );
  expect(wateringSums(oakChart({ waterings }), 600).sums.map(({ from }) => from)).toEqual([
    CHART_NOW - 7 * DAY,
    CHART_NOW - 1,
  ]);
});

it('sums waterings that are close together by local day', () => {
  // 1 July in Paris begins at 22:00 UTC of 30 June.
  const midnight = Date.UTC(2026, 5, 30, 22);
  const waterings = [
    watering(midnight - HOUR),
    watering(midnight),
    watering(midnight + HOUR, { isPlanned: true, mm: 3 }),
    watering(midnight + 2 * HOUR, { mm: null }),
  ];
  expect(wateringSums(oakChart({ waterings }), 600)).toEqual({
    barsPer: 'day',
    sums: [
      { from: midnight - DAY, to: midnight, doneMm: 2, unseenMm: 0, hasUnknownDose: false },
      { from: midnight, to: midnight + DAY, doneMm: 2, unseenMm: 3, hasUnknownDose: true },
    ],
  });
});

it.each([
  [90, 'week'],
  [900, 'month'],
] as const)('sums a daily watering over %i days by %s and loses none', (days, expected) => {
  const waterings = Array.from({ length: days }, (_, index) =>
    watering(CHART_NOW - (index + 1) * DAY),
  );
  const { barsPer, sums } = wateringSums(
    oakChart({ start: CHART_NOW - days * DAY, waterings }),
    600,
  );
  expect(barsPer).toBe(expected);
  expect(sums.reduce((total, { doneMm }) => total + doneMm, 0)).toBe(2 * days);
});

it('labels a bar with its dose, with ? if it is unknown, with both if a part is', () => {
  const plot = plotFor({ labelWidth: 100, hasWaterings: true });
  const label = (...waterings: ChartedWatering[]) =>
    wateringBars(oakChart({ waterings }), plot).bars.map((bar) => bar.label);
  expect(label(watering(CHART_NOW - DAY, { mm: 3.25 }))).toEqual(['3.3']);
  expect(label(watering(CHART_NOW - DAY, { mm: null }))).toEqual(['?']);
  expect(label(watering(CHART_NOW - DAY), watering(CHART_NOW - DAY, { mm: null }))).toEqual([
    '2 + ?',
  ]);
});
