import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  moistureWithoutDropouts,
  splitBySensor,
  withoutDropouts,
} from '../../../src/domain/moisture/sensor-readings.ts';
import { toReadingColumns } from './reading-columns.ts';

/**
 * Values sent one ms apart without dropouts, null for missing; `before` is the value sent before
 * them.
 */
function valuesAfterDropouts(values: number[], before?: number): (number | null)[] {
  const readings = values.map((value, at) => ({ at, value }));
  const columns = toReadingColumns(
    readings,
    before === undefined ? null : { at: -1, value: before },
  );
  return Array.from(withoutDropouts(columns).value, (value) =>
    Number.isNaN(value) ? null : value,
  );
}

describe('a dropout', () => {
  it('is a single 0 between two readings', () => {
    expect(valuesAfterDropouts([31, 0, 31])).toEqual([31, null, 31]);
    expect(valuesAfterDropouts([31, 0, 31, 0, 31])).toEqual([31, null, 31, null, 31]);
  });

  it('is a newest 0, until the next reading', () => {
    expect(valuesAfterDropouts([31, 30, 0])).toEqual([31, 30, null]);
    expect(valuesAfterDropouts([0])).toEqual([null]);
  });

  it('is the first of several zeros, of which the others count', () => {
    expect(valuesAfterDropouts([31, 0, 0])).toEqual([31, null, 0]);
    expect(valuesAfterDropouts([31, 0, 0, 0, 31])).toEqual([31, null, 0, 0, 31]);
  });

  it('is compared with the reading before the columns', () => {
    expect(valuesAfterDropouts([0, 31], 31)).toEqual([null, 31]);
    expect(valuesAfterDropouts([0, 31], 0)).toEqual([0, 31]);
  });

  it('is not a 0 after at most 2 %, from which soil may dry out', () => {
    expect(valuesAfterDropouts([1.5, 0, 1.5])).toEqual([1.5, 0, 1.5]);
    expect(valuesAfterDropouts([2, 0, 31, 0])).toEqual([2, 0, 31, null]);
    expect(valuesAfterDropouts([2.1, 0])).toEqual([2.1, null]);
    expect([valuesAfterDropouts([0], 2), valuesAfterDropouts([0], 2.1)]).toEqual([[0], [null]]);
  });

  it('is not any other value, however low', () => {
    expect(valuesAfterDropouts([31, 0.1, -0.1, 31])).toEqual([31, 0.1, -0.1, 31]);
  });

  it('keeps its instant, so that the sensor has reported', () => {
    const readings = toReadingColumns([{ at: 5, value: 0 }]);
    expect(withoutDropouts(readings)).toMatchObject({ at: [5], before: null });
    expect(readings.value).toEqual([0]);
  });

  it('is the same for all readings together and one by one', () => {
    const values = fc.array(fc.constantFrom(0, 0, 18, 31), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(values, (sent) => {
        const oneByOne = sent.map((_, index) =>
          valuesAfterDropouts(sent.slice(0, index + 1)).at(-1),
        );
        const inPairs = sent.map(
          (value, index) => valuesAfterDropouts([value], sent[index - 1])[0],
        );
        expect([oneByOne, inPairs]).toEqual([valuesAfterDropouts(sent), valuesAfterDropouts(sent)]);
      }),
    );
  });
});

describe('points without dropouts', () => {
  const pointsOf = (values: number[]) => values.map((value, at) => ({ at, value }));

  it('leave out a single 0, and keep one that follows another', () => {
    expect(
      moistureWithoutDropouts(pointsOf([30, 0, 31, 0, 0, 0, 29])).map((point) => point.at),
    ).toEqual([0, 2, 4, 5, 6]);
  });

  it('keep a 0 to which soil dried', () => {
    expect(moistureWithoutDropouts(pointsOf([1.5, 0, 1.5])).map(({ value }) => value)).toEqual([
      1.5, 0, 1.5,
    ]);
  });

  it('equal the readings that alerts use', () => {
    const values = fc.array(fc.constantFrom(0, 0, 1.5, 2, 2.1, 31), { maxLength: 30 });
    fc.assert(
      fc.property(values, (sent) => {
        expect(moistureWithoutDropouts(pointsOf(sent)).map(({ value }) => value)).toEqual(
          valuesAfterDropouts(sent).filter((value) => value !== null),
        );
      }),
    );
  });
});

describe('readings by sensor', () => {
  it('are split by sensor and sorted by time', () => {
    const [sensor, at, sum] = [
      [1, 0, 1, 0],
      [30, 20, 10, 25],
      [3, 2, 1, 2.5],
    ];
    const before = { at: 5, value: 9 };
    const bySensor = splitBySensor({ sensor, at, sum, length: 4 }, [null, before, null]);
    expect(
      bySensor.map((each) => [each.before, Array.from(each.at), Array.from(each.value)]),
    ).toEqual([
      [null, [20, 25], [2, 2.5]],
      [before, [10, 30], [1, 3]],
      [null, [], []],
    ]);
  });
});
