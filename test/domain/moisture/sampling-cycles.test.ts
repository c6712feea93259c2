import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  certainCycleStart,
  samplingCyclesInSteps,
  settledCycles,
} from '../../../src/domain/moisture/sampling-cycles.ts';
import type { ReadingColumns } from '../../../src/domain/moisture/sensor-readings.ts';
import { HOUR, MINUTE } from '../../time.ts';
import { runToEnd } from '../run-to-end.ts';
import { toReadingColumns } from './reading-columns.ts';

/** A sensor that sent at these minutes; its values are its minutes. */
const sentAt = (...minutes: number[]): ReadingColumns =>
  toReadingColumns(minutes.map((minute) => ({ at: minute * MINUTE, value: minute })));

/** Cycles as their minutes and values. */
function cycleTexts(readings: readonly ReadingColumns[]): [number, (number | null)[]][] {
  const { at, means } = runToEnd(samplingCyclesInSteps(readings));
  return at.map((instant, row) => [
    instant / MINUTE,
    means.map((list) => (Number.isNaN(list[row]) ? null : list[row]!)),
  ]);
}

describe('a sampling cycle', () => {
  it('has the readings of one instant', () => {
    expect(cycleTexts([sentAt(0, 15), sentAt(0, 15)])).toEqual([
      [0, [0, 0]],
      [15, [15, 15]],
    ]);
  });

  it('has readings less than five minutes after its first, and the last of their instants', () => {
    expect(cycleTexts([sentAt(0), sentAt(2), sentAt(4.9)])).toEqual([[4.9, [0, 2, 4.9]]]);
    expect(cycleTexts([sentAt(0), sentAt(2), sentAt(5)])).toEqual([
      [2, [0, 2, null]],
      [5, [null, null, 5]],
    ]);
  });

  it('ends when a sensor sends again, so that no reading of a probe that sends each minute is lost', () => {
    expect(cycleTexts([sentAt(0, 1, 2), sentAt(0, 1)])).toEqual([
      [0, [0, 0]],
      [1, [1, 1]],
      [2, [2, null]],
    ]);
    expect(cycleTexts([sentAt(0, 2), sentAt(1, 3)])).toEqual([
      [1, [0, 1]],
      [3, [2, 3]],
    ]);
  });

  it('has no value for a sensor whose reading counts as missing', () => {
    const doubtful = { before: null, at: [0], value: [Number.NaN] };
    expect(cycleTexts([doubtful, sentAt(1)])).toEqual([[1, [null, 1]]]);
  });

  it('does not exist without readings', () => {
    expect([cycleTexts([]), cycleTexts([sentAt(), sentAt()])]).toEqual([[], []]);
  });

  /** Up to three sensors that send at random minutes, mostly together. */
  const probe = fc
    .array(fc.tuple(fc.integer({ min: 0, max: 600 }), fc.integer({ min: 1, max: 7 })), {
      maxLength: 60,
      size: 'max',
    })
    .map((sendings) =>
      [1, 2, 4].map((bit) => {
        const minutes = new Set(sendings.flatMap(([minute, who]) => (who & bit ? [minute] : [])));
        return [...minutes].sort((a, b) => a - b);
      }),
    );

  it('has every reading once, in order, and spans less than five minutes', () => {
    fc.assert(
      fc.property(probe, (minutes) => {
        const rounds = cycleTexts(minutes.map((each) => sentAt(...each)));
        for (const [index, own] of minutes.entries())
          expect(rounds.flatMap(([, values]) => values[index] ?? [])).toEqual(own);
        let endedAt = -1;
        for (const [at, values] of rounds) {
          const sent = values.filter((value) => value !== null);
          expect(Math.min(...sent)).toBeGreaterThan(endedAt);
          expect(at - Math.min(...sent)).toBeLessThan(5);
          expect(Math.max(...sent)).toBe(at);
          endedAt = at;
        }
      }),
    );
  });

  it('does not change with later readings, except for the newest', () => {
    fc.assert(
      fc.property(probe, fc.integer({ min: 0, max: 600 }), (minutes, cut) => {
        const whole = cycleTexts(minutes.map((each) => sentAt(...each)));
        const early = cycleTexts(
          minutes.map((each) => sentAt(...each.filter((minute) => minute < cut))),
        );
        expect(whole.slice(0, Math.max(0, early.length - 1))).toEqual(early.slice(0, -1));
      }),
    );
  });

  it('is the same from a certain start as from the beginning', () => {
    fc.assert(
      fc.property(
        probe,
        fc.integer({ min: 0, max: 300 }),
        fc.integer({ min: 0, max: 300 }),
        (minutes, from, reach) => {
          const readings = minutes.map((each) =>
            sentAt(...each.filter((minute) => minute >= from)),
          );
          const upTo = from + reach;
          const start = certainCycleStart(readings, from * MINUTE, upTo * MINUTE);
          if (start === null) return;
          expect(start).toBeLessThanOrEqual(upTo * MINUTE);
          const since = (rounds: [number, (number | null)[]][]) =>
            rounds.filter(([at]) => at * MINUTE >= start);
          expect(since(cycleTexts(readings))).toEqual(
            since(cycleTexts(minutes.map((each) => sentAt(...each)))),
          );
        },
      ),
    );
  });

  it('certainly starts after five silent minutes, or when a sensor sends twice in a row', () => {
    expect(certainCycleStart([sentAt(10, 25), sentAt(11)], 5 * MINUTE, HOUR)).toBe(25 * MINUTE);
    expect(certainCycleStart([sentAt(10, 25), sentAt(11)], 5 * MINUTE, 24 * MINUTE)).toBe(
      10 * MINUTE,
    );
    expect(certainCycleStart([sentAt(10), sentAt(11)], 6 * MINUTE, HOUR)).toBeNull();
    expect(certainCycleStart([sentAt(10, 11)], 6 * MINUTE, HOUR)).toBe(11 * MINUTE);
  });
});

it('yields while it processes many readings', () => {
  const minutes = Array.from({ length: 5_000 }, (_, index) => 15 * index);
  const steps = samplingCyclesInSteps([sentAt(...minutes)]);
  let pauses = 0;
  while (!steps.next().done) pauses++;
  expect(pauses).toBeGreaterThanOrEqual(4);
});

describe('a settled cycle', () => {
  const counted = (readings: ReadingColumns[], nowMinute: number) => {
    const { isSettled, nextAt } = settledCycles(
      runToEnd(samplingCyclesInSteps(readings)),
      readings,
      nowMinute * MINUTE,
    );
    return { which: isSettled.map((does) => (does ? 'x' : '-')).join(''), nextAt };
  };
  const earlier = (sensor: ReadingColumns, minute: number): ReadingColumns => ({
    ...sensor,
    before: { at: minute * MINUTE, value: 30 },
  });

  it('counts at once when every sensor of the last day has reported', () => {
    expect(counted([sentAt(0, 60), sentAt(0, 60)], 60)).toEqual({ which: 'xx', nextAt: null });
    expect(counted([sentAt(0, 60), sentAt(0, 61)], 61)).toEqual({ which: 'xx', nextAt: null });
  });

  it('waits exactly half an hour for a sensor', () => {
    const readings = [sentAt(0, 60), sentAt(0)];
    expect(counted(readings, 60)).toEqual({ which: 'x-', nextAt: 90 * MINUTE });
    expect(counted(readings, 89.999)).toEqual({ which: 'x-', nextAt: 90 * MINUTE });
    expect(counted(readings, 90)).toEqual({ which: 'xx', nextAt: null });
  });

  it('does not wait for a sensor that was silent for a day, also before the readings', () => {
    const day = 24 * 60;
    expect(counted([sentAt(0, day), sentAt(0)], day).which).toBe('xx');
    expect(counted([sentAt(0, day), sentAt(0.5)], day).which).toBe('x-');
    expect(counted([sentAt(day), earlier(sentAt(), 0)], day).which).toBe('x');
    expect(counted([sentAt(day), earlier(sentAt(), 0.5)], day).which).toBe('-');
    expect(counted([sentAt(day), sentAt()], day).which).toBe('x');
  });

  it('counts a sensor with a dropout as reported', () => {
    const doubtful = { before: { at: 0, value: 31 }, at: [60 * MINUTE], value: [Number.NaN] };
    expect(counted([sentAt(60), doubtful], 60).which).toBe('x');
  });

  it('waits its own half hour although a later one counts', () => {
    expect(counted([sentAt(0, 10, 20), sentAt(0, 20)], 20)).toEqual({
      which: 'x-x',
      nextAt: 40 * MINUTE,
    });
    expect(counted([sentAt(0, 10, 20), sentAt(0, 20)], 40)).toEqual({ which: 'xxx', nextAt: null });
  });

  it('does not wait for a newer one, and the oldest waiting one comes next', () => {
    const readings = [sentAt(0, 20, 40), sentAt(0)];
    expect(counted(readings, 45)).toEqual({ which: 'x--', nextAt: 50 * MINUTE });
    expect(counted(readings, 50)).toEqual({ which: 'xx-', nextAt: 70 * MINUTE });
  });

  it('counts when complete although the clock of the probe runs ahead', () => {
    expect(counted([sentAt(0, 60), sentAt(0, 60)], 0).which).toBe('xx');
    expect(counted([sentAt(0, 60), sentAt(0)], 0)).toEqual({ which: 'x-', nextAt: 90 * MINUTE });
  });

  it('does not exist without readings', () => {
    expect([counted([], 0), counted([sentAt()], 0)]).toEqual(
      Array(2).fill({ which: '', nextAt: null }),
    );
  });
});
