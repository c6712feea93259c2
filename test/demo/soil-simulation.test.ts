import { describe, expect, it } from 'vitest';
import { type DemoHistory, demoHistory } from '../../demo/farm/history.ts';
import { atProbeMm } from '../../demo/farm/waterings.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/domain/periods.ts';
import { isDeepRun } from '../property-runs.ts';

const NOW = Date.UTC(2026, 10, 20, 6);
const histories: [string, DemoHistory][] = [
  [NOW, 7],
  [Date.UTC(2028, 2, 1, 0, 0), 11],
  ...(isDeepRun ? [[Date.UTC(2026, 6, 14, 9, 15), 7]] : []),
].map(([now, seed]) => [`${new Date(now!).toISOString()}, seed ${seed}`, demoHistory(now!, seed!)]);

const topmost = ({ series }: DemoHistory, module: string): Float64Array =>
  series.find((each) => each.module === module && each.type === 'humidity' && each.depth === 10)!
    .values;

describe.each(histories)('the demo farm of %s', (_, history) => {
  const { instants, waterings, series } = history;

  it('shows every watering of 5 mm or more in the topmost sensor within three hours', () => {
    const seen = waterings.filter((each) => atProbeMm(each) >= 5);
    expect(seen.length).toBe(waterings.length);
    for (const { module, startedAt, durationMin } of seen) {
      const values = topmost(history, module);
      const start = instants.findIndex((at) => at > startedAt) - 1;
      const within = startedAt + durationMin * MINUTE_MS + 3 * HOUR_MS;
      const later = values.filter((_, index) => index > start && instants[index]! <= within);
      expect(later.length).toBeGreaterThan(0);
      expect(Math.max(...later) - values[start]!).toBeGreaterThan(1);
    }
  });

  it('shows no such rise without watering or rain: the last ten days are dry', () => {
    const dry = instants.at(-1)! - 9 * DAY_MS;
    for (const module of ['North 1', 'North 2', 'South 1']) {
      const values = topmost(history, module);
      const own = waterings.filter((each) => each.module === module);
      for (let index = 1; index < values.length; index++) {
        const at = instants[index]!;
        const isWet = own.some(
          (each) =>
            at > each.startedAt && at < each.startedAt + each.durationMin * MINUTE_MS + HOUR_MS,
        );
        if (at > dry && !isWet) expect(values[index]! - values[index - 1]!).toBeLessThan(0.3);
      }
    }
  });

  it('measures plausible values: moisture of 8 to 45 %, suction up to 200 kPa, temperatures of Montpellier', () => {
    const bounds = { humidity: [8, 45], tensio: [0, 200], temperature: [-8, 42] } as const;
    for (const { module, type, values } of series) {
      const [low, high] =
        module === 'Weather mast' && type === 'humidity' ? [10, 100] : bounds[type];
      expect(Math.min(...values)).toBeGreaterThanOrEqual(low);
      expect(Math.max(...values)).toBeLessThanOrEqual(high);
    }
  });

  it('has 30 to 40 waterings on each soil probe, and a reading from each sensor every 15 minutes of 120 days', () => {
    for (const module of ['North 1', 'North 2', 'South 1'])
      expect(waterings.filter((each) => each.module === module).length).toSatisfy(
        (count: number) => count >= 30 && count <= 40,
      );
    // 3 probes x 5 depths x 2, a tensiometer with 2, a station with 2.
    expect(series.length).toBe(34);
    expect(instants.length).toBe(120 * 96 + 1);
    expect(series.every(({ values }) => values.length === instants.length)).toBe(true);
  });

  it('delays and damps the daily temperature wave with depth', () => {
    const day = (depth: number): { swing: number; warmest: number } => {
      const { values } = series.find(
        (each) => each.module === 'North 1' && each.type === 'temperature' && each.depth === depth,
      )!;
      // The mean over all days of each quarter of an hour separates the wave from warm and cool
      // spells.
      const wave = Array.from({ length: 96 }, (_, quarter) => {
        let sum = 0;
        for (let index = quarter; index < 120 * 96; index += 96) sum += values[index]!;
        return sum / 120;
      });
      const high = Math.max(...wave);
      return { swing: high - Math.min(...wave), warmest: wave.indexOf(high) };
    };
    const [at10, at20, at30] = [day(10), day(20), day(30)];
    expect(at10.swing).toBeGreaterThan(at20.swing);
    expect(at20.swing).toBeGreaterThan(at30.swing);
    // A tenth of a metre of depth delays the wave by 10/12 of a radian, 3.2 hours.
    for (const [upper, lower] of [
      [at10, at20],
      [at20, at30],
    ] as const)
      expect(Math.abs(((lower.warmest - upper.warmest + 96) % 96) / 4 - 3.2)).toBeLessThan(1);
  });
});

it('makes the same demo farm for the same instant and seed, and another for another seed', () => {
  const bytes = ({ series }: DemoHistory): Buffer =>
    Buffer.concat(series.map(({ values }) => new Uint8Array(values.buffer)));
  const [, history] = histories[0]!;
  const again = demoHistory(NOW, 7);
  expect(bytes(again).equals(bytes(history))).toBe(true);
  expect(again.waterings).toEqual(history.waterings);
  expect(bytes(demoHistory(NOW, 8)).equals(bytes(history))).toBe(false);
});

it('has the air of the season: in July of some 24 deg C, in March of some 11 deg C', () => {
  const { instants, series } = demoHistory(Date.UTC(2026, 6, 14, 9, 15), 7);
  const air = series.find(
    ({ module, type }) => module === 'Weather mast' && type === 'temperature',
  )!;
  const meanOfMonth = (month: number): number => {
    const values = air.values.filter(
      (_, index) => new Date(instants[index]!).getUTCMonth() === month,
    );
    return values.reduce((sum, value) => sum + value, 0) / values.length;
  };
  expect(meanOfMonth(6)).toBeGreaterThan(22);
  expect(meanOfMonth(6)).toBeLessThan(27);
  expect(meanOfMonth(2)).toBeGreaterThan(8);
  expect(meanOfMonth(2)).toBeLessThan(14);
});
