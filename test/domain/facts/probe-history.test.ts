import { describe, expect, it } from 'vitest';
import { probeHistory } from '../../../src/domain/facts/probe-history.ts';
import { probeSeries } from '../../../src/domain/facts/probe-series.ts';

const points = (value: number) => [{ at: 0, value }];

const historyOf = (
  depthsCm: readonly number[],
  thermometers: readonly (readonly [depthCm: number | null, temperature: number])[],
) => {
  const sensors = depthsCm.map((depthCm) => ({
    depthCm,
    weight: 1 / depthsCm.length,
    slice: null,
    fieldCapacity: 0.3,
    wiltingPoint: 0.1,
    saturation: 0.5,
    points: points(20),
  }));
  return probeHistory(
    probeSeries({ type: 'humidity', rootDepthCm: 60, sensors }),
    thermometers.map(([depthCm, temperature]) => ({ depthCm, points: points(temperature) })),
  );
};

describe('the history of a probe', () => {
  it('gives each depth the temperature of the nearest thermometer in the soil', () => {
    const { depths } = historyOf(
      [10, 30, 60],
      [
        [null, 25],
        [10, 14],
        [50, 11],
      ],
    );
    expect(depths.map(({ soilTemperature }) => soilTemperature)).toEqual([
      points(14),
      points(14),
      points(11),
    ]);
  });

  it('knows no temperature of the soil from a thermometer in the air', () => {
    const { depths } = historyOf([10], [[null, 25]]);
    expect(depths[0]!.soilTemperature).toEqual([]);
  });
});
