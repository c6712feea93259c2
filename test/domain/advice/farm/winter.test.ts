import { describe, expect, it } from 'vitest';
import { FarmConditions } from '../../../../src/domain/advice/probe/farm-conditions.ts';
import { frozenDepths, frozenIn } from '../../../../src/domain/advice/probe/frozen-depths.ts';
import { seasonQuestion } from '../../../../src/domain/advice/probe/rest.ts';
import type { ProbeFacts, SettingsFacts } from '../../../../src/domain/facts/probe-facts.ts';
import type { SoilTemperature } from '../../../../src/domain/facts/soil-temperature.ts';
import { LocalDay } from '../../../../src/domain/local-day.ts';
import { DAY, FARM_NOW, HOUR } from '../../../farm.ts';
import { setupOf } from './farm-probes.ts';

/** The mean temperature of the air on each of the last days, newest first. */
const farmWith = (means: readonly (number | null)[]): FarmConditions =>
  new FarmConditions({
    now: FARM_NOW,
    zone: 'UTC',
    rain: { records: [] },
    weather: {
      data: means.map((mean, index) => ({
        day: LocalDay.at(FARM_NOW, 'UTC').plus(-1 - index).iso,
        temperatureMin: mean === null ? null : mean - 4,
        temperatureMax: mean === null ? null : mean + 4,
        et0Mm: null,
        method: null,
        missing: [],
      })),
      pace: null,
      forecast: null,
    },
    coverByParcel: new Map(),
  });

/** A farm without a station, whose forecast came with these mean temperatures, newest first. */
const withForecast = (means: readonly number[], own: readonly (number | null)[] = []) => {
  const { weather } = farmWith(own);
  const lastDays = farmWith(means).weather.data;
  return new FarmConditions({
    now: FARM_NOW,
    zone: 'UTC',
    rain: { records: [] },
    coverByParcel: new Map(),
    weather: { ...weather, forecast: { days: [], lastDays } },
  });
};

const soilAt = (depthCm: number, celsius: number, fields: Partial<SoilTemperature> = {}) => ({
  depthCm,
  celsius,
  at: FARM_NOW - HOUR,
  meanCelsius: celsius,
  ...fields,
});

const depthsOf = (...depthsCm: number[]): Pick<ProbeFacts, 'recent'> => ({
  recent: {
    type: 'humidity',
    hasSensors: true,
    rootDepthCm: null,
    curve: [],
    depths: depthsCm.map((depthCm) => ({
      depthCm,
      slice: null,
      weight: 1,
      points: [],
      fieldCapacity: null,
      wiltingPoint: null,
      saturation: null,
    })),
  },
});

describe('the mean temperature of the air', () => {
  it('is that of the forecast on days on which the farm has none', () => {
    expect(withForecast([2, 4, 6, 8]).meanAirTemperature(4)).toBe(5);
    expect(withForecast([2, 4, 6, 8], [10, null, 14]).meanAirTemperature(4)).toBe(9);
    expect(farmWith([10, null, 14]).meanAirTemperature(3)).toBe(12);
    expect(farmWith([null]).meanAirTemperature(1)).toBeNull();
  });
});

describe('frozen depths', () => {
  const recent = depthsOf(10, 20, 30, 60);
  const frozen = (soilTemperatures: SoilTemperature[], means: (number | null)[] = []): number[] => [
    ...frozenDepths({ ...recent, soilTemperatures }, farmWith(means)),
  ];

  it('are those near a thermometer that reads 1 degree or less', () => {
    expect(frozen([soilAt(10, -2), soilAt(30, 0.8), soilAt(60, 4)])).toEqual([10, 20, 30]);
    expect(frozen([soilAt(10, 1.1)])).toEqual([]);
    expect(frozen([soilAt(10, -2)])).toEqual([10, 20]);
  });

  it('are judged by thermometers in the soil, however cold the air is', () => {
    expect(frozen([soilAt(10, 3)], [-5, -5, -5, -5, -5])).toEqual([]);
  });

  it('are those above 30 cm after five days of frost, where no thermometer is in the soil', () => {
    expect(frozen([], [0, -1, 1, -2, 0])).toEqual([10, 20]);
    expect(frozen([], [-5, -5, -5, -5, 25])).toEqual([]);
    expect(frozen([], [-9, -9])).toEqual([]);
    const stale = soilAt(10, 3, { at: FARM_NOW - 3 * DAY });
    expect(frozen([stale], [-3, -3, -3, -3, -3])).toEqual([10, 20]);
  });
});

describe('whether the crop is at rest', () => {
  const unset: SettingsFacts = {
    validFrom: 0,
    rootDepthCm: 60,
    allowedDepletion: null,
    refillPercent: null,
    efficiencyPercent: null,
    leachingPercent: null,
    hoursPerDay: null,
    restFrom: null,
    restUntil: null,
  };
  const twoWeeks = (mean: number | null): (number | null)[] => Array<number | null>(13).fill(mean);
  const isAsked = (
    means: (number | null)[],
    settings: SettingsFacts | null = unset,
    soilTemperatures: SoilTemperature[] = [],
  ): boolean =>
    seasonQuestion(
      { setup: { ...setupOf('module', null), settings }, soilTemperatures },
      farmWith(means),
    ).length > 0;

  it('is asked after two weeks below 8 degrees, by the air or else by the soil', () => {
    expect(isAsked(twoWeeks(7.9))).toBe(true);
    expect(isAsked(twoWeeks(7.9), null)).toBe(true);
    expect(isAsked(twoWeeks(8))).toBe(false);
    expect(isAsked([], unset, [soilAt(10, 5)])).toBe(true);
    expect(isAsked(twoWeeks(12), unset, [soilAt(10, 5)])).toBe(false);
  });

  it('is not asked where no temperature is known, or too few', () => {
    expect(isAsked(twoWeeks(null))).toBe(false);
    expect(isAsked([2, 2, 2])).toBe(false);
    expect(isAsked([], unset, [soilAt(10, 5, { meanCelsius: null })])).toBe(false);
  });

  it('is not asked once it was said', () => {
    expect(isAsked(twoWeeks(2), { ...unset, restFrom: 'never' })).toBe(false);
    expect(isAsked(twoWeeks(2), { ...unset, restFrom: '06-01', restUntil: '07-01' })).toBe(false);
  });
});

describe('frozen soil in the past', () => {
  const at = (days: number): number => FARM_NOW - days * DAY;
  const hoursAt = (celsius: (days: number) => number) =>
    Array.from({ length: 10 * 24 }, (_, hour) => ({
      at: at(10) + hour * HOUR,
      value: celsius(10 - hour / 24),
    }));
  const period = { start: at(10), end: FARM_NOW };
  const inSoil = (depthCm: number, celsius: (days: number) => number) => ({
    depthCm,
    points: hoursAt(celsius),
  });
  const frozenAt = (
    depthCm: number,
    thermometers: Parameters<typeof frozenIn>[1]['thermometers'],
    means: (number | null)[] = [],
  ) => frozenIn(period, { thermometers, weather: farmWith(means).weather, zone: 'UTC' })(depthCm);

  it('is frozen until twelve hours after its last cold hour', () => {
    const thermometer = inSoil(10, (days) => (days > 6 || days <= 3 ? 4 : 0));
    expect(frozenAt(20, [thermometer])).toEqual([{ start: at(6), end: at(3) + 12 * HOUR }]);
    expect(frozenAt(60, [thermometer])).toEqual([]);
  });

  it('is judged by the air where no thermometer is in the soil', () => {
    // Frost on the days from eight to two days ago, so that five days of it had passed on the third.
    const means = [9, 9, -4, -4, -4, -4, -4, -4, 9, 9, 9, 9, 9, 9, 9];
    const frozen = frozenAt(20, [], means);
    expect(frozen).not.toEqual([]);
    for (const { start, end } of frozen) {
      expect(start).toBeGreaterThanOrEqual(at(6));
      expect(end).toBeLessThanOrEqual(FARM_NOW + 2 * DAY);
    }
    expect(frozenAt(40, [], means)).toEqual([]);
    expect(frozenAt(20, [inSoil(10, () => 3)], means)).toEqual([]);
  });
});
