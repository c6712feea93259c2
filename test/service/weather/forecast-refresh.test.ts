import { describe, expect } from 'vitest';
import type { WeatherPageBody } from '../../../src/schema/weather/weather-days.ts';
import { refreshForecasts } from '../../../src/service/jobs/forecast-refresh.ts';
import type { FetchedForecast } from '../../../src/service/weather/farm-weather.ts';
import { ForecastError, type ForecastLocation } from '../../../src/service/weather/open-meteo.ts';
import { FARM_NOW, HOUR, it, MINUTE, type TestFarm } from '../../farm.ts';

const FORECAST: FetchedForecast = {
  elevationM: 40,
  days: [
    {
      day: '2026-07-02',
      rainMm: 14,
      rainProbability: 70,
      et0Mm: 4,
      temperatureMin: 16,
      temperatureMax: 28,
    },
  ],
};

/**
 * A provider that gives these answers in turn and repeats the last one, and the job that fetches
 * from it.
 */
async function forecastsOf(farm: TestFarm, ...answers: (() => Promise<FetchedForecast>)[]) {
  await farm.write((db) =>
    db.updateTable('modules').set({ lat: 43.6, lon: 3.9 }).where('name', '=', 'Mast').execute(),
  );
  const places: ForecastLocation[] = [];
  const provider = {
    name: 'open-meteo',
    fetch: (place: ForecastLocation) =>
      answers[Math.min(places.push(place), answers.length) - 1]!(),
  };
  const { signal } = new AbortController();
  const refresh = (afterMs = 0) =>
    refreshForecasts(farm.store, { clock: () => FARM_NOW + afterMs, provider, signal });
  const forecastDays = async () => (await farm.wire<WeatherPageBody>('get_weather')).forecast?.days;
  return { places, refresh, forecastDays };
}

const fails = () => Promise.reject(new ForecastError('the answer has status 429'));

describe('a forecast', () => {
  it('is fetched for the place of a farm that has one, and again after three hours', async ({
    farm,
  }) => {
    const { places, refresh, forecastDays } = await forecastsOf(farm, async () => FORECAST);
    expect(await refresh()).toEqual({ fetched: 1, failed: 0 });
    expect(places).toEqual([{ latitude: 43.6, longitude: 3.9, zone: 'Europe/Paris' }]);
    expect(await forecastDays()).toEqual(FORECAST.days);
    expect(await refresh(3 * HOUR - 1)).toEqual({ fetched: 0, failed: 0 });
    expect(await refresh(3 * HOUR)).toEqual({ fetched: 1, failed: 0 });
  });

  it('that cannot be fetched is tried again after half an hour, and the earlier forecast stays', async ({
    farm,
  }) => {
    const { places, refresh, forecastDays } = await forecastsOf(farm, async () => FORECAST, fails);
    await refresh();
    expect(await refresh(4 * HOUR)).toEqual({ fetched: 0, failed: 1 });
    expect(await forecastDays()).toEqual(FORECAST.days);
    await refresh(4 * HOUR + 30 * MINUTE - 1);
    expect(places).toHaveLength(2);
    await refresh(4 * HOUR + 30 * MINUTE);
    expect(places).toHaveLength(3);
  });

  it('that was never fetched leaves the brief unchanged', async ({ farm }) => {
    const brief = async () => (await farm.tool('morning_brief')).summary;
    const before = await brief();
    const { refresh, forecastDays } = await forecastsOf(farm, fails);
    expect(await refresh()).toEqual({ fetched: 0, failed: 1 });
    expect([await brief(), await forecastDays()]).toEqual([before, undefined]);
  });

  it('is fetched once by two jobs at the same time, and reads answer meanwhile', async ({
    farm,
  }) => {
    let answer = (_: FetchedForecast): void => undefined;
    const answered = new Promise<FetchedForecast>((resolve) => {
      answer = resolve;
    });
    const { places, refresh, forecastDays } = await forecastsOf(farm, () => answered);
    const refreshing = [refresh(), refresh()];
    expect(await Promise.race(refreshing)).toEqual({ fetched: 0, failed: 0 });
    expect(await forecastDays()).toBeUndefined();
    answer(FORECAST);
    await Promise.all(refreshing);
    expect(places).toHaveLength(1);
    expect(await forecastDays()).toEqual(FORECAST.days);
  });

  it('is fetched half an hour after a process was killed while it fetched it', async ({ farm }) => {
    const { places, refresh } = await forecastsOf(
      farm,
      () => Promise.reject(new Error('killed')),
      async () => FORECAST,
    );
    await expect(refresh()).rejects.toThrow('killed');
    await refresh(30 * MINUTE - 1);
    expect(places).toHaveLength(1);
    expect(await refresh(30 * MINUTE)).toEqual({ fetched: 1, failed: 0 });
  });
});
