import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { newBaseFarm } from '../../base-farm.ts';
import { importFarmFile } from '../../imported-data.ts';
import { rowsOf } from '../../stores/stores.ts';
import { newFolder } from '../../temporary-places.ts';
import { DAY, MINUTE } from '../../time.ts';
import { connectStdio } from '../mcp-session.ts';
import { CLEAN_EXIT, CLOCK, portForRestarts, type RunningCommand, startCommand, waitWhileRunning } from '../program.ts';
import { createTestKey, serveStoreForTest } from '../rest-service.ts';
import { startTestBroker, type TestBroker } from './mqtt-broker.ts';

const START = Date.parse(CLOCK) - 30 * DAY;
const CLIENT = 'acequia-test';
const SOIL = 'farm/A1/soil';

const MAP = {
  readings: [
    {
      topic: 'farm/{module}/soil',
      time: { path: 'ts', unit: 's' },
      values: [
        { path: 'h.0', type: 'humidity', depth: 10, scale: 0.1 },
        { path: 'h.1', type: 'humidity', depth: 20, scale: 0.1 },
        { path: 'h.2', type: 'humidity', depth: 30, scale: 0.1 },
      ],
    },
  ],
  gateways: [
    {
      topic: 'farm/gateways/{imei}/status',
      lastSeen: { path: 'at', unit: 'iso' },
      batteryMv: { path: 'volts', scale: 1000 },
      level: { path: 'bars' },
    },
  ],
};

/** Tenths of a per cent at three depths, in the n-th minute. */
const payload = (n: number, h = [200 + (n % 100), 210, 220]) => ({ ts: (START + n * MINUTE) / 1000, h });

async function startIngest(
  url: string,
  args: readonly string[],
  { map = JSON.stringify(MAP), env = {} }: { readonly map?: string; readonly env?: Record<string, string> } = {},
): Promise<RunningCommand> {
  const file = join(await newFolder(), 'map.json');
  await writeFile(file, map);
  const common = ['--broker', url, '--map', file, '--client-id', CLIENT, '--clock', CLOCK];
  return startCommand(['ingest', 'mqtt', ...common, ...args], { env });
}

async function startSubscribed(...args: Parameters<typeof startIngest>): Promise<RunningCommand> {
  const running = await startIngest(...args);
  await waitWhileRunning(running, () => running.stdout().includes('Listening'));
  return running;
}

async function readingsIn(db: string): Promise<[number, number][]> {
  const query = 'select at, value from readings order by sensor_id, at';
  return (await rowsOf<{ at: number; value: number }>(db, query)).map(({ at, value }) => [at, value]);
}

const countIn = async (db: string): Promise<number> =>
  (await rowsOf<{ found: number }>(db, 'select count(*) as found from readings'))[0]!.found;

/** The broker may read the last acknowledgements after the process has ended. */
async function allAcknowledged(broker: TestBroker): Promise<void> {
  while ((await broker.unacknowledged(CLIENT)) > 0) await pause(5);
}

describe('acequia ingest mqtt', () => {
  it('stores readings and gateway statuses, and ends at SIGTERM', async () => {
    const [broker, db] = [await startTestBroker(), await newBaseFarm()];
    const running = await startSubscribed(broker.url, ['--db', db]);
    await broker.publish(SOIL, payload(0, [213, 224, 235]));
    const status = { at: '2026-07-01T09:00:00Z', volts: 3.952, bars: 3 };
    await broker.publish('farm/gateways/356938035643809/status', status);
    const gateways = () => rowsOf(db, 'select last_seen_at, battery_mv, level from gateways');
    await waitWhileRunning(running, async () => (await gateways())[0]!.battery_mv !== null);
    expect(await readingsIn(db)).toEqual([21.3, 22.4, 23.5].map((value) => [START, value]));
    expect(await gateways()).toEqual([{ last_seen_at: Date.UTC(2026, 6, 1, 9), battery_mv: 3952, level: 3 }]);
    expect(await running.stop()).toEqual({
      ...CLEAN_EXIT,
      stdout: `Listening to ${broker.url} as ${CLIENT}\n2 messages: 3 readings written, 0 changed, 0 unchanged, 0 refused.\n`,
    });
    await allAcknowledged(broker);
  });

  it('loses and duplicates no reading when it is killed repeatedly', async () => {
    const [broker, db] = [await startTestBroker(), await newBaseFarm()];
    const count = 1_500;
    let running = await startSubscribed(broker.url, ['--db', db]);
    const published = (async () => {
      for (let n = 0; n < count; n++) {
        await broker.publish(SOIL, payload(n));
        // Some come twice.
        if (n % 7 === 0) await broker.publish(SOIL, payload(n));
        if (n % 5 === 0) await pause(2);
      }
    })();
    for (let kill = 0; kill < 5; kill++) {
      const before = await countIn(db);
      await waitWhileRunning(running, async () => (await countIn(db)) > before || before === 3 * count);
      await pause(Math.random() * 60);
      running.child.kill('SIGKILL');
      await running.ended;
      running = await startSubscribed(broker.url, ['--db', db]);
    }
    await published;
    await waitWhileRunning(running, async () => (await countIn(db)) >= 3 * count);
    expect(await running.stop()).toMatchObject({ code: 0, signal: null });
    const expected = [0, 1, 2].flatMap((index) =>
      Array.from({ length: count }, (_, n) => [START + n * MINUTE, payload(n).h[index]! / 10]),
    );
    expect(await readingsIn(db)).toEqual(expected);
    expect(await rowsOf(db, 'select sum(count) as found from reading_hours')).toEqual([{ found: 3 * count }]);
    await allAcknowledged(broker);
  });

  it('waits for an unreachable broker, at the start and later, and stores the messages sent meanwhile', async () => {
    const [broker, db] = [await startTestBroker(), await newBaseFarm()];
    await broker.down();
    const running = await startIngest(broker.url, ['--db', db]);
    await waitWhileRunning(running, () => running.stderr().includes('ECONNREFUSED'));
    await broker.up();
    await waitWhileRunning(running, () => running.stdout().includes('Listening'));
    for (let round = 0; round < 3; round++) {
      if (round > 0) await broker.down();
      await broker.publish(SOIL, payload(round));
      if (round > 0) await broker.up();
      await waitWhileRunning(running, async () => (await countIn(db)) === 3 * (round + 1));
    }
    expect(running.stderr()).toContain('trouble with the broker');
    expect((await running.stop()).code).toBe(0);
  });

  it('logs and skips unusable messages, and continues', async () => {
    const [broker, db] = [await startTestBroker(), await newBaseFarm()];
    const running = await startSubscribed(broker.url, ['--db', db]);
    for (const unusable of ['ON', { h: [1, 2, 3] }, { ts: 'soon', h: [1] }, { ts: START / 1000, h: [] }])
      await broker.publish(SOIL, unusable);
    await broker.publish('farm/X9/soil', payload(1));
    await broker.publish(SOIL, payload(2, [9999, 210, 220]));
    await broker.publish(SOIL, payload(3));
    await waitWhileRunning(running, async () => (await countIn(db)) === 5);
    await waitWhileRunning(running, () => running.stderr().split('\n').length > 8);
    const entries = running.stderr().trim().split('\n');
    const reasons = entries.map((line) => JSON.parse(line)).map(({ topic, reason }) => `${topic}: ${reason}`);
    expect(reasons.slice(0, 4)).toEqual([
      `${SOIL}: the payload is not JSON`,
      `${SOIL}: the message has no time (readings[0].time)`,
      `${SOIL}: the time is not a number of s (readings[0].time)`,
      `${SOIL}: no path of the map has a value; readings[0].values[0].path, "h.0", is the first`,
    ]);
    expect(reasons.slice(4).sort()).toEqual([
      `${SOIL}: value is not moisture from 0 to 100 %`,
      ...Array(3).fill('farm/X9/soil: unknown module'),
    ]);
    const { code, stdout } = await running.stop();
    expect(code).toBe(0);
    expect(stdout).toContain('7 messages: 5 readings written, 0 changed, 0 unchanged, 8 refused.');
    await allAcknowledged(broker);
  });

  it.each(['the store', 'a service'])(
    'writes nothing for topics of another company, with wildcards, NUL or great length, and continues, into %s',
    async (target) => {
      const [broker, db] = [await startTestBroker(), await newBaseFarm()];
      const sensors = [10, 20, 30].map((depth) => ({ type: 'humidity', depth }));
      await importFarmFile(db, {
        company: { name: 'Mas Bleu', timezone: 'Europe/Paris' },
        users: [{ email: 'bo@example.org', name: 'Bo', role: 'OWNER' }],
        gateways: [{ imei: '356938035643810', assignedAt: '2025-01-10T00:00:00Z' }],
        modules: [
          { uid: 'B9', name: 'Blue 1', category: 'SOIL_PROBE', commissionedAt: '2025-01-11T09:00:00Z', sensors },
        ],
      });
      const { key } = await createTestKey(db, '--company', 'Mas Rouge', '--scopes', 'ingest:write');
      const args =
        target === 'the store'
          ? ['--db', db, '--company', 'Mas Rouge']
          : ['--remote', (await serveStoreForTest(db, '--clock', CLOCK)).base];
      const running = await startSubscribed(broker.url, args, { env: { ACEQUIA_API_KEY: key } });
      const blue = (await rowsOf<{ id: number }>(db, "select id from modules where uid = 'B9'"))[0]!.id;
      const names = [
        'B9',
        'Blue 1',
        `${blue}`,
        `#${blue}`,
        '+',
        '#',
        'A1\0',
        '\0',
        '',
        ' ',
        '..',
        '%41%31',
        '{module}',
      ].concat('__proto__', 'constructor', 'A1;B9', "A1' or 1=1 --", '\u202eA1', 'x'.repeat(60_000));
      for (const [n, name] of names.entries()) await broker.publish(`farm/${name}/soil`, payload(n));
      for (const topic of ['$SYS/A1/soil', 'farm/A1/soil/more', '/farm/A1/soil', 'farm/A1']) {
        await broker.publish(topic, payload(100));
      }
      await broker.publish('farm/gateways/356938035643810/status', { at: '2026-07-01T09:00:00Z', volts: 3.9, bars: 1 });
      await broker.publish(SOIL, payload(200));
      await waitWhileRunning(running, async () => (await countIn(db)) === 3);
      await allAcknowledged(broker);
      const read =
        'select distinct m.uid from readings r join sensors s on s.id = r.sensor_id join modules m on m.id = s.module_id';
      expect(await rowsOf(db, read)).toEqual([{ uid: 'A1' }]);
      expect(await rowsOf(db, 'select level from gateways where level is not null')).toEqual([]);
      expect(await running.stop()).toMatchObject({ code: 0 });
      for (const line of running.stderr().trim().split('\n')) {
        expect(line.length).toBeLessThan(1_000);
        expect(Object.values(JSON.parse(line)).join(' ')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
      }
    },
  );

  it('evaluates an alert within seconds of a reading', async () => {
    const [broker, db] = [await startTestBroker(), await newBaseFarm()];
    const now = (Date.parse(CLOCK) - START) / MINUTE;
    const running = await startSubscribed(broker.url, ['--db', db]);
    await broker.publish(SOIL, payload(now - 30, [260, 260, 260]));
    await waitWhileRunning(running, async () => (await countIn(db)) === 3);
    const { call, client } = await connectStdio(db);
    await call('create_alert', { module: 'North 1', threshold: 20 });
    await client.close();
    const evaluated = () => rowsOf(db, 'select 1 from alert_states where evaluated_at is not null');
    await waitWhileRunning(running, async () => (await evaluated()).length > 0);
    const messages = () => rowsOf(db, 'select kind from outbox');
    const sentAt = performance.now();
    await broker.publish(SOIL, payload(now - 5, [150, 150, 150]));
    await waitWhileRunning(running, async () => (await messages()).length > 0);
    expect(performance.now() - sentAt).toBeLessThan(20_000);
    expect(await messages()).toEqual([{ kind: 'fired' }]);
    expect((await running.stop()).code).toBe(0);
  });

  it('sends readings to a service, and waits while it is down', async () => {
    const [broker, db] = [await startTestBroker(), await newBaseFarm()];
    const { key } = await createTestKey(db, '--scopes', 'ingest:write');
    const options = ['--clock', CLOCK, '--rate-limit', '0', '--port', String(await portForRestarts())];
    const first = await serveStoreForTest(db, ...options);
    const running = await startSubscribed(broker.url, ['--remote', first.base], { env: { ACEQUIA_API_KEY: key } });
    await broker.publish(SOIL, payload(0));
    await waitWhileRunning(running, async () => (await countIn(db)) === 3);
    await allAcknowledged(broker);
    first.child.kill('SIGKILL');
    await first.ended;
    await broker.publish(SOIL, payload(1));
    await waitWhileRunning(running, () => running.stderr().includes('a batch could not be stored yet'));
    expect(await broker.unacknowledged(CLIENT)).toBe(1);
    await serveStoreForTest(db, ...options);
    await waitWhileRunning(running, async () => (await countIn(db)) === 6);
    const { code, stdout, stderr } = await running.stop();
    expect(code).toBe(0);
    expect(stderr + stdout).not.toContain(key);
  });

  it('ends with 1 when a service refuses its key, and leaves the messages at the broker', async () => {
    const [broker, db] = [await startTestBroker(), await newBaseFarm()];
    const { key } = await createTestKey(db, '--scopes', 'readings:read');
    const { base } = await serveStoreForTest(db, '--clock', CLOCK);
    const running = await startSubscribed(broker.url, ['--remote', base], { env: { ACEQUIA_API_KEY: key } });
    await broker.publish(SOIL, payload(0));
    const stderr = expect.stringContaining('ingest needs the scope ingest:write');
    expect(await running.ended).toMatchObject({ code: 1, stderr });
    expect(await broker.unacknowledged(CLIENT)).toBe(1);
  });

  it('shows user and password to nobody but the broker', async () => {
    const broker = await startTestBroker(['probes', 'se:cret/1']);
    const args = ['--db', await newBaseFarm(), '--log-level', 'trace'];
    const env = { ACEQUIA_MQTT_USERNAME: 'probes', ACEQUIA_MQTT_PASSWORD: 'se:cret/1' };
    const fromEnv = await startSubscribed(broker.url, args, { env });
    expect((await fromEnv.stop()).code).toBe(0);
    const fromUrl = await startSubscribed(`mqtt://probes:se%3Acret%2F1@127.0.0.1:${broker.port}`, args);
    expect((await fromUrl.stop()).code).toBe(0);
    const wrong = await startIngest(broker.url, args, { env: { ...env, ACEQUIA_MQTT_PASSWORD: 'another' } });
    await waitWhileRunning(wrong, () => wrong.stderr().includes('trouble with the broker'));
    const output = [fromEnv, fromUrl, wrong].map(({ stdout, stderr }) => stdout() + stderr()).join();
    expect(output).not.toMatch(/se:cret|se%3Acret|another/);
  });

  it.each([
    [
      'a map that is not JSON',
      2,
      'mqtt://127.0.0.1:1',
      '',
      '{ "readings": [ }',
      'The map is not JSON: something is wrong',
    ],
    ['a map with an unknown field', 2, 'mqtt://127.0.0.1:1', '', '{ "topics": [] }', 'topics is not known there'],
    ['an address that is not one of a broker', 2, 'http://user:pass@127.0.0.1', '', JSON.stringify(MAP), '--broker'],
    ['no store', 1, 'mqtt://127.0.0.1:1', '.none', JSON.stringify(MAP), 'There is no store'],
  ])('with %s ends with %i', async (_, code, url, suffix, map, message) => {
    const running = await startIngest(url, ['--db', `${await newBaseFarm()}${suffix}`], { map });
    const result = await running.ended;
    expect(result).toMatchObject({ code, stderr: expect.stringContaining(message) });
    expect(result.stderr).not.toContain('pass');
  });
});
