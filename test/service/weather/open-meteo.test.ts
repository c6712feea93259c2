import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openMeteo, readForecast } from '../../../src/service/weather/open-meteo.ts';
import {
  type ForecastAnswer,
  openMeteoAnswer,
  startForecastServer,
} from '../../acceptance/weather/open-meteo-server.ts';

const answer = () => openMeteoAnswer('2026-07-01', { rain: { 1: [14, 70] } });

describe('an answer of Open-Meteo', () => {
  it('has days with rain, its chance, evapotranspiration and temperatures, and the elevation', () => {
    const { elevationM, days } = readForecast(answer());
    expect(elevationM).toBe(58);
    expect(days).toHaveLength(21);
    const air = { temperatureMin: 16, temperatureMax: 28 };
    expect(days[15]).toEqual({
      day: '2026-07-02',
      rainMm: 14,
      rainProbability: 70,
      et0Mm: 4,
      ...air,
    });
  });

  it('may lack days, values and whole variables, which are unknown then', () => {
    const { daily, daily_units, ...rest } = answer();
    const { precipitation_probability_max: _, ...others } = daily;
    daily.precipitation_sum[15] = null;
    const { days } = readForecast({ ...rest, daily_units, daily: others });
    expect(days[15]).toMatchObject({ rainMm: null, rainProbability: null, et0Mm: 4 });
    expect(readForecast({ daily_units: {}, daily: { time: [] } })).toEqual({
      elevationM: null,
      days: [],
    });
  });

  it('has impossible values as unknown', () => {
    const faulty = answer();
    faulty.daily.precipitation_sum[15] = -3;
    faulty.daily.et0_fao_evapotranspiration[15] = 99;
    faulty.daily.temperature_2m_min[15] = -99;
    expect(readForecast(faulty).days[15]).toMatchObject({
      rainMm: null,
      et0Mm: null,
      temperatureMin: null,
      temperatureMax: 28,
    });
    expect(readForecast({ ...faulty, elevation: -99_999 }).elevationM).toBeNull();
  });

  it.each([
    [
      'other units',
      { daily_units: { ...answer().daily_units, et0_fao_evapotranspiration: 'inch' } },
      /"inch", not mm/,
    ],
    ['no units', { daily_units: {} }, /is in null, not mm/],
    [
      'fewer values than days',
      { daily: { ...answer().daily, precipitation_sum: [1] } },
      /does not have a value for each day/,
    ],
    [
      'other times',
      { daily: { ...answer().daily, time: answer().daily.time.map(Date.parse) } },
      /documented/,
    ],
    [
      'a day twice',
      { daily: { ...answer().daily, time: answer().daily.time.fill('2026-07-01') } },
      /not in order/,
    ],
    [
      'days from last to first',
      { daily: { ...answer().daily, time: answer().daily.time.toReversed() } },
      /not in order/,
    ],
    ['an error', { error: true, daily: undefined }, /documented/],
  ])('with %s is refused', (_, more, why) => {
    expect(() => readForecast({ ...answer(), ...more })).toThrow(why);
  });

  it('of any shape is read or refused, and never breaks', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (json) => {
        try {
          readForecast(json);
        } catch (error) {
          expect((error as Error).message).toMatch(
            /the answer is not|does not have a value|is in|not in order/,
          );
        }
      }),
    );
  });
});

const PLACE = { latitude: 43.61, longitude: 3.87, zone: 'Europe/Paris' };

async function fetchFrom(
  reply: ForecastAnswer,
  signal = new AbortController().signal,
  timeoutMs?: number,
) {
  const { base } = await startForecastServer(() => reply);
  return openMeteo(new URL(base), timeoutMs).fetch(PLACE, signal);
}

it.each<[string, ForecastAnswer, string]>([
  [
    'refuses',
    (_, response) =>
      response.writeHead(429).end('{"error":true,"reason":"Daily API request limit exceeded"}'),
    'the answer has status 429',
  ],
  ['sends no JSON', (_, response) => response.end('<html>'), 'the answer is not JSON'],
  ['sends something else', { error: true, reason: 'x' }, 'the answer is not the documented one'],
  [
    'never ends',
    (_, response) => {
      const more = (): void => void (response.writable && response.write('x'.repeat(65_536), more));
      more();
    },
    'the answer has more than 256 kB',
  ],
])('says why there is no forecast of a provider that %s', async (_, reply, why) => {
  await expect(fetchFrom(reply)).rejects.toThrow(why);
});

it('sends the place of the farm to no other host', async () => {
  const other = await startForecastServer(answer);
  const redirect = fetchFrom((_, response) =>
    response.writeHead(302, { location: `${other.base}/v1/forecast` }).end(),
  );
  await expect(redirect).rejects.toThrow('the answer has status 302');
  expect(other.requests).toEqual([]);
});

it('gives up on a provider that does not answer, or once it is told to stop', async () => {
  const stopping = new AbortController();
  await expect(fetchFrom(() => undefined, stopping.signal, 50)).rejects.toThrow(
    'no answer within 0.05 s',
  );
  const stopped = fetchFrom(() => stopping.abort(), stopping.signal);
  await expect(stopped).rejects.toThrow('no connection');
  const nobody = openMeteo(new URL('http://127.0.0.1:1'));
  await expect(nobody.fetch(PLACE, new AbortController().signal)).rejects.toThrow(/no connection/);
});
