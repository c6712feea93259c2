import { describe, expect, it } from 'vitest';
import {
  moistureRecord,
  recordPeriod,
  residualMoisture,
} from '../../../src/domain/facts/moisture-record.ts';
import type { DepthHours } from '../../../src/domain/facts/probe-history.ts';
import { DAY } from '../../time.ts';

const BEGIN = Date.UTC(2026, 0, 1);

const daily = (values: readonly (number | null)[]) =>
  values.flatMap((value, day) => (value === null ? [] : [{ at: BEGIN + day * DAY, value }]));

const depth = (
  depthCm: number,
  values: readonly (number | null)[],
  changes: Partial<DepthHours> = {},
): DepthHours => ({
  depthCm,
  slice: null,
  weight: 0.5,
  fieldCapacity: 0.28,
  wiltingPoint: 0.14,
  saturation: 0.46,
  points: daily(values),
  soilTemperature: [],
  ...changes,
});

describe('the record of a probe', () => {
  it('is the lowest day of the weighted mean, and how many days all depths have', () => {
    const depths = [
      depth(10, [20, 16, 12, null], { weight: 0.75 }),
      depth(30, [24, 20, 28, 10], { weight: 0.25 }),
      depth(90, [1, 1, 1, 1], { weight: 0 }),
    ];
    // 0.75 x 12 + 0.25 x 28 = 16; on the second day 17.
    expect(moistureRecord(depths)).toEqual({ days: 3, lowest: 16 });
    expect(moistureRecord([])).toEqual({ days: 0, lowest: null });
  });

  it('leaves out frozen days and values that are drier than the soil can be', () => {
    const soilTemperature = daily([5, 1, 5, 5]);
    const depths = [depth(10, [20, 8, 16, 6.9]), depth(30, [20, 20, 20, 20], { soilTemperature })];
    expect(moistureRecord(depths)).toEqual({ days: 2, lowest: 18 });
    // Half of the wilting point of 14 % is 7 %; without a soil, any value counts.
    const anySoil = depths.map((each) => ({ ...each, wiltingPoint: null, soilTemperature: [] }));
    expect(moistureRecord(anySoil)).toEqual({ days: 4, lowest: 13.45 });
  });

  it('covers whole local days before today', () => {
    const { start, end } = recordPeriod(Date.UTC(2026, 6, 1, 10), 'Europe/Paris');
    expect(new Date(end).toISOString()).toBe('2026-06-30T22:00:00.000Z');
    expect(new Date(start).toISOString()).toBe('2025-05-26T22:00:00.000Z');
  });
});

describe('the residual moisture', () => {
  it('is a point below the lowest of 60 days, and at most the wilting point', () => {
    expect(residualMoisture({ days: 60, lowest: 12 }, null)).toBe(11);
    expect(residualMoisture({ days: 60, lowest: 12 }, 14)).toBe(11);
    expect(residualMoisture({ days: 60, lowest: 20 }, 14)).toBe(14);
    expect(residualMoisture({ days: 59, lowest: 12 }, 14)).toBeNull();
    expect(residualMoisture({ days: 0, lowest: null }, 14)).toBeNull();
  });
});
