import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  probeSeries,
  type SensorSeries,
  timedValues,
} from '../../../src/domain/facts/probe-series.ts';
import { HOUR } from '../../time.ts';

const INSTANTS = [0, HOUR, 2 * HOUR];

const sensor = (
  depthCm: number | null,
  weight: number,
  values: ArrayLike<number | null>,
): SensorSeries => ({
  depthCm,
  weight,
  slice: depthCm === null ? null : { topCm: depthCm - 10, bottomCm: depthCm + 10 },
  fieldCapacity: 0.3,
  wiltingPoint: 0.1,
  saturation: 0.5,
  points: timedValues(INSTANTS, values),
});

const seriesOf = (...sensors: SensorSeries[]) =>
  probeSeries({ type: 'humidity', rootDepthCm: 60, sensors });

describe('the series of a probe', () => {
  it('has its depths from the top, each the mean of its sensors', () => {
    const { depths } = seriesOf(
      sensor(30, 0.5, [20, 21, 22]),
      sensor(10, 0.25, [10, null, 12]),
      sensor(10, 0.25, [14, 15, null]),
    );
    expect(depths.map(({ depthCm, weight }) => [depthCm, weight])).toEqual([
      [10, 0.5],
      [30, 0.5],
    ]);
    expect(depths[0]!.points.map(({ value }) => value)).toEqual([12, 15, 12]);
    expect(depths[0]!.slice).toEqual({ topCm: 0, bottomCm: 20 });
  });

  it('has the weighted mean of all sensors as its curve, without dropouts', () => {
    const { curve } = seriesOf(sensor(10, 0.75, [20, 0, 24]), sensor(30, 0.25, [10, 11, null]));
    expect(curve).toEqual([
      { at: 0, value: 17.5 },
      { at: HOUR, value: 11 },
      { at: 2 * HOUR, value: 24 },
    ]);
  });

  it('counts a sensor of unknown depth for the curve alone', () => {
    const { depths, curve } = seriesOf(sensor(null, 1, [20, 21, 22]));
    expect(depths).toEqual([]);
    expect(curve.map(({ value }) => value)).toEqual([20, 21, 22]);
  });

  it('takes NaN, of columns of numbers, for a missing value as it takes null', () => {
    const values = [20, null, 22];
    const columns = Float64Array.from(values, (value) => value ?? Number.NaN);
    expect(seriesOf(sensor(10, 1, columns))).toEqual(seriesOf(sensor(10, 1, values)));
  });

  it('has no sensors where there are none', () => {
    expect(seriesOf()).toEqual({
      type: 'humidity',
      hasSensors: false,
      rootDepthCm: 60,
      depths: [],
      curve: [],
    });
  });

  it('keeps its curve between the lowest and the highest value of its sensors', () => {
    const value = fc.option(fc.double({ min: 3, max: 60, noNaN: true }));
    const anySensor = fc
      .record({
        depthCm: fc.constantFrom(10, 20, 30),
        weight: fc.double({ min: 0.01, max: 1, noNaN: true }),
        values: fc.array(value, { minLength: 3, maxLength: 3 }),
      })
      .map(({ depthCm, weight, values }) => sensor(depthCm, weight, values));

    const property = fc.property(fc.array(anySensor, { maxLength: 5 }), (sensors) => {
      const { curve, depths } = seriesOf(...sensors);
      for (const at of INSTANTS) {
        const values = sensors.flatMap(
          ({ points }) => points.find((each) => each.at === at)?.value ?? [],
        );
        const point = curve.find((each) => each.at === at);
        expect(point === undefined).toBe(values.length === 0);
        if (point === undefined) continue;
        expect(point.value).toBeGreaterThanOrEqual(Math.min(...values) - 1e-9);
        expect(point.value).toBeLessThanOrEqual(Math.max(...values) + 1e-9);
      }
      const weight = depths.reduce((sum, depth) => sum + depth.weight, 0);
      expect(weight).toBeCloseTo(sensors.reduce((sum, each) => sum + each.weight, 0));
    });
    fc.assert(property);
  });
});
