import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alertEpisodes } from '../../../src/domain/alerts/alert-episodes.ts';
import {
  type BacktestResult,
  type BacktestRule,
  backtestInSteps,
} from '../../../src/domain/alerts/backtest.ts';
import { samplingCyclesInSteps } from '../../../src/domain/moisture/sampling-cycles.ts';
import { withoutDropouts } from '../../../src/domain/moisture/sensor-readings.ts';
import { type SeriesPoint, summaryPoints } from '../../../src/domain/moisture/series.ts';
import { buildSummaryCurve } from '../../../src/domain/moisture/summary-curve.ts';
import { DAY, HOUR, MINUTE } from '../../time.ts';
import { toReadingColumns } from '../moisture/reading-columns.ts';
import { runToEnd } from '../run-to-end.ts';

/** Midnight in Paris, in summer time. */
const START = Date.parse('2026-06-30T22:00:00Z');

const backtestRule = (threshold: string, hysteresis: string): BacktestRule => ({
  threshold,
  hysteresis,
  reminderTime: '08:00:00',
  timezone: 'Europe/Paris',
});

/** Values at hours after the start of July in Paris. */
const points = (...valued: [number, number | null][]): SeriesPoint[] =>
  valued.map(([hour, value]) => ({ at: START + hour * HOUR, value }));

const runBacktest = (...args: Parameters<typeof backtestInSteps>): BacktestResult =>
  runToEnd(backtestInSteps(...args));

/** A backtest of some hours, with its episodes in hours. */
function backtestOf(by: BacktestRule, readings: SeriesPoint[], hours: number) {
  const { episodes, ...all } = runBacktest(by, readings, {
    start: START,
    end: START + hours * HOUR,
  });
  const inHours = episodes.map(({ start, end, ...rest }) => ({
    start: (start - START) / HOUR,
    end: end && (end - START) / HOUR,
    ...rest,
  }));
  return { episodes: inHours, ...all };
}

describe('a backtest over many points', () => {
  it('gives the same in steps as in one run, and yields after some thousand points', () => {
    // 10,000 quarters of an hour, below the threshold for about half of each three days.
    const long = Array.from({ length: 10_000 }, (_, index) => {
      const at = START + index * 15 * MINUTE;
      return { at, value: Number((20 + 4 * Math.sin((2 * Math.PI * index) / 288)).toFixed(1)) };
    });
    const period = { start: START, end: START + 200 * DAY };
    const steps = backtestInSteps(backtestRule('20', '1'), long, period);
    let pauses = 0;
    let next = steps.next();
    for (; !next.done; next = steps.next()) pauses++;
    expect(pauses).toBeGreaterThanOrEqual(4);
    const episodes = alertEpisodes(backtestRule('20', '1'), long);
    expect(episodes.length).toBeGreaterThan(30);
    expect(next.value.episodes.map(({ start, end, lowest }) => ({ start, end, lowest }))).toEqual(
      episodes,
    );
    expect(runBacktest(backtestRule('20', '1'), long, period)).toEqual(next.value);
  });
});

describe('a backtest', () => {
  it('has episodes with lowest value, time below the threshold and reminders', () => {
    const readings = points(
      [0, 26],
      [6, 19.9],
      [12, 18],
      [20, 22],
      [30, 19],
      [33, 25],
      [40, 17],
      [45, 21],
    );
    // Below from 6 to 20 and 30 to 33, then from 40 to 45; 08:00 on 2 July is hour 32, on 3 July
    // hour 56.
    expect(backtestOf(backtestRule('20', '5'), readings, 60)).toEqual({
      episodes: [
        { start: 6, end: 33, lowest: 18, hoursBelow: 17, reminders: 1 },
        { start: 40, end: null, lowest: 17, hoursBelow: 5, reminders: 1 },
      ],
      hoursBelow: 22,
      reminders: 2,
    });
  });

  it('starts quiet at the start of the period, and ignores points after its end', () => {
    const readings = points([-1, 15], [0, 22], [5, 19], [10, 30]);
    expect(backtestOf(backtestRule('20', '5'), readings, 10).episodes).toEqual([
      { start: 5, end: null, lowest: 19, hoursBelow: 5, reminders: 0 },
    ]);
    expect(backtestOf(backtestRule('20', '5'), points([0, 19]), 1).episodes).toHaveLength(1);
  });

  it('keeps firing while data are stale, and holds a value for 25 hours', () => {
    expect(backtestOf(backtestRule('20', '5'), points([0, 19], [100, 26]), 200)).toEqual({
      // Reminders at hours 32, 56 and 80.
      episodes: [{ start: 0, end: 100, lowest: 19, hoursBelow: 25, reminders: 3 }],
      hoursBelow: 25,
      reminders: 3,
    });
  });

  it('rounds hours to one decimal, and the total from unrounded ones', () => {
    const readings = points([0, 19], [0.04, 30], [1, 19], [1.04, 30], [2, 19], [2.04, 30]);
    const { episodes, hoursBelow } = backtestOf(backtestRule('20', '5'), readings, 10);
    expect([episodes.map((each) => each.hoursBelow), hoursBelow]).toEqual([[0, 0, 0], 0.1]);
  });

  it('is empty without points', () => {
    expect(backtestOf(backtestRule('20', '5'), [], 10)).toEqual({
      episodes: [],
      hoursBelow: 0,
      reminders: 0,
    });
  });
});

/** A reading in the brute-force replay: instant (ms), sensor, value in tenths. */
interface SentReading {
  readonly at: number;
  readonly sensor: number;
  readonly tenths: number;
}

/** Sampling cycles as lists of readings, directly by their definition. */
function bruteCycles(readings: readonly SentReading[]): SentReading[][] {
  const rounds: SentReading[][] = [];
  for (const at of [...new Set(readings.map((each) => each.at))].sort((a, b) => a - b)) {
    const instant = readings.filter((each) => each.at === at);
    const open = rounds.at(-1);
    const joins =
      open !== undefined &&
      at < open[0]!.at + 5 * MINUTE &&
      !open.some(({ sensor }) => instant.some((each) => each.sensor === sensor));
    if (joins) open.push(...instant);
    else rounds.push(instant);
  }
  return rounds;
}

/** A single 0 of a sensor does not count. */
function bruteCounts(reading: SentReading, readings: readonly SentReading[]): boolean {
  if (reading.tenths !== 0) return true;
  const earlier = readings.filter(({ sensor, at }) => sensor === reading.sensor && at < reading.at);
  return earlier.sort((a, b) => b.at - a.at)[0]?.tenths === 0;
}

/** Points in tenths: plain means of the readings that count in a cycle, rounded half up. */
function brutePoints(readings: readonly SentReading[]): { at: number; tenths: number | null }[] {
  return bruteCycles(readings).map((round) => {
    const counting = round.filter((reading) => bruteCounts(reading, readings));
    const sum = counting.reduce((all, { tenths }) => all + tenths, 0);
    const tenths =
      counting.length === 0
        ? null
        : Math.floor((2 * sum + counting.length) / (2 * counting.length));
    return { at: Math.max(...round.map(({ at }) => at)), tenths };
  });
}

/** A replay minute by minute, each looking back over all points; levels in hundredths. */
function bruteReplay(
  readings: readonly SentReading[],
  threshold: number,
  hysteresis: number,
  minutes: number,
) {
  const valued = brutePoints(readings).flatMap(({ at, tenths }) =>
    tenths === null ? [] : [{ at, level: tenths * 10 }],
  );
  const episodes: {
    start: number;
    end: number | null;
    lowest: number;
    below: number;
    reminders: number;
  }[] = [];
  for (let minute = 0; minute < minutes; minute++) {
    const now = START + minute * MINUTE;
    const past = valued.filter(({ at }) => at >= START && at <= now);
    const newest = past.at(-1);
    const decisive = past.findLast(
      ({ level }) => level < threshold || level >= threshold + hysteresis,
    );
    const isFiring = decisive !== undefined && decisive.level < threshold;
    let open = episodes.find(({ end }) => end === null);
    if (!isFiring) {
      if (open) open.end = now;
      continue;
    }
    if (!open) {
      open = { start: now, end: null, lowest: newest!.level, below: 0, reminders: 0 };
      episodes.push(open);
    }
    open.lowest = Math.min(open.lowest, newest!.level);
    if (newest!.level < threshold && now - newest!.at < 25 * HOUR) open.below += 1;
    const isNextDay = Math.floor((now - START) / DAY) > Math.floor((open.start - START) / DAY);
    if (isNextDay && (now - START) % DAY === 8 * HOUR) open.reminders += 1;
  }
  return episodes;
}

/** Readings of three sensors about once an hour, with gaps, zeros and long silences. */
const past = fc
  .array(
    fc.record({
      skip: fc.oneof(
        { weight: 12, arbitrary: fc.constant(0) },
        { weight: 1, arbitrary: fc.integer({ max: 45, min: 1 }) },
      ),
      sensors: fc.array(
        fc.record({
          isSent: fc.constantFrom(true, true, true, false),
          delay: fc.constantFrom(0, 0, 0, 1, 2, 5, 7),
          tenths: fc.oneof(
            { weight: 1, arbitrary: fc.constant(0) },
            { weight: 5, arbitrary: fc.integer({ min: 170, max: 260 }) },
          ),
        }),
        { minLength: 3, maxLength: 3 },
      ),
    }),
    { maxLength: 60, size: 'max' },
  )
  .map((sendings) => {
    let hour = -3;
    return sendings.flatMap(({ skip, sensors }) => {
      hour += 1 + skip;
      const from = START + hour * HOUR;
      return sensors.flatMap(({ isSent, delay, tenths }, sensor) =>
        isSent ? [{ at: from + delay * MINUTE, sensor, tenths }] : [],
      );
    });
  });

const PERIOD_MINUTES = 4 * 1440;
const anyRule = fc.record({
  readings: past,
  threshold: fc.integer({ min: 1900, max: 2250 }),
  hysteresis: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 400 })),
});
const text = (hundredths: number): string => (hundredths / 100).toFixed(2);

/** Points by the rules of the product, with three sensors of equal weight. */
function pointsOf(readings: readonly SentReading[]): SeriesPoint[] {
  const columns = [0, 1, 2].map((index) =>
    toReadingColumns(
      readings.flatMap(({ at, sensor, tenths }) =>
        sensor === index ? [{ at, value: tenths / 10 }] : [],
      ),
    ),
  );
  const curve = buildSummaryCurve([10, 20, 30], {
    rootDepthCm: null,
    depthWeights: null,
    emitterDepthCm: null,
  });
  return summaryPoints(
    'humidity',
    curve,
    runToEnd(samplingCyclesInSteps(columns.map(withoutDropouts))),
  );
}

describe('a replay', () => {
  it('equals a brute-force replay of random readings with gaps, zeros and several sensors', () => {
    fc.assert(
      fc.property(anyRule, ({ readings, threshold, hysteresis }) => {
        const period = { start: START, end: START + PERIOD_MINUTES * MINUTE };
        const replay = runBacktest(
          backtestRule(text(threshold), text(hysteresis)),
          pointsOf(readings),
          period,
        );
        const brute = bruteReplay(readings, threshold, hysteresis, PERIOD_MINUTES);
        const tenthsOfHours = (minutes: number): number => Math.round(minutes / 6) / 10;
        expect(replay.episodes).toEqual(
          brute.map(({ start, end, lowest, below, reminders }) => ({
            start,
            end,
            lowest: lowest / 100,
            hoursBelow: tenthsOfHours(below),
            reminders,
          })),
        );
        expect(replay.hoursBelow).toBe(
          tenthsOfHours(brute.reduce((sum, { below }) => sum + below, 0)),
        );
        expect(replay.reminders).toBe(brute.reduce((sum, { reminders }) => sum + reminders, 0));
      }),
    );
  }, 60_000);
});
