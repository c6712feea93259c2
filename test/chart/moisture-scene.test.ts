import { describe, expect, it } from 'vitest';
import { chartLines } from '../../src/chart/lines.ts';
import type { MoistureChart } from '../../src/chart/moisture-chart.ts';
import { chartSubtitle, chartTitle } from '../../src/chart/moisture-scene.ts';
import { textWidth, truncateText } from '../../src/chart/scene.ts';
import { formatChartPeriod } from '../../src/language/advice/chart-labels.ts';
import { languageOf } from '../../src/language/index.ts';
import { DAY, HOUR } from '../time.ts';
import { CHART_NOW, oakChart } from './oak-chart.ts';

const subtitle = (overrides: Partial<MoistureChart> = {}) => {
  const chart = oakChart(overrides);
  return chartSubtitle(chart, chartLines(chart)).replaceAll('\u00a0', ' ');
};
const period = (start: string, end: string) =>
  formatChartPeriod(
    Date.parse(start),
    Date.parse(end),
    'Europe/Paris',
    languageOf('en').chartLabels,
  );

describe('the heading', () => {
  it('names probe and parcel, or the probe alone if it is in none', () => {
    expect(chartTitle(oakChart())).toBe('Oak · Grove');
    expect(chartTitle(oakChart({ parcel: null }))).toBe('Oak');
  });

  it('shortens both names if they are long', () => {
    const title = chartTitle(oakChart({ name: 'Probe '.repeat(30), parcel: 'Parcel '.repeat(30) }));
    expect(title).toMatch(/^Probe Probe .*… · Parcel .*…$/);
    expect(textWidth(title, 27)).toBeLessThanOrEqual(768);
  });

  it('gives the newest value, with its age once it is older than 25 hours', () => {
    const [curve, newestValue] = [[{ at: CHART_NOW - 3 * DAY, value: 24.1 }], 24.1];
    expect(
      subtitle({
        curve: [{ at: CHART_NOW - DAY, value: 24.1 }],
        newestAt: CHART_NOW - DAY,
        newestValue,
      }),
    ).toBe('24 Jun – 1 Jul 2026  ·  newest 24.1 %');
    expect(subtitle({ curve, newestValue, newestAt: CHART_NOW - 3 * DAY })).toBe(
      '24 Jun – 1 Jul 2026  ·  newest 24.1 %, 3 days old',
    );
    expect(subtitle({ curve, newestValue, newestAt: CHART_NOW - 3 * DAY, lang: 'fr' })).toBe(
      '24 juin – 1 juil. 2026  ·  dernière valeur 24,1 %, il y a 3 jours',
    );
    expect(subtitle({ curve, newestValue, newestAt: CHART_NOW - 3 * DAY, lang: 'es' })).toBe(
      '24 jun – 1 jul 2026  ·  último valor 24,1 %, hace 3 días',
    );
  });

  it('gives the newest reading where the curve has means, and the length of a mean at the end of a past period', () => {
    const chart = {
      curve: [{ at: CHART_NOW - DAY, value: 24.1 }],
      newestAt: CHART_NOW - DAY,
      intervalMs: 6 * HOUR,
    };
    expect(subtitle({ ...chart, newestValue: 23.4 })).toMatch(/newest 23[.]4.%$/);
    expect(subtitle({ ...chart, newestValue: null })).toMatch(
      /last 24[.]1.% \(mean over 6 hours\)$/,
    );
    expect(subtitle({ ...chart, newestValue: null, lang: 'fr' })).toMatch(
      /24,1.% \(moyenne sur 6 heures\)$/,
    );
  });

  it('calls the last value of a past period last, not newest', () => {
    const curve = [{ at: CHART_NOW - DAY, value: 24 }];
    const past = {
      now: CHART_NOW + 30 * DAY,
      newestAt: CHART_NOW + 30 * DAY,
      newestValue: null,
      curve,
    };
    expect(subtitle(past)).toBe('24 Jun – 1 Jul 2026  ·  last 24 %');
  });

  it('says that there is no reading yet, or how old the newest one is', () => {
    expect(subtitle({ curve: [], newestAt: null })).toMatch(/no reading yet$/);
    expect(subtitle({ curve: [], newestAt: CHART_NOW - 9 * DAY })).toMatch(
      /newest reading 9 days old$/,
    );
  });
});

it.each([
  ['2026-06-23T22:00:00Z', '2026-06-30T22:00:00Z', '24 Jun – 30 Jun 2026'],
  ['2025-12-27T23:00:00Z', '2026-01-02T23:00:00Z', '28 Dec 2025 – 2 Jan 2026'],
  ['2026-06-30T22:00:00Z', '2026-07-01T10:00:00Z', '1 Jul 2026, 00:00 – 12:00'],
  ['2026-06-30T10:00:00Z', '2026-07-01T10:00:00Z', '30 Jun 2026, 12:00 – 1 Jul 2026, 12:00'],
])('writes the period from %s to %s in local time', (start, end, text) => {
  expect(period(start, end)).toBe(text);
});

describe('a text in a picture', () => {
  it('is cut between graphemes and fits', () => {
    const cut = truncateText('👩‍🌾'.repeat(40), 20, 200);
    expect(cut).toMatch(/^(👩‍🌾)+…$/u);
    expect(textWidth(cut, 20)).toBeLessThanOrEqual(200);
  });

  it('is unchanged if it fits', () => {
    expect(truncateText('Oak', 20, 200)).toBe('Oak');
  });
});
