import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Calibration,
  calibratedValues,
  calibrationFault,
  calibrationLine,
  calibrationStarts,
  lineAt,
  type SensorCalibration,
  withoutCalibrationSteps,
} from '../../../src/domain/moisture/calibration.ts';

const point = (readPercent: number, truePercent: number) => ({ readPercent, truePercent });
const calibration = (from: number | null, ...points: Calibration['points']): Calibration => ({
  from,
  points,
});

describe('a calibration', () => {
  it('is an offset with one point and a straight line with two', () => {
    expect(calibrationLine(calibration(null, point(20, 23)))).toEqual({ slope: 1, offset: 3 });
    // From 20 to 40 read, the soil held 22 to 38: 16 for 20.
    const line = calibrationLine(calibration(null, point(20, 22), point(40, 38)));
    expect(line.slope).toBeCloseTo(0.8, 12);
    expect(line.offset).toBeCloseTo(6, 12);
  });

  it('needs points 10 % apart and a slope of 0.5 to 2', () => {
    expect(calibrationFault(calibration(null, point(20, 22), point(29.9, 32)))).toBe(
      'points_too_close',
    );
    expect(calibrationFault(calibration(null, point(20, 22), point(30, 26.9)))).toBe(
      'slope_out_of_range',
    );
    expect(calibrationFault(calibration(null, point(20, 22), point(30, 42.1)))).toBe(
      'slope_out_of_range',
    );
    expect(calibrationFault(calibration(null, point(30, 10), point(20, 22)))).toBe(
      'slope_out_of_range',
    );
    expect(calibrationFault(calibration(null, point(20, 22), point(30, 27)))).toBeNull();
    expect(calibrationFault(calibration(null, point(20, 35)))).toBeNull();
    expect(calibrationFault(calibration(null, point(10, 1), point(20, 2), point(30, 3)))).toBe(
      'too_many_points',
    );
  });
});

it('a calibration in fractions, of impossible moisture or of a broken sensor is refused', () => {
  expect(calibrationFault(calibration(null, point(0.2, 0.23)))).toBe('in_fractions');
  expect(calibrationFault(calibration(null, point(50, 61)))).toBe('true_value_too_high');
  expect(calibrationFault(calibration(null, point(20, 35.1)))).toBe('offset_too_large');
  expect(calibrationFault(calibration(null, point(20, 4)))).toBe('offset_too_large');
});

const twice: SensorCalibration = [
  calibration(null, point(20, 23)),
  calibration(100, point(20, 18)),
];

describe('the calibrations of a sensor', () => {
  it('hold from their start until the next', () => {
    expect(lineAt(twice, 99).offset).toBe(3);
    expect(lineAt(twice, 100).offset).toBe(-2);
    expect(lineAt([calibration(100, point(20, 18))], 99).offset).toBe(0);
    expect(calibratedValues(twice, [98, 99, 100, 101], [10, 10, 10, 10])).toEqual([13, 13, 8, 8]);
    expect(calibratedValues(twice, [99, 100], [20, 30], [2, 3])).toEqual([26, 24]);
  });

  it('leave a 0, which says that the sensor lost contact', () => {
    expect(calibratedValues(twice, [98, 99], [0, 10])).toEqual([0, 13]);
  });

  it('divide a period where one begins', () => {
    const sensors = [{ calibration: twice }, { calibration: [calibration(150, point(1, 2))] }];
    expect(calibrationStarts(sensors, { start: 0, end: 200 })).toEqual([100, 150]);
    expect(calibrationStarts(sensors, { start: 100, end: 150 })).toEqual([]);
  });
});

describe('values without the steps of calibrations', () => {
  it('keep the newest values and each change but the one at the start', () => {
    const at = [90, 95, 100, 105];
    const values = calibratedValues(twice, at, [10, 11, 11, 12]);
    expect(values).toEqual([13, 14, 9, 10]);
    expect(withoutCalibrationSteps(twice, { at, values }).values).toEqual([8, 9, 9, 10]);
  });

  it('leave out both sides of a bucket in which one begins', () => {
    // The mean of the bucket from 90 on is half of the one and half of the other calibration.
    const columns = { at: [70, 80, 90, 100], values: [14, 14, 11.5, 9] };
    const later = [calibration(null, point(20, 23)), calibration(95, point(20, 18))];
    expect(withoutCalibrationSteps(later, columns, 10).values).toEqual([9, 9, 9, 9]);
  });

  it('change nothing without a start', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 60, noNaN: true })), (values) => {
        const columns = { at: values.map((_, row) => row), values };
        const undated = [calibration(null, point(20, 23))];
        expect(withoutCalibrationSteps(undated, columns)).toBe(columns);
      }),
    );
  });
});
