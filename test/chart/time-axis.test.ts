import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textWidth } from '../../src/chart/scene.ts';
import { timeTicks } from '../../src/chart/time-axis.ts';
import { languageOf } from '../../src/language/index.ts';
import { propertyRuns } from '../property-runs.ts';
import { DAY, HOUR, MINUTE } from '../time.ts';

const axis = { zone: 'Europe/Paris', labels: languageOf('en').chartLabels, width: 600, size: 18 };
const ticksOf = (start: string, end: string, style = axis) =>
  timeTicks({ start: Date.parse(start), end: Date.parse(end) }, style).filter(
    ({ label }) => label !== '',
  );
const labels = (...args: Parameters<typeof ticksOf>) => ticksOf(...args).map(({ label }) => label);

describe('ticks of the time axis', () => {
  it('name each day of a week at its middle', () => {
    const ticks = ticksOf('2026-06-23T22:00:00Z', '2026-06-30T22:00:00Z');
    const week = 'Wed 24, Thu 25, Fri 26, Sat 27, Sun 28, Mon 29, Tue 30';
    expect(ticks.map(({ label }) => label).join(', ')).toBe(week);
    expect(ticks[0]).toMatchObject({
      at: Date.parse('2026-06-23T22:00:00Z'),
      labelAt: Date.parse('2026-06-24T10:00:00Z'),
    });
  });

  it('show hours of a day, and the name of the day at midnight', () => {
    const hours = '18:00, Wed 1, 06:00, 12:00, 18:00, Thu 2, 06:00';
    expect(labels('2026-06-30T16:00:00Z', '2026-07-02T04:00:00Z').join(', ')).toBe(hours);
  });

  it('show Mondays over three months, and months over a year', () => {
    expect(labels('2026-04-01T00:00:00Z', '2026-07-01T00:00:00Z').slice(0, 2)).toEqual([
      '13 Apr',
      '27 Apr',
    ]);
    const months = 'Nov, Dec, 2026, Feb, Mar, Apr, May, Jun';
    expect(labels('2025-10-15T00:00:00Z', '2026-06-15T00:00:00Z').join(', ')).toBe(months);
  });

  it('are labelled in French', () => {
    const french = { ...axis, labels: languageOf('fr').chartLabels };
    const days = 'mar. 30, mer. 1, jeu. 2, ven. 3';
    expect(labels('2026-06-29T22:00:00Z', '2026-07-03T22:00:00Z', french).join(', ')).toBe(days);
  });

  it('span 25 hours on the day the clocks go back, in ascending order', () => {
    const ticks = ticksOf('2026-10-24T22:00:00Z', '2026-10-26T23:00:00Z');
    const days = ticks.filter(({ label }) => /^[A-Z]/.test(label)).map(({ at }) => at);
    expect(days.slice(0, 2)).toEqual([
      Date.parse('2026-10-24T22:00:00Z'),
      Date.parse('2026-10-25T23:00:00Z'),
    ]);
    expect(days[1]! - days[0]!).toBe(25 * HOUR);
    const all = ticks.map(({ at }) => at);
    expect(all).toEqual([...all].sort((a, b) => a - b));
  });

  it('leave out the hour that a clock change skips', () => {
    const hours = labels('2026-03-28T23:00:00Z', '2026-03-29T05:00:00Z');
    expect(hours).toContain('01:00');
    expect(hours).toContain('03:00');
    expect(hours).not.toContain('02:00');
  });

  it('never overlap nor extend far beyond the plot, for any period and zone', () => {
    const period = fc.record({
      start: fc.integer({ min: Date.UTC(2000, 0, 1), max: Date.UTC(2030, 0, 1) }),
      length: fc.oneof(
        fc.integer({ min: MINUTE, max: 3 * DAY }),
        fc.integer({ min: DAY, max: 4000 * DAY }),
        fc.integer({ min: DAY, max: 2_000_000 * DAY }),
      ),
      zone: fc.constantFrom(
        'Europe/Paris',
        'Australia/Lord_Howe',
        'Asia/Kathmandu',
        'America/St_Johns',
        'UTC',
      ),
      lang: fc.constantFrom('en' as const, 'fr' as const),
      width: fc.integer({ min: 560, max: 720 }),
    });
    fc.assert(
      fc.property(period, ({ start, length, zone, lang, width }) => {
        const ticks = timeTicks(
          { start, end: start + length },
          { zone, labels: languageOf(lang).chartLabels, width, size: 18 },
        );
        let right = -45;
        for (const { label, labelAt } of ticks.filter((each) => each.label !== '')) {
          const middle = ((labelAt - start) / length) * width;
          const half = textWidth(label, 18) / 2;
          expect(middle - half).toBeGreaterThan(right);
          right = middle + half;
        }
        expect(right).toBeLessThan(width + 25);
      }),
      { numRuns: propertyRuns(150) },
    );
  });
});
