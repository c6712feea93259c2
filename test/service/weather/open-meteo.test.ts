import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openMeteo, readForecast } from '../../../src/service/weather/open-meteo.ts';
import { openMeteoAnswer } from '../../acceptance/weather/open-meteo-server.ts';
import { afterTest } from '../../cleanup.ts';

const answer = () => openMeteoAnswer('2026-07-01', { rain: { 1: [14, 70] } });

describe('an answer of Open-Meteo', () => {
  it('has days with rain, its chance and evapotranspiration, and the elevation', () => {
    const { elevationM, days } = readForecast(answer());
    expect(elevationM).toBe(58);
    expect(days).toHaveLength(21);
    expect(days[15]).toEqual({ day: '2026-07-02', rainMm: 14, rainProbability: 70, et0Mm: 4 });
  });

  it('may lack days, values and whole variables, which are unknown then', () => {
    const { daily, daily_units, ...rest } = answer();
    const { precipitation_probability_max: _, ...others } = daily;
    daily.precipitation_sum[15] = null;
    const { days } = readForecast({ ...rest, daily_units, daily: others });
    expect(days[15]).toEqual({ day: '2026-07-02', rainMm: null, rainProbability: null, et0Mm: 4 });
    expect(readForecast({ daily_units: {}, daily: { time: [] } })).toEqual({ elevationM: null, days: [] });
  });

  it('has impossible values as unknown', () => {
    const faulty = answer();
    faulty.daily.precipitation_sum[15] = -3;
    faulty.daily.et0_fao_evapotranspiration[15] = 99;
    expect(readForecast(faulty).days[15]).toMatchObject({ rainMm: null, et0Mm: null });
    expect(readForecast({ ...faulty, elevation: -99_999 }).elevationM).toBeNull();
  });

  it.each([
    ['other units', { daily_units: { ...answer().daily_units, et0_fao_evapotranspiration: 'inch' } }, /"inch", not mm/],
    ['no units', { daily_units: {} }, /is in null, not mm/],
    ['fewer values than days', { daily: { ...answer().daily, precipitation_sum: [1] } }, /not a value for each day/],
    ['other times', { daily: { ...answer().daily, time: answer().daily.time.map(Date.parse) } }, /documented/],
    ['a day twice', { daily: { ...answer().daily, time: answer().daily.time.fill('2026-07-01') } }, /not in order/],
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
          expect((error as Error).message).toMatch(/the answer is not|has not a value|is in|not in order/);
        }
      }),
    );
  });
});

it('gives up on a provider that does not answer, or once it is told to stop', async () => {
  const server = createServer(() => undefined).listen(0, '127.0.0.1');
  afterTest(() => void server.closeAllConnections());
  await new Promise((listening) => server.once('listening', listening));
  const base = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const place = { latitude: 43.61, longitude: 3.87, zone: 'Europe/Paris' };
  await expect(openMeteo(base, 50).fetch(place, new AbortController().signal)).rejects.toThrow(
    'no answer within 0.05 s',
  );
  const stopping = new AbortController();
  const stopped = openMeteo(base).fetch(place, stopping.signal);
  stopping.abort();
  await expect(stopped).rejects.toThrow('no connection');
  server.close();
  await expect(openMeteo(new URL('http://127.0.0.1:1')).fetch(place, new AbortController().signal)).rejects.toThrow(
    /no connection \(ECONNREFUSED|no connection/,
  );
});
