import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AlertRule,
  alertEpisodes,
  belowThreshold,
  resolutionThreshold,
} from '../../../src/domain/alerts/alert-episodes.ts';
import type { SeriesPoint } from '../../../src/domain/moisture/series.ts';
import { HOUR } from '../../time.ts';

const ISSUED = [26, 21, 20.0, 19.9, 20.5, 24.9, null, 25.0, 24.0, 19.9];

/** Values an hour apart, from 1970 on. */
const hourly = (values: readonly (number | null)[]): SeriesPoint[] =>
  values.map((value, index) => ({ at: index * HOUR, value }));

const rule = (threshold: string, hysteresis: string): AlertRule => ({ threshold, hysteresis });

/** Episodes as hours and lowest values. */
const episodes = (by: AlertRule, values: readonly (number | null)[]) =>
  alertEpisodes(by, hourly(values)).map(({ start, end, lowest }) => [
    start / HOUR,
    end && end / HOUR,
    lowest,
  ]);

describe('an alert', () => {
  it('fires below its threshold and resolves at threshold + hysteresis', () => {
    expect(episodes(rule('20', '5'), ISSUED)).toEqual([
      [3, 7, 19.9],
      [9, null, 19.9],
    ]);
  });

  it('resolves at the threshold itself without hysteresis', () => {
    expect(episodes(rule('20', '0'), ISSUED)).toEqual([
      [3, 4, 19.9],
      [9, null, 19.9],
    ]);
    expect(episodes(rule('20', '0'), [19.9, 20])).toEqual([[0, 1, 19.9]]);
  });

  it('does not fire at its threshold', () => {
    expect(episodes(rule('20', '5'), [20, 20.0])).toEqual([]);
    expect(episodes(rule('20.0', '5'), [20])).toEqual([]);
    expect(episodes(rule('20.00000000000000000001', '5'), [20])).toEqual([[0, null, 20]]);
  });

  it('resolves at the exact decimal sum, not at a binary one', () => {
    // In binary 0.1 + 0.2 is above 0.3.
    expect(episodes(rule('0.1', '0.2'), [0, 0.3])).toEqual([[0, 1, 0]]);
    expect(resolutionThreshold(rule('0.1', '0.2'))).toBe('0.3');
  });

  it('ignores a cycle without a value', () => {
    expect(episodes(rule('20', '5'), [null, 19, null, null, 25, null])).toEqual([[1, 4, 19]]);
    expect(episodes(rule('20', '5'), [null])).toEqual([]);
  });

  it('keeps the lowest value of an episode, without the one that ends it', () => {
    expect(episodes(rule('20', '5'), [19, 15, 24, 30, 12])).toEqual([
      [0, 3, 15],
      [4, null, 12],
    ]);
  });

  it('compares values with its threshold alone', () => {
    expect([19.9, 20, 20.1].map(belowThreshold(rule('20', '5')))).toEqual([true, false, false]);
  });

  const values = fc.array(
    fc.option(fc.integer({ min: 150, max: 300 }).map((tenths) => tenths / 10)),
    {
      maxLength: 40,
    },
  );
  const anyRule = fc
    .tuple(fc.integer({ min: 1500, max: 3000 }), fc.integer({ min: 0, max: 800 }))
    .map(([threshold, hysteresis]) =>
      rule((threshold / 100).toFixed(2), (hysteresis / 100).toFixed(2)),
    );

  it('gives the same for points one by one as for all together', () => {
    fc.assert(
      fc.property(values, anyRule, (values, by) => {
        const points = hourly(values);
        let last = alertEpisodes(by, []);
        const seen = new Map();
        for (const point of points) {
          last = alertEpisodes(
            by,
            [point],
            last.find(({ end }) => end === null),
          );
          for (const episode of last) seen.set(episode.start, episode);
        }
        expect([...seen.values()]).toEqual(alertEpisodes(by, points));
      }),
    );
  });

  it('continues an episode that was open before the points', () => {
    const open = { start: -HOUR, end: null, lowest: 18 };
    expect(alertEpisodes(rule('20', '5'), hourly([22, 25]), open)).toEqual([
      { ...open, end: HOUR },
    ]);
    expect(alertEpisodes(rule('20', '5'), [], open)).toEqual([open]);
  });
});
