import { describe, expect } from 'vitest';
import { LocalDay } from '../../../src/domain/local-day.ts';
import type { AdviceBody } from '../../../src/schema/advice/advice.ts';
import type { WeatherPageBody } from '../../../src/schema/weather/weather-days.ts';
import { saveForecast } from '../../../src/store/weather/weather.ts';
import {
  type Advised,
  advisoriesOf,
  DAY,
  FARM_NOW,
  HOUR,
  it,
  minutesAt,
  type TestFarm,
  type ToolResult,
} from '../../farm.ts';
import {
  declareSoil,
  installProbe,
  instantsEvery,
  moistureSensorsAt,
} from '../moisture/probe-farm.ts';

const LOAM = 6;
const dayFromToday = (days: number): string => LocalDay.parse('2026-07-01').plus(days).iso;

/** Dries by half a point a day. */
async function dryingOak(farm: TestFarm): Promise<void> {
  await farm.write((db) =>
    db.updateTable('modules').set({ lat: 43.6, lon: 3.9 }).where('name', '=', 'Mast').execute(),
  );
  const oak = await installProbe(farm, {
    sensors: moistureSensorsAt(10, 30, 50),
    parcel: 'North block',
    rootDepthCm: 60,
  });
  await declareSoil(farm, 'North block', [[LOAM, 0, 60]]);
  for (const sensor of oak.sensorIds.keys())
    await oak.record(
      sensor,
      instantsEvery(HOUR, FARM_NOW - 14 * DAY, FARM_NOW).map(
        (at) => [at, 22 + ((FARM_NOW - HOUR - at) / DAY) * 0.5] as const,
      ),
    );
  await farm.declare('Oak', { system: 'sprinkler', flowMmPerH: 10, irrigatedAreaM2: 10_000 });
}

const advise = (
  farm: TestFarm,
  args: Record<string, unknown> = {},
): Promise<ToolResult<AdviceBody>> =>
  farm.tool('advise_watering', { module: 'Oak', detail: 'full', ...args });

interface Forecast {
  readonly et0?: (day: number) => number | null;
  readonly rain?: Record<number, readonly [mm: number, percent: number | null]>;
  readonly fetchedAt?: number;
}

const giveForecast = (
  farm: TestFarm,
  { et0 = () => 4, rain = {}, fetchedAt = FARM_NOW - HOUR }: Forecast,
) =>
  farm.write((db) =>
    saveForecast(db, {
      provider: 'open-meteo',
      attempted_at: fetchedAt,
      fetched_at: fetchedAt,
      failure: null,
      body: JSON.stringify({
        elevationM: 40,
        days: Array.from({ length: 21 }, (_, index) => {
          const ahead = index - 14;
          const [rainMm = 0, rainProbability = 5] = rain[ahead] ?? [];
          return { day: dayFromToday(ahead), rainMm, rainProbability, et0Mm: et0(ahead) };
        }),
      }),
    }),
  );

/** Temperatures of the last days, of which the newest three are hotter. */
const giveDays = (farm: TestFarm) =>
  farm.wire('set_weather', {
    days: Array.from({ length: 14 }, (_, index) => {
      const back = index + 1;
      return { day: dayFromToday(-back), temperatureMin: 14, temperatureMax: back <= 3 ? 38 : 24 };
    }),
  });

describe('the pace of the coming days', () => {
  it('follows from the forecast', async ({ farm }) => {
    await dryingOak(farm);
    const usual = await advise(farm);
    await giveForecast(farm, { et0: (day) => (day < 0 ? 4 : 6) });
    const hot = await advise(farm);
    expect(hot.daysToStress! / usual.daysToStress!).toBeCloseTo(4 / 6, 1);
    expect(advisoriesOf(hot, 'demand_ratio')).toMatchObject([
      { percent: 150, basis: 'forecast', comingMm: 6, lastMm: 4 },
    ]);
    expect(hot.waterMm).toBe(usual.waterMm);
    expect(hot.confidence).toBe(usual.confidence);
  });

  it('yields to the demand that the caller expects', async ({ farm }) => {
    await dryingOak(farm);
    const usual = await advise(farm);
    await giveForecast(farm, { et0: (day) => (day < 0 ? 4 : 6) });
    const withDemand = await advise(farm, { demandPercent: 100 });
    expect(withDemand.daysToStress).toBe(usual.daysToStress);
    expect(advisoriesOf(withDemand, 'demand_ratio')).toEqual([]);
  });

  it('is not taken from a forecast that is older than a day, or of a later time', async ({
    farm,
  }) => {
    await dryingOak(farm);
    const usual = await advise(farm);
    for (const fetchedAt of [FARM_NOW - DAY - HOUR, FARM_NOW + DAY + HOUR]) {
      await giveForecast(farm, {
        et0: (day) => (day < 0 ? 4 : 6),
        fetchedAt,
        rain: { 1: [14, 70] },
      });
      expect(await advise(farm)).toEqual(usual);
      expect((await farm.wire<WeatherPageBody>('get_weather')).forecast).toBeNull();
    }
  });

  it('is that of the newest days without a forecast, unless the drying itself shows them', async ({
    farm,
  }) => {
    await dryingOak(farm);
    const usual = await advise(farm);
    await giveDays(farm);
    expect((await farm.wire<WeatherPageBody>('get_weather')).pace).toMatchObject({
      basis: 'recent',
      method: 'hargreaves',
    });
    expect(await advise(farm)).toEqual(usual);
    // After this one no whole dry day has passed yet.
    await farm.log('Oak', minutesAt(FARM_NOW - 10 * HOUR, 30));
    const hot = await advise(farm);
    const [demand] = advisoriesOf(hot, 'demand_ratio');
    expect(demand).toMatchObject({
      basis: 'recent',
      method: 'hargreaves',
      missing: ['humidity', 'wind', 'radiation'],
    });
    expect(demand?.percent).toBeGreaterThan(100);
    expect(hot.daysToStress!).toBeLessThan(usual.daysToStress!);
  });
});

describe('rain in the forecast', () => {
  it('is named with its last day and chance, and not counted', async ({ farm }) => {
    await dryingOak(farm);
    const usual = await advise(farm);
    await giveForecast(farm, { rain: { 0: [2, 40], 1: [12, 70], 5: [30, 90] } });
    const advice = await advise(farm);
    expect(advice).toMatchObject({
      waterMm: usual.waterMm,
      daysToStress: usual.daysToStress,
      reasons: usual.reasons,
    });
    const expected = (answer: Advised) => advisoriesOf(answer, 'forecast_rain');
    const rain = { mm: 14, until: '2026-07-02', probability: 70, isCounted: false };
    expect(expected(advice)).toMatchObject([rain]);
    await giveForecast(farm, { rain: { 1: [14, null] } });
    expect(expected(await farm.tool('morning_brief'))).toMatchObject([
      { ...rain, probability: null },
    ]);
    await giveForecast(farm, { rain: { 2: [14, 70] } });
    expect(expected(await advise(farm))).toMatchObject([{ ...rain, until: '2026-07-03' }]);
  });

  it('is not said where less than a millimetre a day is forecast', async ({ farm }) => {
    await dryingOak(farm);
    const usual = await advise(farm);
    await giveForecast(farm, { rain: { 1: [0.9, 70] } });
    expect(await advise(farm)).toEqual(usual);
  });
});

describe('reference evapotranspiration', () => {
  it('is said in the brief on demand, with method and missing inputs', async ({ farm }) => {
    await dryingOak(farm);
    const sentence =
      /Reference evapotranspiration: [\d.]+ mm a day in the last 7 days \(Hargreaves, without humidity, wind and radiation\); the last three days, 1\d\d % of the last two weeks\./;
    const brief = async (detail: string) => (await farm.tool('morning_brief', { detail })).summary;
    expect(await brief('full')).not.toMatch(/evapotranspiration/);
    await giveDays(farm);
    expect(await brief('full')).toMatch(sentence);
    expect(await brief('concise')).not.toMatch(/evapotranspiration/);
  });
});
