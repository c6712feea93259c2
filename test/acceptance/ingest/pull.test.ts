import { describe, expect, it } from 'vitest';
import { newBaseFarm } from '../../base-farm.ts';
import { rowsOf } from '../../stores/stores.ts';
import { CLOCK, runCommand, startCommand, waitWhileRunning } from '../program.ts';
import { INTERVAL_MS, moistureAt, startCloud } from './provider-cloud.ts';

const NOW = Date.parse(CLOCK);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NEWEST = Math.floor((NOW - HOUR) / INTERVAL_MS) * INTERVAL_MS;

const ENV = {
  irrimax: { ACEQUIA_IRRIMAX_KEY: 'secret-key' },
  zentra: { ACEQUIA_ZENTRA_TOKEN: 'Token secret-key' },
  davis: { ACEQUIA_DAVIS_KEY: 'public', ACEQUIA_DAVIS_SECRET: 'secret-key' },
};
type Profile = keyof typeof ENV;

const DEVICES: Readonly<Record<Profile, readonly [asked: string, assigned: string]>> = {
  irrimax: ['8A_8', '8A_8'],
  zentra: ['z6-30302', 'z6-30302/1'],
  davis: ['96230', '420911/1'],
};

const args = (db: string, profile: Profile, origin: string, ...more: string[]) => {
  const asked = ['--profile', profile, '--device', DEVICES[profile][0], '--host', origin];
  return ['ingest', 'pull', ...asked, '--db', db, '--clock', CLOCK, ...more];
};

const pull = (db: string, profile: Profile, origin: string, ...more: string[]) =>
  runCommand(args(db, profile, origin, ...more), { env: ENV[profile] });

async function newPulledFarm(profile: Profile): Promise<string> {
  const db = await newBaseFarm();
  const type = profile === 'davis' ? ['10'] : profile === 'zentra' ? ['10'] : [];
  const { code, stderr } = await runCommand([
    'ingest',
    'assign',
    DEVICES[profile][1],
    'North 1',
    ...type,
    '--db',
    db,
    '--clock',
    CLOCK,
  ]);
  expect(code, stderr).toBe(0);
  return db;
}

const stored = async (db: string, type = 'humidity'): Promise<[number, number][]> => {
  const query = `select r.at, r.value from readings r join sensors s on s.id = r.sensor_id
    where s.type = '${type}' order by r.at`;
  return (await rowsOf<{ at: number; value: number }>(db, query)).map(({ at, value }) => [at, value]);
};

const markOf = async (db: string): Promise<number | undefined> =>
  (await rowsOf<{ pulled_until: number }>(db, 'select pulled_until from pull_marks'))[0]?.pulled_until;

const expected = (from: number, to: number): [number, number][] => {
  const first = Math.ceil(from / INTERVAL_MS) * INTERVAL_MS;
  const count = Math.floor((to - first) / INTERVAL_MS) + 1;
  return Array.from({ length: count }, (_, n) => [
    first + n * INTERVAL_MS,
    Math.round(moistureAt(first + n * INTERVAL_MS) * 1000) / 1000,
  ]);
};

const atLeast = async (db: string, from: number, to: number): Promise<void> => {
  const rows = (await stored(db)).filter(([at]) => at >= from);
  expect(rows.map(([at, value]) => [at, Math.round(value * 1000) / 1000])).toEqual(expected(from, to));
};

describe('acequia ingest pull', () => {
  it.each(['irrimax', 'zentra'] as const)('stores the last week of %s, then what is new', async (profile) => {
    const [db, cloud] = [await newPulledFarm(profile), await startCloud(NEWEST - 4 * HOUR)];
    const since = new Date(NOW - 2 * DAY).toISOString();
    const first = await pull(db, profile, cloud.origin, ...(profile === 'zentra' ? ['--since', since] : []));
    expect(first, first.stderr).toMatchObject({ code: 0 });
    await atLeast(db, profile === 'zentra' ? NOW - 2 * DAY : NOW - 7 * DAY, NEWEST - 4 * HOUR);
    expect(await markOf(db)).toBe(NEWEST - 4 * HOUR);
    if (profile === 'irrimax') {
      // -1.000 is a failed measurement, at 20 cm in every row.
      expect(first.stdout).toMatch(/, \d+ failed measurements left out/);
      expect((await stored(db, 'temperature')).every(([, value]) => value === 18.25)).toBe(true);
    }
    cloud.newest = NEWEST;
    const [asked, before] = [cloud.requests.length, (await stored(db)).length];
    const second = await pull(db, profile, cloud.origin);
    expect(second.code).toBe(0);
    expect((await stored(db)).length - before).toBe(8);
    expect(cloud.requests).toHaveLength(asked + 1);
    expect(await markOf(db)).toBe(NEWEST);
  });

  it('asks Davis for a day at a time, and again what failed for the moment', async () => {
    const db = await newBaseFarm();
    const cloud = await startCloud(NEWEST);
    cloud.faults.push({ status: 503 }, { status: 429, headers: { 'retry-after': '0' } });
    const run = await pull(db, 'davis', cloud.origin);
    expect(run.code, run.stderr).toBe(0);
    // A week is eight requests; two more failed.
    expect(cloud.requests).toHaveLength(10);
    expect(run.stdout).toContain('kept of devices that are not assigned');
    expect(run.stderr).toContain('answers with status 503');
    const devices = await runCommand(['ingest', 'devices', '--db', db, '--clock', CLOCK]);
    expect(devices.stdout).toContain('420911/1  not assigned');
    expect(devices.stdout).toContain('temperature 18 °C');
  });

  it('resumes where it was killed', async () => {
    const [db, cloud] = [await newPulledFarm('irrimax'), await startCloud(NEWEST)];
    cloud.answers = 3;
    const since = new Date(NOW - 100 * DAY).toISOString();
    const running = startCommand(args(db, 'irrimax', cloud.origin, '--since', since, '--every', '15m'), {
      env: ENV.irrimax,
    });
    await waitWhileRunning(running, () => cloud.requests.length === 4);
    running.child.kill('SIGKILL');
    await running.ended;
    const mark = (await markOf(db))!;
    expect((await stored(db)).at(-1)![0]).toBe(mark);
    expect(mark).toBeLessThan(NOW - 9 * DAY);
    cloud.answers = Number.POSITIVE_INFINITY;
    const run = await pull(db, 'irrimax', cloud.origin);
    expect(run.code, run.stderr).toBe(0);
    // Three requests of 30 days are done: what is left of the hundred days is asked for once.
    expect(cloud.requests).toHaveLength(5);
    await atLeast(db, NOW - 100 * DAY, NEWEST);
  });

  it('stores each reading once where two pull at the same time', async () => {
    const [db, cloud] = [await newPulledFarm('irrimax'), await startCloud(NEWEST)];
    const since = new Date(NOW - 90 * DAY).toISOString();
    const runs = await Promise.all([1, 2].map(() => pull(db, 'irrimax', cloud.origin, '--since', since)));
    for (const { code, stderr } of runs) expect(code, stderr).toBe(0);
    await atLeast(db, NOW - 90 * DAY, NEWEST);
    expect(await markOf(db)).toBe(NEWEST);
  });

  it('goes on until it is stopped', async () => {
    const [db, cloud] = [await newPulledFarm('irrimax'), await startCloud(NEWEST)];
    const running = startCommand(args(db, 'irrimax', cloud.origin, '--every', '15m'), { env: ENV.irrimax });
    await waitWhileRunning(running, () => running.stdout().includes('readings written'));
    expect((await running.stop()).code).toBe(0);
    expect(cloud.requests).toHaveLength(1);
  });

  it('ends at a key that is refused, with what to check, and never writes the key', async () => {
    const [db, cloud] = [await newPulledFarm('davis'), await startCloud(NEWEST)];
    const env = { ACEQUIA_DAVIS_KEY: 'public', ACEQUIA_DAVIS_SECRET: 'wrong-secret' };
    const run = await runCommand(args(db, 'davis', cloud.origin, '--every', '15m', '--log-level', 'trace'), { env });
    expect(run).toMatchObject({ code: 1, stderr: expect.stringContaining('status 401') });
    expect(run.stderr).toContain('Check ACEQUIA_DAVIS_KEY and ACEQUIA_DAVIS_SECRET');
    expect(run.stderr + run.stdout).not.toMatch(/wrong-secret|api-key/);
    expect(await markOf(db)).toBeUndefined();
    const none = await runCommand(args(db, 'davis', cloud.origin));
    expect(none.stderr).toContain('ACEQUIA_DAVIS_KEY and ACEQUIA_DAVIS_SECRET are not set');
    expect(cloud.requests).toHaveLength(1);
  });

  it('contacts no other host, also where an answer points to one', async () => {
    const [db, cloud] = [await newPulledFarm('irrimax'), await startCloud(NEWEST)];
    for (const host of ['irrimax.example.org', 'https://example.org', 'zentracloud.com', 'http://user:pw@127.0.0.1:1'])
      expect(await pull(db, 'irrimax', host)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('www.irrimaxlive.com'),
      });
    const other = await startCloud(NEWEST);
    cloud.faults.push({ status: 302, headers: { location: `${other.origin}/api/` } });
    const run = await pull(db, 'irrimax', cloud.origin);
    expect(run).toMatchObject({ code: 1, stderr: expect.stringContaining('which is not followed') });
    expect(other.requests).toEqual([]);
    expect(await stored(db)).toEqual([]);
  });

  it('goes on with the next device after an answer that it cannot read', async () => {
    const [db, cloud] = [await newPulledFarm('irrimax'), await startCloud(NEWEST)];
    cloud.faults.push({ status: 200, body: '<html>Invalid API key</html>' });
    const run = await pull(db, 'irrimax', cloud.origin, '--device', '8A_8');
    expect(run.stderr).toContain('answered a page, not readings; check the key and the name of the device');
    expect(run).toMatchObject({ code: 1, stdout: expect.stringContaining('readings written') });
  });

  it('stores nothing of an answer that it cannot read', async () => {
    const [db, cloud] = [await newPulledFarm('zentra'), await startCloud(NEWEST)];
    cloud.faults.push({ status: 200, body: '<html>maintenance</html>' });
    const run = await pull(db, 'zentra', cloud.origin, '--since', new Date(NOW - DAY).toISOString());
    expect(run).toMatchObject({ code: 1, stderr: expect.stringContaining('cannot be read') });
    expect(await markOf(db)).toBeUndefined();
  });
});
