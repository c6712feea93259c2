import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { newBaseFarm } from '../../base-farm.ts';
import { afterTest } from '../../cleanup.ts';
import { importFarmFile } from '../../imported-data.ts';
import { runInProcess } from '../../in-process-command.ts';
import { rowsOf } from '../../stores/stores.ts';
import { CLOCK, type Json, startCommand, waitWhileRunning } from '../program.ts';
import { serveStoreForTest } from '../rest-service.ts';
import { UPLINK } from './ingest-service.ts';
import { startTestBroker } from './mqtt-broker.ts';

/** Listens with a preset; `target` is a store or a service. */
async function startListening(preset: string, target: readonly string[], env = {}) {
  const broker = await startTestBroker();
  const args = ['--preset', preset, '--broker', broker.url, '--clock', CLOCK, ...target];
  const running = startCommand(['ingest', 'mqtt', ...args], { env });
  await waitWhileRunning(running, () => running.stdout().includes('Listening'));
  return { broker, running };
}

describe('a topic that no rule reads', () => {
  it('is listed and logged once where its name is that of a soil probe', async () => {
    const db = await newBaseFarm();
    const { broker, running } = await startListening('home-assistant/soil-sensor', ['--db', db]);
    const topic = 'homeassistant/sensor/gw2000_soil_potential/state';
    for (const value of ['41.2', '41.3', '41.4']) await broker.publish(topic, value);
    await broker.publish('homeassistant/sensor/kitchen_light/state', 'on');
    await waitWhileRunning(
      running,
      async () => (await rowsOf(db, 'select 1 from unread_messages')).length > 0,
    );

    const run = async (...args: string[]) => {
      const { stdout } = await runInProcess([...args, '--db', db, '--clock', CLOCK]);
      return stdout.replace(/\s+/g, ' ');
    };
    const reason = 'no rule reads this topic; these are read: homeassistant/sensor/{device}_';
    expect(await run('ingest', 'devices')).toContain(
      `${topic} gave nothing less than a minute ago: ${reason}`,
    );
    expect(await run('doctor')).toContain(`a message of "${topic}" gave nothing: ${reason}`);
    expect(await run('call', 'morning_brief')).toContain(
      `A message of "${topic}" gave nothing: ${reason}`,
    );

    const { stdout, stderr } = await running.stop();
    expect(stdout).toContain('4 messages ignored');
    expect(stderr.match(/no rule reads this topic/g)).toHaveLength(1);
    expect(await run('ingest', 'devices')).not.toContain('kitchen');
  });
});

/** The origin of a service on this machine. */
async function serveJson(
  answer: (request: IncomingMessage) => Promise<readonly [status: number, body: object]>,
): Promise<string> {
  const server = createServer(async (request, response) => {
    const [status, body] = await answer(request);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterTest(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('a message of which a value is rejected', () => {
  it('was not read in full, as every list of a store and of a service says', async () => {
    const db = await newBaseFarm();
    const { base, newKey, request } = await serveStoreForTest(db, '--clock', CLOCK);
    const key = await newKey('--webhook', 'generic/json');
    const time = '2026-07-01T09:00:00Z';
    const body = { device: 'node-1', time, temperature: 18, moisture_30: 0.22 };
    const { reasons } = (await request('POST', `/ingest/${key}`, { body })).body;
    const reason = expect.stringMatching(/^moisture 0[.]22 may be a fraction/);
    expect(reasons).toEqual([{ reason, count: 1 }]);

    const env = { ACEQUIA_API_KEY: await newKey() };
    const { unread } = (await request('GET', '/devices', { key: env.ACEQUIA_API_KEY })).body;
    expect(unread).toEqual([
      {
        sender: 'node-1',
        via: 'generic/json',
        receivedAt: expect.any(String),
        reason: `a value was refused: ${reasons[0].reason}`,
        payload: JSON.stringify(body),
      },
    ]);

    for (const target of [
      ['--db', db],
      ['--remote', base],
    ]) {
      const run = async (...args: string[]) =>
        (await runInProcess([...args, ...target, '--clock', CLOCK], { env })).stdout;
      expect(await run('ingest', 'devices')).toContain('node-1  was not read in full ');
      for (const tool of ['list_devices', 'morning_brief']) {
        const answer = await run('call', tool);
        expect(answer).toMatch(/A message of "?node-1"? was not read in full/);
        expect(answer).toContain(`: a value was refused: ${reasons[0].reason}.`);
      }
    }
    const { stdout } = await runInProcess(['doctor', '--db', db, '--clock', CLOCK]);
    expect(stdout.replace(/\s+/g, ' ')).toContain('a message of "node-1" was not read in full: ');
  });
});

describe('a reading of long ago', () => {
  const sensors = [{ type: 'humidity', depth: 30 }];
  const FARM = {
    company: { name: 'Mas Rouge' },
    modules: [{ uid: 'NEW', name: 'New', commissionedAt: '2026-06-30T00:00:00Z', sensors }],
  };

  it('by webhook goes in where its probe stored it, and not where a clock was never set', async () => {
    const db = await newBaseFarm();
    await importFarmFile(db, FARM);
    const { newKey, request } = await serveStoreForTest(db, '--clock', CLOCK);
    const key = await newKey('--webhook', 'generic/json');
    const devices = ['ingest', 'devices', '--db', db, '--clock', CLOCK];
    const send = async (time: string): Promise<Json> => {
      const body = { device: 'pump', time, moisture: 24.1 };
      return (await request('POST', `/ingest/${key}`, { body })).body;
    };

    const assign = ['ingest', 'assign', 'pump', 'New', '--db', db, '--clock', CLOCK];
    expect((await runInProcess(assign)).code).toBe(0);
    expect(await send('2026-05-02T10:00:00Z')).toMatchObject({ readings: { written: 1 } });
    const clock = 'its time, 1970-01-01, is more than a year before it arrived: set the clock';
    expect(await send('1970-01-01T00:00:40Z')).toMatchObject({
      readings: { written: 0, refused: 1 },
      reasons: [{ reason: expect.stringContaining(clock), count: 1 }],
    });
    expect((await runInProcess(devices)).stdout).toContain(
      `pump  gave nothing less than a minute ago by generic/json: ${clock}`,
    );
    expect(await rowsOf(db, 'select at from readings')).toEqual([
      { at: Date.parse('2026-05-02T10:00:00Z') },
    ]);
  });

  it('by pull goes in, because its period was chosen', async () => {
    const db = await newBaseFarm();
    const metadata = { device_sn: 'z6-1', port_number: 2, units: ' m³/m³' };
    const readings = [{ datetime: '2024-03-01 10:00:00+0000', value: 0.29, error_flag: false }];
    const host = await serveJson(async () => [
      200,
      { data: { 'Water Content': [{ metadata, readings }] } },
    ]);
    const args = ['ingest', 'pull', '--profile', 'zentra', '--device', 'z6-1', '--host', host];
    const period = ['--since', '2026-06-30T00:00:00Z', '--db', db, '--clock', CLOCK];
    const env = { ACEQUIA_ZENTRA_TOKEN: 'secret' };
    expect((await runInProcess([...args, ...period], { env })).stdout).toContain(
      '1 stored until their devices are assigned',
    );
  });
});

describe('a value in a unit that is unknown', () => {
  it('is counted and named by pull, and listed with its device', async () => {
    const metadata = { device_sn: 'z6-1', port_number: 2, units: ' in/ft' };
    const readings = [{ datetime: '2026-06-30 10:00:00+0000', value: 2.9, error_flag: false }];
    const body = { data: { 'Water Content': [{ metadata, readings }] } };
    const host = await serveJson(async () => [200, body]);
    const common = ['--db', await newBaseFarm(), '--clock', CLOCK];
    const args = ['ingest', 'pull', '--profile', 'zentra', '--device', 'z6-1', '--host', host];
    const since = ['--since', '2026-06-30T00:00:00Z'];
    const env = { ACEQUIA_ZENTRA_TOKEN: 'secret' };
    const reason = 'the unit "in/ft" of moisture is unknown';
    expect((await runInProcess([...args, ...since, ...common], { env })).stdout).toContain(
      `1 refused (${reason})`,
    );
    expect((await runInProcess(['ingest', 'devices', ...common])).stdout).toContain(
      `z6-1/2  gave nothing less than a minute ago by zentra: ${reason}`,
    );
  });
});

describe('an older service, which knows no unread messages', () => {
  it('gets the readings of a batch', async () => {
    const bodies: Json[] = [];
    const unread: Json[] = [];
    const origin = await serveJson(async (request) => {
      const body = (await json(request)) as Json;
      unread.push(...(body.unread ?? []));
      if (body.unread !== undefined) return [400, UNKNOWN_FIELD];
      bodies.push(body);
      return [200, WRITTEN];
    });
    const target = ['--remote', `${origin}/v1`];
    const { broker, running } = await startListening('ttn/dragino-lse01', target);
    const topic = 'v3/mas-rouge@ttn/devices/soil-1/up';
    await broker.publish(topic, UPLINK.replaceAll('_SOIL', '_PEAT'));
    await broker.publish(topic, UPLINK);
    await waitWhileRunning(running, () => bodies.some(({ readings }) => readings.length === 2));
    const text = expect.stringMatching(/^no field is known/);
    expect(unread[0]).toMatchObject({ reason: { code: 'no_known_field', text } });
    expect(await running.stop()).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('2 messages'),
    });
  });
});

const UNKNOWN_FIELD = { code: 'invalid_body', title: 'unread is unknown', status: 400 };
const NONE = { written: 0, changed: 0, unchanged: 0, refused: 0 };
/** An answer of POST /ingest, as the API describes it. */
const WRITTEN = {
  readings: { ...NONE, repeated: 0, storedUnassigned: 0 },
  rain: { ...NONE, staleTotals: 0 },
  weather: { written: 0, refused: 0 },
  gateways: { changed: 0, unchanged: 0, refused: 0 },
  modules: [],
  reasons: [],
  refused: [],
  skippedColumns: [],
};
