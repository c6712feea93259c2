import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { newBaseFarm } from '../../base-farm.ts';
import { rowsOf } from '../../stores/stores.ts';
import { newFolder } from '../../temporary-places.ts';
import { connectStdio } from '../mcp-session.ts';
import { BINARY, CLOCK, waitUntil } from '../program.ts';
import { createTestKey, serveStoreForTest } from '../rest-service.ts';
import { startTestBroker, type TestBroker } from './mqtt-broker.ts';

const MINUTE = 60_000;
const START = Date.parse(CLOCK) - 30 * 24 * 60 * MINUTE;
const CLIENT = 'acequia-test';
const LONG_POLL = { timeout: 180_000 };

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

interface IngestProcess {
  readonly child: ChildProcess;
  readonly stdout: () => string;
  readonly stderr: () => string;
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

interface IngestOptions {
  readonly map?: object | string;
  readonly env?: Record<string, string>;
  readonly args?: readonly string[];
}

async function startIngest(
  broker: { readonly url: string },
  { map = MAP, env = {}, args = [] }: IngestOptions,
): Promise<IngestProcess> {
  const file = join(await newFolder(), 'map.json');
  await writeFile(file, typeof map === 'string' ? map : JSON.stringify(map));
  const others = Object.entries(process.env).filter(([name]) => !name.startsWith('ACEQUIA_'));
  const child = spawn(
    process.execPath,
    [BINARY, 'ingest', 'mqtt', '--broker', broker.url, '--map', file, '--client-id', CLIENT, '--clock', CLOCK, ...args],
    { env: { ...Object.fromEntries(others), ...env }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal }));
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await ended;
  });
  return { child, stdout: () => stdout, stderr: () => stderr, ended };
}

async function startSubscribed(broker: TestBroker, db: string, more: IngestOptions = {}): Promise<IngestProcess> {
  const running = await startIngest(broker, { ...more, args: ['--db', db, ...(more.args ?? [])] });
  await Promise.race([
    waitUntil(() => running.stdout().includes('Listening')),
    running.ended.then(() => Promise.reject(new Error(running.stderr().slice(-500)))),
  ]);
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

const end = async ({ child, ended }: IngestProcess) => {
  child.kill('SIGTERM');
  return ended;
};

describe('acequia ingest mqtt', () => {
  it('brings in readings and what gateways tell, and ends when it is told to', LONG_POLL, async () => {
    const [broker, db] = [await startTestBroker(), await newBaseFarm()];
    const running = await startSubscribed(broker, db);
    await broker.publish('farm/A1/soil', payload(0, [213, 224, 235]));
    await broker.publish('farm/gateways/356938035643809/status', {
      at: '2026-07-01T09:00:00Z',
      volts: 3.952,
      bars: 3,
    });
    await waitUntil(async () => (await rowsOf(db, 'select battery_mv from gateways'))[0]!.battery_mv !== null);
    expect(await readingsIn(db)).toEqual([
      [START, 21.3],
      [START, 22.4],
      [START, 23.5],
    ]);
    expect(await rowsOf(db, 'select last_seen_at, battery_mv, level from gateways')).toEqual([
      { last_seen_at: Date.UTC(2026, 6, 1, 9), battery_mv: 3952, level: 3 },
    ]);
    expect(await end(running)).toEqual({ code: 0, signal: null });
    expect(running.stdout()).toBe(
      `Listening to ${broker.url} as ${CLIENT}\n2 messages: 3 readings written, 0 changed, 0 unchanged, 0 refused.\n`,
    );
    expect(running.stderr()).toBe('');
    await allAcknowledged(broker);
  });

  it('loses nothing and doubles nothing, killed again and again', LONG_POLL, async () => {
    const [broker, db] = [await startTestBroker(), await newBaseFarm()];
    const count = 1_500;
    let running = await startSubscribed(broker, db);
    const published = (async () => {
      for (let n = 0; n < count; n++) {
        await broker.publish('farm/A1/soil', payload(n));
        if (n % 7 === 0) await broker.publish('farm/A1/soil', payload(n));
        if (n % 5 === 0) await pause(2);
      }
    })();
    for (let kill = 0; kill < 5; kill++) {
      const before = await countIn(db);
      await waitUntil(async () => (await countIn(db)) > before || before === 3 * count);
      await pause(Math.random() * 60);
      running.child.kill('SIGKILL');
      await running.ended;
      running = await startSubscribed(broker, db);
    }
    await published;
    await waitUntil(async () => (await countIn(db)) >= 3 * count);
    expect(await end(running)).toEqual({ code: 0, signal: null });
    const expected = [0, 1, 2].flatMap((place) =>
      Array.from({ length: count }, (_, n) => [START + n * MINUTE, payload(n).h[place]! / 10]),
    );
    expect(await readingsIn(db)).toEqual(expected);
    expect(await rowsOf(db, 'select sum(count) as found from reading_hours')).toEqual([{ found: 3 * count }]);
    await allAcknowledged(broker);
  });

  it('comes back to a broker that was away, and has what came meanwhile', LONG_POLL, async () => {
    const [broker, db] = [await startTestBroker(), await newBaseFarm()];
    const running = await startSubscribed(broker, db);
    await broker.publish('farm/A1/soil', payload(0));
    await waitUntil(async () => (await countIn(db)) === 3);
    for (let round = 1; round <= 3; round++) {
      await broker.down();
      await broker.publish('farm/A1/soil', payload(round));
      await broker.up();
      await waitUntil(async () => (await countIn(db)) === 3 * (round + 1));
    }
    expect(running.stderr()).toContain('trouble with the broker');
    expect((await end(running)).code).toBe(0);
  });

  it('waits for a broker that is not there yet', LONG_POLL, async () => {
    const [broker, db] = [await startTestBroker(), await newBaseFarm()];
    await broker.down();
    const running = await startIngest(broker, { args: ['--db', db] });
    await waitUntil(() => running.stderr().includes('ECONNREFUSED'));
    await broker.up();
    await waitUntil(() => running.stdout().includes('Listening'));
    expect((await end(running)).code).toBe(0);
  });

  it('passes over what it cannot understand, says so, and goes on', LONG_POLL, async () => {
    const [broker, db] = [await startTestBroker(), await newBaseFarm()];
    const running = await startSubscribed(broker, db);
    await broker.publish('farm/A1/soil', 'ON');
    await broker.publish('farm/A1/soil', { h: [1, 2, 3] });
    await broker.publish('farm/A1/soil', { ts: 'soon', h: [1] });
    await broker.publish('farm/A1/soil', { ts: START / 1000, h: [] });
    await broker.publish('farm/X9/soil', payload(1));
    await broker.publish('farm/A1/soil', payload(2, [9999, 210, 220]));
    await broker.publish('farm/A1/soil', payload(3));
    await waitUntil(async () => (await countIn(db)) === 5);
    await waitUntil(() => running.stderr().split('\n').length > 8);
    const told = running
      .stderr()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .map(({ topic, reason }) => `${topic}: ${reason}`);
    expect(told.slice(0, 4)).toEqual([
      'farm/A1/soil: the payload is not JSON',
      'farm/A1/soil: the message has no time',
      'farm/A1/soil: the time is not a number of s',
      'farm/A1/soil: no path of the map has a value',
    ]);
    expect(told.slice(4).sort()).toEqual([
      'farm/A1/soil: value is not moisture from 0 to 100 %',
      ...Array(3).fill('farm/X9/soil: unknown module'),
    ]);
    expect((await end(running)).code).toBe(0);
    expect(running.stdout()).toContain('7 messages: 5 readings written, 0 changed, 0 unchanged, 8 refused.');
    await allAcknowledged(broker);
  });

  it('has an alert looked at as soon as a reading calls for it', LONG_POLL, async () => {
    const [broker, db] = [await startTestBroker(), await newBaseFarm()];
    const now = (Date.parse(CLOCK) - START) / MINUTE;
    const running = await startSubscribed(broker, db);
    await broker.publish('farm/A1/soil', payload(now - 30, [260, 260, 260]));
    await waitUntil(async () => (await countIn(db)) === 3);
    const { call, client } = await connectStdio(db);
    await call('create_alert', { module: 'North 1', threshold: 20 });
    await client.close();
    await waitUntil(
      async () => (await rowsOf(db, 'select 1 from alert_states where evaluated_at is not null')).length > 0,
    );
    const sentAt = performance.now();
    await broker.publish('farm/A1/soil', payload(now - 5, [150, 150, 150]));
    await waitUntil(async () => (await rowsOf(db, 'select kind from outbox')).length > 0);
    expect(performance.now() - sentAt).toBeLessThan(20_000);
    expect(await rowsOf(db, 'select kind from outbox')).toEqual([{ kind: 'fired' }]);
    expect((await end(running)).code).toBe(0);
  });

  it('brings them into a service as well, and waits for one that is away', LONG_POLL, async () => {
    const [broker, db] = [await startTestBroker(), await newBaseFarm()];
    const { key } = await createTestKey(db, '--scopes', 'ingest:write');
    const first = await serveStoreForTest(db, '--clock', CLOCK, '--rate-limit', '0');
    const running = await startIngest(broker, { args: ['--remote', first.base], env: { ACEQUIA_API_KEY: key } });
    await waitUntil(() => running.stdout().includes('Listening'));
    await broker.publish('farm/A1/soil', payload(0));
    await waitUntil(async () => (await countIn(db)) === 3);
    await allAcknowledged(broker);
    first.child.kill('SIGKILL');
    await first.ended;
    await broker.publish('farm/A1/soil', payload(1));
    await waitUntil(() => running.stderr().includes('a batch could not be stored yet'));
    expect(await broker.unacknowledged(CLIENT)).toBe(1);
    await serveStoreForTest(db, '--clock', CLOCK, '--rate-limit', '0', '--port', String(first.port));
    await waitUntil(async () => (await countIn(db)) === 6);
    expect((await end(running)).code).toBe(0);
    expect(running.stderr() + running.stdout()).not.toContain(key);
  });

  it(
    'ends with why where a service refuses it for good, and leaves the messages with the broker',
    LONG_POLL,
    async () => {
      const [broker, db] = [await startTestBroker(), await newBaseFarm()];
      const { key } = await createTestKey(db, '--scopes', 'readings:read');
      const served = await serveStoreForTest(db, '--clock', CLOCK);
      const running = await startIngest(broker, { args: ['--remote', served.base], env: { ACEQUIA_API_KEY: key } });
      await waitUntil(() => running.stdout().includes('Listening'));
      await broker.publish('farm/A1/soil', payload(0));
      expect((await running.ended).code).toBe(1);
      expect(running.stderr()).toContain('ingest needs the scope ingest:write');
      expect(await broker.unacknowledged(CLIENT)).toBe(1);
    },
  );

  it('gives user and password to the broker alone', LONG_POLL, async () => {
    const broker = await startTestBroker(['probes', 'se:cret/1']);
    const db = await newBaseFarm();
    const env = { ACEQUIA_MQTT_USERNAME: 'probes', ACEQUIA_MQTT_PASSWORD: 'se:cret/1' };
    const fromEnv = await startSubscribed(broker, db, { env, args: ['--log-level', 'trace'] });
    expect((await end(fromEnv)).code).toBe(0);
    const url = `mqtt://probes:${encodeURIComponent('se:cret/1')}@127.0.0.1:${broker.port}`;
    const fromUrl = await startSubscribed({ ...broker, url }, db, { args: ['--log-level', 'trace'] });
    expect((await end(fromUrl)).code).toBe(0);
    const wrong = await startIngest(broker, {
      args: ['--db', db],
      env: { ...env, ACEQUIA_MQTT_PASSWORD: 'another' },
    });
    await waitUntil(() => wrong.stderr().includes('trouble with the broker'));
    const said = [fromEnv, fromUrl, wrong].map((each) => each.stdout() + each.stderr()).join();
    expect(said).not.toMatch(/se:cret|se%3Acret|another/);
  });

  it.each<[string, object | string, string]>([
    ['no JSON', '{ "readings": [ }', 'The map is not JSON: something is wrong at line 1'],
    ['no topic', {}, 'The map names no topic.'],
    ['an unknown field', { topics: [] }, 'topics is not known there'],
    ['a topic without the level it takes', { gateways: [{ topic: 'a/+/b' }] }, 'gateways[0].imei needs a level {imei}'],
    [
      'a wildcard in the middle of a level',
      { gateways: [{ topic: 'a/b+/{imei}' }] },
      'gateways[0].topic is not valid: expected a topic with named levels',
    ],
    [
      'a type that there is not',
      { readings: [{ topic: '{module}', time: 'arrival', values: [{ path: 'v', type: 'rain' }] }] },
      'readings[0].values[0].type is not valid: expected one of humidity, temperature, tensio',
    ],
    ['a reading without its time', { readings: [{ topic: '{module}', values: [] }] }, 'readings[0].time is'],
  ])('exits with 2 for a map that holds %s', async (_, map, says) => {
    const running = await startIngest({ url: 'mqtt://127.0.0.1:1' }, { map, args: ['--db', await newBaseFarm()] });
    expect((await running.ended).code).toBe(2);
    expect(running.stderr()).toContain(says);
  });

  it('exits with 2 for an address that is no broker’s, and 1 without a store', async () => {
    const db = await newBaseFarm();
    const wrong = await startIngest({ url: 'http://user:pass@127.0.0.1' }, { args: ['--db', db] });
    expect([(await wrong.ended).code, wrong.stderr().includes('pass')]).toEqual([2, false]);
    const without = await startIngest({ url: 'mqtt://127.0.0.1:1' }, { args: ['--db', `${db}.none`] });
    expect((await without.ended).code).toBe(1);
  });
});
