import { beforeAll, describe, expect, it } from 'vitest';
import { importBaseFarm } from '../../base-farm.ts';
import { runInProcess } from '../../in-process-command.ts';
import { itInDeepRuns } from '../../property-runs.ts';
import { expectedMoisture, INTERVAL_MS, startCloud } from '../../service/ingest/provider-cloud.ts';
import { executeStatements, rowsOf } from '../../stores/stores.ts';
import { templateStore } from '../../stores/template-stores.ts';
import { copyOfStore } from '../../temporary-places.ts';
import { CLOCK, runCommand, startCommand, waitWhileRunning } from '../program.ts';

const NOW = Date.parse(CLOCK);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NEWEST = Math.floor((NOW - HOUR) / INTERVAL_MS) * INTERVAL_MS;
const KEY = { env: { ACEQUIA_IRRIMAX_KEY: 'secret-key' } };

const pulledFarm = templateStore(async (db) => {
  await importBaseFarm(db);
  await executeStatements(
    db,
    "insert into devices (company_id, name, module_id, depths, first_seen_at) values (1, '8A_8', 1, '[]', 0)",
  );
});
const newPulledFarm = async () => copyOfStore(await pulledFarm());

const args = (db: string, origin: string, ...more: string[]) => {
  const source = ['--profile', 'irrimax', '--device', '8A_8', '--host', origin];
  return ['ingest', 'pull', ...source, '--db', db, '--clock', CLOCK, ...more];
};

async function stored(db: string): Promise<[number, number][]> {
  const query = `select r.at, r.value from readings r join sensors s on s.id = r.sensor_id
    where s.type = 'humidity' order by r.at`;
  const rows = await rowsOf<{ at: number; value: number }>(db, query);
  return rows.map(({ at, value }) => [at, Math.round(value * 1000) / 1000]);
}

const markOf = async (db: string): Promise<number | undefined> =>
  (await rowsOf<{ pulled_until: number }>(db, 'select pulled_until from pull_marks'))[0]
    ?.pulled_until;

describe('acequia ingest pull', () => {
  it('resumes where it was killed, and goes on until it is stopped', async () => {
    const [db, served] = [await newPulledFarm(), await startCloud(NEWEST)];
    const { cloud, origin } = served;
    served.answers = 2;
    const since = new Date(NOW - 70 * DAY).toISOString();
    const killed = startCommand(args(db, origin, '--since', since, '--every', '15m'), KEY);
    await waitWhileRunning(killed, () => cloud.requests.length === 3);
    killed.child.kill('SIGKILL');
    await killed.ended;
    const mark = (await markOf(db))!;
    expect((await stored(db)).at(-1)![0]).toBe(mark);
    expect(mark).toBeLessThan(NOW - 9 * DAY);
    served.answers = Number.POSITIVE_INFINITY;
    const running = startCommand(args(db, origin, '--every', '15m'), KEY);
    await waitWhileRunning(running, () => running.stdout().includes('readings written'));
    expect(await running.stop()).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/, \d+ failed measurements/),
    });
    // Two requests of 30 days were answered: what is left of the seventy days is asked for once.
    expect(cloud.requests).toHaveLength(4);
    expect(await stored(db)).toEqual(expectedMoisture(NOW - 70 * DAY, NEWEST));
  });

  itInDeepRuns('stores each reading once where two pull at the same time', async () => {
    const [db, { origin }] = [await newPulledFarm(), await startCloud(NEWEST)];
    const since = new Date(NOW - 31 * DAY).toISOString();
    const runs = await Promise.all(
      [1, 2].map(() => runCommand(args(db, origin, '--since', since), KEY)),
    );
    for (const { code, stderr } of runs) expect(code, stderr).toBe(0);
    expect(await stored(db)).toEqual(expectedMoisture(NOW - 31 * DAY, NEWEST));
    expect(await markOf(db)).toBe(NEWEST);
  });

  it('ends at a key that is refused, with what to check, and never writes the key', async () => {
    const [db, { cloud, origin }] = [await newPulledFarm(), await startCloud(NEWEST)];
    const env = { ACEQUIA_IRRIMAX_KEY: 'wrong-secret' };
    const run = await runCommand(args(db, origin, '--every', '15m', '--log-level', 'trace'), {
      env,
    });
    expect(run).toMatchObject({ code: 1, stderr: expect.stringContaining('status 403') });
    expect(run.stderr).toContain('Check ACEQUIA_IRRIMAX_KEY');
    expect(run.stderr + run.stdout).not.toMatch(/wrong-secret/);
    expect(await markOf(db)).toBeUndefined();
    const without = await runInProcess(args(db, origin));
    expect(without.stderr).toContain('ACEQUIA_IRRIMAX_KEY is not set');
    expect(cloud.requests).toHaveLength(1);
  });

  it('goes on with the next device after an answer that it cannot read', async () => {
    const [db, { cloud, origin }] = [await newPulledFarm(), await startCloud(NEWEST)];
    cloud.faults.push({ body: '<html>Invalid API key</html>' });
    const run = await runCommand(args(db, origin, '--device', '8A_8'), KEY);
    expect(run.stderr).toContain(
      'answered a page, not readings; check the key and the name of the device',
    );
    expect(run).toMatchObject({ code: 1, stdout: expect.stringContaining('readings written') });
  });
});

describe('the host of acequia ingest pull', () => {
  let db: string;
  beforeAll(async () => {
    db = await pulledFarm();
  });

  it.each(['irrimax.example.org', 'http://user:pw@127.0.0.1:1'])(
    'is one of the provider: not %s',
    async (host) => {
      expect(await runInProcess(args(db, host), KEY)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('www.irrimaxlive.com'),
      });
    },
  );
});
