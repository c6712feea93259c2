import { describe, expect, it } from 'vitest';
import type { WeatherPageBody } from '../../../src/schema/weather.ts';
import { newBaseFarm } from '../../base-farm.ts';
import { afterTest } from '../../cleanup.ts';
import { importReadingsCsv } from '../../imported-data.ts';
import { CLOCK, runCommand, startCommand, waitUntil } from '../program.ts';
import { createTestKey, startServing } from '../rest-service.ts';
import { type ForecastAnswer, type ForecastServer, openMeteoAnswer, startForecastServer } from './open-meteo-server.ts';

const TODAY = '2026-07-01';
const RAIN = { 1: [14, 70] } as const;

async function serverWith(answer: () => ForecastAnswer): Promise<ForecastServer> {
  const server = await startForecastServer(answer);
  afterTest(server.close);
  return server;
}

const tick = (db: string, forecast: string, clock = CLOCK) =>
  runCommand(['tick', '--db', db, '--clock', clock], { env: { ACEQUIA_FORECAST: forecast } });

const brief = async (db: string, clock = CLOCK, lang = 'en'): Promise<string> =>
  (await runCommand(['call', 'morning_brief', '--db', db, '--clock', clock, '--lang', lang])).stdout;

/** Without its line breaks. */
const doctor = async (db: string, forecast: string): Promise<string> => {
  const { stdout } = await runCommand(['doctor', '--db', db, '--clock', CLOCK], {
    env: { ACEQUIA_FORECAST: forecast },
  });
  return stdout.replace(/\s+/g, ' ');
};

describe('a forecast', () => {
  it('is fetched by the jobs where it is configured, kept in the store and said to every process', async () => {
    const server = await serverWith(() => openMeteoAnswer(TODAY, { rain: RAIN }));
    const db = await newBaseFarm();
    expect((await tick(db, server.base)).stdout).toContain('1 forecast fetched.');
    expect(server.requests.map(({ pathname }) => pathname)).toEqual(['/v1/forecast']);
    expect(Object.fromEntries(server.requests[0]!.searchParams)).toEqual({
      ...{ latitude: '43.61', longitude: '3.87', timezone: 'Europe/Paris', past_days: '14', forecast_days: '7' },
      daily: 'precipitation_sum,precipitation_probability_max,et0_fao_evapotranspiration',
    });
    // Without the setting: the answer comes from the store.
    expect(await brief(db)).toContain('14 mm forecast until tomorrow (70 %)');
    expect(await brief(db, CLOCK, 'fr')).toContain('14 mm de pluie annoncés d’ici demain (70 %)');
    expect((await tick(db, server.base, '2026-07-01T12:30:00Z')).stdout).not.toContain('forecast');
    expect(server.requests).toHaveLength(1);
    await tick(db, server.base, '2026-07-01T13:30:00Z');
    expect(server.requests).toHaveLength(2);
    // A day after the last one it says nothing that is still true.
    expect(await brief(db, '2026-07-02T15:00:00Z')).not.toContain('forecast');
    expect(await doctor(db, server.base)).toMatch(/good +forecast +from 127\.0\.0\.1/);
  });

  it('is never fetched unless it is configured, and answers are those of before', async () => {
    const db = await newBaseFarm();
    const before = await brief(db);
    const { stdout } = await runCommand(['tick', '--db', db, '--clock', CLOCK]);
    expect(stdout).not.toContain('forecast');
    expect(await brief(db)).toBe(before);
    expect(await doctor(db, '')).not.toContain('forecast');
  });

  it('changes the days until stress, says why, and leaves the amount', async () => {
    const db = await newBaseFarm();
    const hours = Array.from({ length: 13 * 24 }, (_, hour) => hour);
    const rows = hours.flatMap((hour) => {
      const time = new Date(Date.parse(CLOCK) - (hour + 1) * 3_600_000).toISOString();
      return [10, 20, 30].map((depth) => `North 1,humidity,${depth},${time},${24 + hour / 48}`);
    });
    await importReadingsCsv(db, ['module,type,depth,time,value', ...rows].join('\n'));
    await runCommand([
      'call',
      'set_soil_profile',
      'parcel=North block',
      'layers=[{"soilHorizonId":6,"depthTopCm":0,"depthBottomCm":40}]',
      '--db',
      db,
      '--clock',
      CLOCK,
    ]);
    const advice = async () => {
      const { stdout } = await runCommand([
        'call',
        'advise_watering',
        'module=North 1',
        '--db',
        db,
        '--clock',
        CLOCK,
        '--json',
      ]);
      return JSON.parse(stdout);
    };
    const usual = await advice();
    const server = await serverWith(() => openMeteoAnswer(TODAY, { rain: RAIN, et0: (day) => (day < 0 ? 4 : 6) }));
    await tick(db, server.base);
    const hot = await advice();
    expect(hot.daysToStress / usual.daysToStress).toBeCloseTo(4 / 6, 1);
    expect(hot.waterMm).toBe(usual.waterMm);
    expect(hot.summary).toContain('150 % of the pace of the last two weeks: the forecast has');
    expect(hot.summary).toContain(
      '14 mm forecast until tomorrow (70 %), which do not count here: hold or water is your choice.',
    );
  });

  it('is fetched once by two servers, which answer meanwhile, and is part of GET /weather', async () => {
    const server = await serverWith(() => (_, response) => {
      setTimeout(() => response.end(JSON.stringify(openMeteoAnswer(TODAY, { rain: RAIN }))), 1_500);
    });
    const db = await newBaseFarm();
    const { key } = await createTestKey(db);
    const env = { ACEQUIA_FORECAST: server.base };
    const services = await Promise.all([1, 2].map(() => startServing(db, ['--clock', CLOCK], { env })));
    await waitUntil(() => server.requests.length > 0);
    const weather = async (base: string): Promise<WeatherPageBody> =>
      (await fetch(`${base}/weather`, { headers: { 'x-api-key': key } })).json() as Promise<WeatherPageBody>;
    expect((await weather(services[0]!.base)).forecast).toBeNull();
    await waitUntil(async () => (await weather(services[1]!.base)).forecast !== null);
    const { forecast, elevationM } = await weather(services[0]!.base);
    expect(elevationM).toBe(58);
    expect(forecast).toMatchObject({ provider: 'open-meteo' });
    expect(forecast!.days.slice(0, 2)).toEqual([
      { day: TODAY, rainMm: 0, rainProbability: 3, et0Mm: 4 },
      { day: '2026-07-02', rainMm: 14, rainProbability: 70, et0Mm: 4 },
    ]);
    expect(server.requests).toHaveLength(1);
  });

  it('that a killed process had begun is fetched again', async () => {
    let isSlow = true;
    const server = await serverWith(() => (isSlow ? () => undefined : openMeteoAnswer(TODAY, { rain: RAIN })));
    const db = await newBaseFarm();
    const begun = startCommand(['tick', '--db', db, '--clock', CLOCK], { env: { ACEQUIA_FORECAST: server.base } });
    await waitUntil(() => server.requests.length > 0);
    begun.child.kill('SIGKILL');
    isSlow = false;
    expect((await tick(db, server.base, '2026-07-01T10:31:00Z')).stdout).toContain('1 forecast fetched.');
  });
});

describe('a provider that fails', () => {
  it.each<[string, () => ForecastAnswer, RegExp]>([
    [
      'refuses',
      () => (_, response) => response.writeHead(429).end('{"error":true,"reason":"Daily API request limit exceeded"}'),
      /status 429/,
    ],
    ['sends no JSON', () => (_, response) => response.end('<html>'), /not JSON/],
    ['sends something else', () => ({ error: true, reason: 'x' }), /not the documented one/],
    [
      'has other units',
      () => ({ ...openMeteoAnswer(TODAY), daily_units: { precipitation_sum: 'inch' } }),
      /"inch", not mm/,
    ],
    [
      'never ends',
      () => (_, response) => {
        response.write('{"daily":"');
        const more = setInterval(() => response.write('x'.repeat(65_536)), 5);
        response.on('close', () => clearInterval(more));
      },
      /more than 256 kB/,
    ],
  ])('because it %s leaves advice as it is, and the doctor says why', async (_, answer, why) => {
    const db = await newBaseFarm();
    const before = await brief(db);
    const server = await serverWith(answer);
    expect((await tick(db, server.base)).stdout).toContain('0 forecasts fetched, 1 not: see "acequia doctor".');
    expect(await brief(db)).toBe(before);
    expect(await doctor(db, server.base)).toMatch(why);
    await tick(db, server.base, '2026-07-01T10:20:00Z');
    expect(server.requests).toHaveLength(1);
  });

  it('keeps the forecast of before', async () => {
    const db = await newBaseFarm();
    let works = true;
    const server = await serverWith(() => (works ? openMeteoAnswer(TODAY, { rain: RAIN }) : {}));
    await tick(db, server.base);
    works = false;
    await tick(db, server.base, '2026-07-01T14:00:00Z');
    expect(server.requests).toHaveLength(2);
    expect(await brief(db, '2026-07-01T14:10:00Z')).toContain('14 mm forecast');
  });

  it('sends the place of the farm to no other host', async () => {
    const other = await serverWith(() => openMeteoAnswer(TODAY, { rain: RAIN }));
    const server = await serverWith(
      () => (_, response) => response.writeHead(302, { location: `${other.base}/v1/forecast` }).end(),
    );
    const db = await newBaseFarm();
    await tick(db, server.base);
    expect(other.requests).toEqual([]);
    expect(await doctor(db, server.base)).toMatch(/status 302/);
  });

  it('is refused where its address is none', async () => {
    const db = await newBaseFarm();
    for (const address of [
      'openmeteo',
      'ftp://example.org',
      'http://ana:secret@127.0.0.1',
      'http://127.0.0.1?key=secret',
    ]) {
      const { code, stderr } = await tick(db, address);
      expect(code).toBe(2);
      expect(stderr).toContain('ACEQUIA_FORECAST is neither open-meteo nor an http address.');
      expect(stderr).not.toContain('secret');
      expect(await doctor(db, address)).toMatch(/bad +forecast/);
    }
  });
});
