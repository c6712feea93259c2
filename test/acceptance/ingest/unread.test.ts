import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { newBaseFarm } from '../../base-farm.ts';
import { afterTest } from '../../cleanup.ts';
import { runInProcess } from '../../in-process-command.ts';
import { rowsOf } from '../../stores/stores.ts';
import { CLOCK, type Json, startCommand, waitWhileRunning } from '../program.ts';
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
    const topic = 'homeassistant/sensor/gw2000_soil_tension_1/state';
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
      `Messages of "${topic}" give nothing: ${reason}`,
    );

    const { stdout, stderr } = await running.stop();
    expect(stdout).toContain('4 messages ignored');
    expect(stderr.match(/no rule reads this topic/g)).toHaveLength(1);
    expect(await run('ingest', 'devices')).not.toContain('kitchen');
  });
});

describe('an older service, which knows no unread messages', () => {
  it('gets the readings of a batch', async () => {
    const bodies: Json[] = [];
    const service = createServer(async (request, response) => {
      const body = (await json(request)) as Json;
      const isRefused = body.unread !== undefined;
      if (!isRefused) bodies.push(body);
      response
        .writeHead(isRefused ? 400 : 200, { 'content-type': 'application/json' })
        .end(JSON.stringify(isRefused ? UNKNOWN_FIELD : WRITTEN));
    }).listen(0, '127.0.0.1');
    await once(service, 'listening');
    afterTest(() => void service.close());

    const { port } = service.address() as AddressInfo;
    const target = ['--remote', `http://127.0.0.1:${port}/v1`];
    const { broker, running } = await startListening('ttn/dragino-lse01', target);
    const topic = 'v3/mas-rouge@ttn/devices/soil-1/up';
    await broker.publish(topic, UPLINK.replaceAll('_SOIL', '_PEAT'));
    await broker.publish(topic, UPLINK);
    await waitWhileRunning(running, () => bodies.some(({ readings }) => readings.length === 2));
    expect(await running.stop()).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('2 messages'),
    });
  });
});

const UNKNOWN_FIELD = { code: 'invalid_body', title: 'unread is unknown', status: 400 };
const NONE = { written: 0, changed: 0, unchanged: 0, refused: 0 };
/** What a service answers, as POST /ingest describes it. */
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
