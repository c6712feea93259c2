import { describe, expect, it } from 'vitest';
import type { MoistureSeriesBody, SeriesSensorBody } from '../../../src/schema/moisture/series.ts';
import { probeDepths, unroundedSummaryCurve } from '../../../src/service/advice/probe-depths.ts';
import { FARM_NOW, HOUR, iso } from '../../farm.ts';

const sensor = (
  id: number,
  depth: number,
  weight: number,
  values: (number | null)[],
): SeriesSensorBody => ({
  id,
  type: 'humidity',
  depth,
  weight,
  topCm: depth - 10,
  bottomCm: depth + 10,
  fieldCapacity: 0.3,
  wiltingPoint: 0.1,
  saturation: 0.5,
  values,
});

const seriesOf = (...sensors: SeriesSensorBody[]) =>
  ({
    data: [0, 1, 2].map((hour) => ({ time: iso(FARM_NOW + hour * HOUR) })),
    sensors,
  }) as unknown as MoistureSeriesBody;

describe('the depths of a series', () => {
  it('are ordered from the top, each the mean of its sensors', () => {
    const depths = probeDepths(
      seriesOf(
        sensor(1, 30, 0.5, [20, 21, 22]),
        sensor(2, 10, 0.25, [10, null, 12]),
        sensor(3, 10, 0.25, [14, 15, null]),
      ),
    );
    expect(depths.map(({ depthCm }) => depthCm)).toEqual([10, 30]);
    expect(depths[0]!.points.map(({ value }) => value)).toEqual([12, 15, 12]);
    expect(depths[0]!.slice).toEqual({ topCm: 0, bottomCm: 20 });
  });

  it('are weighted into the summary curve, without dropouts', () => {
    const points = unroundedSummaryCurve(
      seriesOf(sensor(1, 10, 0.75, [20, 0, 24]), sensor(2, 30, 0.25, [10, 11, null])),
    );
    expect(points).toEqual([
      { at: FARM_NOW, value: 17.5 },
      { at: FARM_NOW + HOUR, value: 11 },
      { at: FARM_NOW + 2 * HOUR, value: 24 },
    ]);
  });
});
