import { describe, expect, it } from 'vitest';
import { newBaseFarm } from '../../base-farm.ts';
import { importFarmFile } from '../../imported-data.ts';
import { rowsOf } from '../../stores/stores.ts';
import { CLOCK, type Json, startCommand, waitWhileRunning } from '../program.ts';
import { serveStoreForTest } from '../rest-service.ts';
import { EUI, payloadOf } from './ingest-service.ts';
import { startTestBroker } from './mqtt-broker.ts';

/** A probe that also measures the air. */
const FARM = {
  company: { name: 'Mas Rouge' },
  modules: [
    {
      uid: 'BED',
      name: 'Bed',
      category: 'SOIL_PROBE',
      commissionedAt: '2026-01-01T00:00:00Z',
      sensors: [
        { type: 'humidity', depth: 30 },
        { type: 'temperature', depth: 30 },
        { type: 'temperature' },
      ],
    },
  ],
};

const SOIL = payloadOf('ttn/milesight-em500-smtc');

async function newFarm(): Promise<string> {
  const db = await newBaseFarm();
  await importFarmFile(db, FARM);
  return db;
}

const storedIn = async (db: string): Promise<string[]> =>
  (
    await rowsOf<{ sensor: string }>(
      db,
      `select s.type || ' ' || coalesce(cast(s.depth as integer), 'air') || ' ' || r.value as sensor
        from readings r join sensors s on s.id = r.sensor_id order by 1`,
    )
  ).map(({ sensor }) => sensor);

async function startService(db: string) {
  const service = await serveStoreForTest(db, '--clock', CLOCK, '--rate-limit', '0');
  const key = await service.newKey('--scopes', 'company:write,readings:read');
  const send = async (preset: string, body: string): Promise<Json> => {
    const webhook = await service.newKey('--webhook', preset);
    return (await service.request('POST', `/ingest/${webhook}`, { body })).body;
  };
  const devices = async (): Promise<Json> =>
    (await service.request('GET', '/devices', { key })).body;
  const assign = async (device: string, depth: number): Promise<void> => {
    const { body: modules } = await service.request('GET', '/modules', { key });
    const moduleId = modules.data.find(({ name }: Json) => name === 'Bed').id;
    const body = { device, moduleId, depths: [depth] };
    expect((await service.request('PUT', '/devices', { key, body })).status).toBe(200);
  };
  return { send, devices, assign };
}

describe('a device that two webhooks of its network receive', () => {
  it('is read by the preset that fits best, whichever comes first', async () => {
    const db = await newFarm();
    const { send, devices, assign } = await startService(db);
    await assign(EUI, 30);
    for (const _ of [1, 2]) {
      expect(await send('ttn/milesight-wts506', SOIL)).toMatchObject({
        ignored: expect.stringContaining('of ttn/milesight-em500-smtc'),
      });
      expect(await send('ttn/milesight-em500-smtc', SOIL)).not.toHaveProperty('ignored');
    }

    expect(await storedIn(db)).toEqual(['humidity 30 11.5', 'temperature 30 28.1']);
    expect(await devices()).toMatchObject({ data: [{ device: EUI }], unread: [] });
  });

  it('is read, once assigned, by no other preset until it is assigned again', async () => {
    const db = await newFarm();
    const { send, devices, assign } = await startService(db);
    await assign(EUI, 30);
    await send('ttn/milesight-em500-smtc', SOIL);
    const dragino = payloadOf('ttn/dragino-lse01');
    const reason = 'the device is read by the preset ttn/milesight-em500-smtc: assign it again';
    expect(await send('ttn/dragino-lse01', dragino)).toMatchObject({
      readings: { written: 0, refused: 2 },
      reasons: [{ reason: expect.stringContaining(reason), count: 2 }],
    });
    expect((await devices()).unread).toMatchObject([
      { sender: EUI, reason: expect.stringContaining(reason) },
    ]);

    await assign(EUI, 30);
    expect(await send('ttn/dragino-lse01', dragino)).toMatchObject({
      readings: { refused: 0, changed: 2 },
    });
    expect((await devices()).unread).toEqual([]);
  });
});

describe('devices of several presets whose messages are stored together', () => {
  const TOPIC = 'v3/mas-rouge@ttn/devices/soil-1/up';
  const dragino = payloadOf('ttn/dragino-lse01');
  const sensecap = payloadOf('ttn/sensecap-s2105').replaceAll(EUI, 'B84041FFFF181F0D');

  it.each(['store', 'service'])('are each read by their own, by way of a %s', async (target) => {
    const [broker, db] = [await startTestBroker(), await newFarm()];
    const service = await serveStoreForTest(db, '--clock', CLOCK, '--rate-limit', '0');
    const options = target === 'store' ? ['--db', db] : ['--remote', service.base];
    const args = ['ingest', 'mqtt', '--preset', 'ttn/any', '--broker', broker.url];
    const env = { ACEQUIA_API_KEY: await service.newKey('--preset', 'ingest') };
    const running = startCommand([...args, '--clock', CLOCK, ...options], { env });
    await waitWhileRunning(running, () => running.stdout().includes('Listening'));
    await Promise.all([broker.publish(TOPIC, dragino), broker.publish(TOPIC, sensecap)]);
    await waitWhileRunning(
      running,
      async () => (await rowsOf(db, 'select 1 from device_readings')).length === 4,
    );
    await running.stop();

    expect(await rowsOf(db, 'select device, source from device_status order by device')).toEqual([
      { device: EUI, source: 'ttn/dragino-lse01' },
      { device: 'B84041FFFF181F0D', source: 'ttn/sensecap-s2105' },
    ]);
  });
});

describe('one name on two networks', () => {
  it('is two devices: the key of one does not write to the device of the other', async () => {
    const db = await newFarm();
    const { send, devices, assign } = await startService(db);
    await assign(EUI, 30);
    await send('ttn/milesight-em500-smtc', SOIL);
    const forged = { device: EUI, time: CLOCK, moisture: 3.3 };
    expect(await send('generic/json', JSON.stringify(forged))).toMatchObject({
      readings: { written: 0, storedUnassigned: 1 },
    });
    expect(await storedIn(db)).toEqual(['humidity 30 11.5', 'temperature 30 28.1']);
    expect((await devices()).data).toMatchObject([
      { device: `generic/${EUI}`, module: null, newest: [{ value: 3.3 }] },
      { device: EUI, module: 'Bed' },
    ]);
  });

  it('is two devices also where one command listens to both', async () => {
    const [broker, db] = [await startTestBroker(), await newFarm()];
    const presets = ['zigbee2mqtt/soil-sensor', 'home-assistant/soil-sensor'];
    const args = [
      ...['ingest', 'mqtt', '--broker', broker.url, '--db', db, '--clock', CLOCK],
      ...presets.flatMap((preset) => ['--preset', preset]),
    ];
    const running = startCommand(args);
    await waitWhileRunning(running, () => running.stdout().includes('Listening'));
    const sent = async (count: number) =>
      waitWhileRunning(
        running,
        async () => (await rowsOf(db, 'select 1 from device_readings')).length === count,
      );
    await broker.publish('zigbee2mqtt/soil_bed', { soil_moisture: 21 });
    await sent(1);
    await broker.publish('homeassistant/sensor/soil_bed_moisture/state', '34');
    await sent(2);
    await running.stop();

    const query = 'select device, value from device_readings order by value';
    expect(await rowsOf(db, query)).toEqual([
      { device: 'soil_bed', value: 21 },
      { device: 'home-assistant/soil_bed', value: 34 },
    ]);
  });
});
