import { expect, it } from 'vitest';
import type { WeatherPageBody } from '../../../src/schema/weather/weather-days.ts';
import { newBaseFarm } from '../../base-farm.ts';
import { runInProcess } from '../../in-process-command.ts';
import { CLOCK, runCommand, waitUntil } from '../program.ts';
import { createTestKey, startServing } from '../rest-service.ts';
import { openMeteoAnswer, startForecastServer } from './open-meteo-server.ts';

const TODAY = '2026-07-01';
const RAIN = { 1: [14, 70] } as const;

it('a forecast is fetched by a tick where it is configured, stored, and part of later answers', async () => {
  const server = await startForecastServer(() => openMeteoAnswer(TODAY, { rain: RAIN }));
  const db = await newBaseFarm();
  const run = (args: readonly string[], env: Record<string, string> = {}) =>
    runInProcess([...args, '--db', db, '--clock', CLOCK], { env });
  expect((await run(['tick'])).stdout).not.toContain('forecast');
  expect((await run(['tick'], { ACEQUIA_FORECAST: server.base })).stdout).toContain(
    '1 forecast fetched.',
  );
  expect(server.requests.map(({ pathname }) => pathname)).toEqual(['/v1/forecast']);
  expect(Object.fromEntries(server.requests[0]!.searchParams)).toEqual({
    latitude: '43.61',
    longitude: '3.87',
    timezone: 'Europe/Paris',
    past_days: '14',
    forecast_days: '7',
    daily:
      'precipitation_sum,precipitation_probability_max,et0_fao_evapotranspiration,' +
      'temperature_2m_min,temperature_2m_max',
  });
  expect((await run(['call', 'morning_brief'])).stdout).toContain(
    '14 mm forecast until tomorrow (70 %)',
  );
  const { stdout } = await run(['doctor'], { ACEQUIA_FORECAST: server.base });
  expect(stdout.replace(/\s+/g, ' ')).toContain('good forecast from 127.0.0.1');
});

it('a forecast is fetched by a server, which answers meanwhile, and is part of GET /weather', async () => {
  let answer = (): void => undefined;
  const server = await startForecastServer(() => (_, response) => {
    answer = () => response.end(JSON.stringify(openMeteoAnswer(TODAY, { rain: RAIN })));
  });
  const db = await newBaseFarm();
  const { key } = await createTestKey(db);
  const { request } = await startServing(db, ['--clock', CLOCK], {
    env: { ACEQUIA_FORECAST: server.base },
  });
  const weather = async (): Promise<WeatherPageBody> =>
    (await request('GET', '/weather', { key })).body;
  await waitUntil(() => server.requests.length > 0);
  expect((await weather()).forecast).toBeNull();
  answer();
  await waitUntil(async () => (await weather()).forecast !== null);
  const { forecast, elevationM } = await weather();
  expect(elevationM).toBe(58);
  expect(forecast).toMatchObject({ provider: 'open-meteo' });
  const air = { temperatureMin: 16, temperatureMax: 28 };
  expect(forecast!.days.slice(0, 2)).toEqual([
    { day: TODAY, rainMm: 0, rainProbability: 3, et0Mm: 4, ...air },
    { day: '2026-07-02', rainMm: 14, rainProbability: 70, et0Mm: 4, ...air },
  ]);
  expect(forecast!.lastDays).toHaveLength(14);
  expect(forecast!.lastDays[13]).toEqual({ day: '2026-06-30', ...air });
});

it('a tick with a wrong address of forecasts is refused without its secret', async () => {
  const env = { ACEQUIA_FORECAST: 'http://ana:secret@127.0.0.1' };
  const { code, stderr } = await runCommand(
    ['tick', '--db', await newBaseFarm(), '--clock', CLOCK],
    { env },
  );
  expect([code, stderr]).toEqual([2, expect.stringContaining('ACEQUIA_FORECAST is neither')]);
  expect(stderr).not.toContain('secret');
});
