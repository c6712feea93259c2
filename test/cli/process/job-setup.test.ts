import { expect, it } from 'vitest';
import { checkForecast } from '../../../src/cli/doctor/background-job-checks.ts';
import { readForecastAddress, readForecastOpener } from '../../../src/cli/process/job-setup.ts';
import { viewStore } from '../../../src/store/store.ts';
import { saveForecast } from '../../../src/store/weather/weather.ts';
import { newBaseFarm } from '../../base-farm.ts';
import { afterTest } from '../../cleanup.ts';
import { withSecondStore } from '../../stores/stores.ts';
import { HOUR } from '../../time.ts';

const NOW = Date.parse('2026-07-01T10:00:00Z');

it('no forecast is fetched unless that is configured', async () => {
  for (const env of [{}, { ACEQUIA_FORECAST: ' ' }]) {
    expect(readForecastOpener(env)).toBeUndefined();
    expect(await checkForecast(env, NOW, null)).toEqual([]);
  }
});

it.each([
  ['open-meteo', 'https://api.open-meteo.com/'],
  ['http://127.0.0.1:8080/forecasts', 'http://127.0.0.1:8080/forecasts'],
])('%s is an address of forecasts', (ACEQUIA_FORECAST, address) => {
  expect(readForecastAddress({ ACEQUIA_FORECAST })!.href).toBe(address);
});

it.each([
  'openmeteo',
  'ftp://example.org',
  'http://ana:secret@127.0.0.1',
  'http://127.0.0.1?key=secret',
])('%s is none, which the doctor says without it', async (ACEQUIA_FORECAST) => {
  const message = 'ACEQUIA_FORECAST is neither open-meteo nor an http address.';
  expect(() => readForecastOpener({ ACEQUIA_FORECAST })).toThrow(message);
  const findings = await checkForecast({ ACEQUIA_FORECAST }, NOW, null);
  expect(findings).toEqual([expect.objectContaining({ level: 'bad', what: message })]);
  expect(JSON.stringify(findings)).not.toContain('secret');
});

it('the doctor says how old the newest forecast is, and why the last attempt failed', async () => {
  const db = await newBaseFarm();
  const view = await viewStore(db);
  afterTest(() => view.close());
  const finding = async () =>
    (await checkForecast({ ACEQUIA_FORECAST: 'open-meteo' }, NOW, view))[0];
  const save = (fetchedAt: number | null, failure: string | null) =>
    withSecondStore(db, (store) =>
      store.write(1, (company) =>
        saveForecast(company, {
          provider: 'open-meteo',
          attempted_at: NOW - HOUR,
          fetched_at: fetchedAt,
          body: null,
          failure,
        }),
      ),
    );
  expect(await finding()).toMatchObject({
    level: 'doubtful',
    what: 'none was fetched from api.open-meteo.com yet',
  });
  await save(null, 'the answer is not JSON');
  expect(await finding()).toMatchObject({
    level: 'doubtful',
    what: 'the last attempt at api.open-meteo.com failed: the answer is not JSON; there is none',
  });
  await save(NOW - HOUR, null);
  expect(await finding()).toMatchObject({
    level: 'good',
    what: expect.stringMatching(/^from api.*newest is .* old$/),
  });
});
