import { describe, expect, it } from 'vitest';
import { splitBySensor, toReadingColumns } from '../../src/domain/sensor-readings.ts';

describe('readings by sensor', () => {
  it('are parted by the place of the sensor and put in order of time', () => {
    const [sensor, at, sum] = [
      [1, 0, 1, 0],
      [30, 20, 10, 25],
      [3, 2, 1, 2.5],
    ];
    const before = { at: 5, value: 9 };
    const parted = splitBySensor({ sensor, at, sum, length: 4 }, [null, before, null]);
    expect(parted.map((each) => [each.before, [...Array.from(each.at)], [...Array.from(each.value)]])).toEqual([
      [null, [20, 25], [2, 2.5]],
      [before, [10, 30], [1, 3]],
      [null, [], []],
    ]);
  });

  it('are columns of a list', () => {
    expect(toReadingColumns([{ at: 1, value: 30 }])).toEqual({ before: null, at: [1], value: [30] });
  });
});
