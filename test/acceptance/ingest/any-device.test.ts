import { join } from 'node:path';
import { expect, it } from 'vitest';
import { newBaseFarm } from '../../base-farm.ts';
import { importFarmFile } from '../../imported-data.ts';
import { runInProcess } from '../../in-process-command.ts';
import { rowsOf } from '../../stores/stores.ts';
import { newFolder } from '../../temporary-places.ts';
import { CLOCK, startCommand, waitWhileRunning } from '../program.ts';
import { serveStoreForTest } from '../rest-service.ts';
import { EUI, payloadOf } from './ingest-service.ts';
import { startTestBroker } from './mqtt-broker.ts';

const FARM = {
  company: { name: 'Mas Rouge' },
  modules: [
    {
      uid: 'BED',
      name: 'Bed',
      category: 'SOIL_PROBE',
      commissionedAt: '2026-01-01T00:00:00Z',
      sensors: [20, 40].map((depth) => ({ type: 'humidity', depth })),
    },
  ],
};

/** The stored readings, as "humidity 20 21.5". */
const storedIn = async (db: string): Promise<string[]> =>
  (
    await rowsOf<{ reading: string }>(
      db,
      `select s.type || ' ' || cast(s.depth as integer) || ' ' || r.value as reading
        from readings r join sensors s on s.id = r.sensor_id order by 1`,
    )
  ).map(({ reading }) => reading);

it('a device that no preset names gives its curve in five steps', async () => {
  // 1: the farm.
  const db = await newBaseFarm();
  await importFarmFile(db, FARM);

  // 2: a key. 3: its address, in the console of the network.
  const { newKey, request } = await serveStoreForTest(db, '--clock', CLOCK);
  const key = await newKey('--webhook', 'ttn/any');
  const send = (body: string) => request('POST', `/ingest/${key}`, { body });
  expect(await send(payloadOf('ttn/any').replaceAll('2026-06-22', '2026-06-30'))).toMatchObject({
    status: 202,
    body: { readings: { storedUnassigned: 6 } },
  });

  // 4: assign it, by what the list shows.
  const run = async (...args: string[]) =>
    (await runInProcess([...args, '--db', db, '--clock', CLOCK])).stdout;
  expect(await run('ingest', 'devices')).toContain(`${EUI}  not assigned`);
  await run('ingest', 'assign', EUI, 'Bed', '20', '40');

  // 5: look.
  expect(await storedIn(db)).toEqual(['humidity 20 21.5', 'humidity 40 26.5']);
  const picture = join(await newFolder(), 'bed.png');
  expect(await run('chart', '--module', 'Bed', '--out', picture)).toMatch(/40 cm\D+26\.5 %/);
});

/** Two devices of one model, whose fields no preset knows. */
const uplinkOfField = (eui: string, soilMoist: number, minute: number) =>
  JSON.stringify({
    end_device_ids: { dev_eui: eui },
    received_at: `2026-06-30T17:${minute}:52Z`,
    uplink_message: {
      f_port: 2,
      decoded_payload: { soil_moist: soilMoist, temp1: 19.1, bat_mv: 3612 },
      version_ids: { brand_id: 'makerfabs', model_id: 'agrosense' },
    },
  });

it('a device with fields that nothing knows gives its curve in five steps, the next one without naming them', async () => {
  // 1: the farm.
  const db = await newBaseFarm();
  await importFarmFile(db, FARM);

  // 2: a key. 3: its address, in the console of the network.
  const { newKey, request } = await serveStoreForTest(db, '--clock', CLOCK);
  const key = await newKey('--webhook', 'ttn/any');
  const send = async (...uplink: Parameters<typeof uplinkOfField>) =>
    (await request('POST', `/ingest/${key}`, { body: uplinkOfField(...uplink) })).body;
  const run = async (...args: string[]) =>
    await runInProcess([...args, '--db', db, '--clock', CLOCK]);
  expect(await send('A1', 24.3, 20)).toEqual({
    readings: { written: 0, changed: 0, unchanged: 0, refused: 0, storedUnassigned: 3 },
    failedMeasurements: 0,
    reasons: [],
  });

  // 4: assign it, with the command that the list prints.
  const assign = ['ingest', 'assign', 'A1', 'Bed'];
  expect((await run('ingest', 'devices')).stdout).toMatch(
    /^A1 {2}not assigned;.*"soil_moist" 24\.3.*\n.*\n {2}acequia ingest assign A1 MODULE --fields 'soil_moist = moisture DEPTH cm %; temp1 = temperature DEPTH cm'\n/,
  );
  expect((await run('doctor')).stdout).toContain(
    'a device that is not assigned sends: A1, "bat_mv"',
  );
  expect((await run(...assign, '20')).stderr).toContain(
    'Nobody has said yet what the fields of this device measure. These came: bat_mv 3612, soil_moist 24.3 and temp1 19.1.',
  );
  expect((await run(...assign, '--fields', 'soil_moist = moisture 20 cm %')).stdout).toBe(
    'A1 is assigned to "Bed" at 20 cm. Its fields: soil_moist = moisture 20 cm %. Stored 1 reading it had already sent.\n',
  );
  expect(await send('A1', 24.1, 40)).toMatchObject({ readings: { written: 1 } });

  // 5: look.
  expect(await storedIn(db)).toEqual(['humidity 20 24.1', 'humidity 20 24.3']);
  const picture = join(await newFolder(), 'bed.png');
  expect((await run('chart', '--module', 'Bed', '--out', picture)).stdout).toMatch(/24\.1 %/);

  await send('B2', 31.5, 20);
  expect((await run('ingest', 'devices')).stdout).toMatch(
    /^B2 {2}not assigned;.*moisture 31\.5 %.*\n.*\n {2}acequia ingest assign B2 MODULE DEPTH\n/,
  );
  expect((await run('ingest', 'assign', 'B2', 'Bed', '40')).stdout).toContain('at 40 cm.');
  expect(await storedIn(db)).toContain('humidity 40 31.5');
});

it('fields are read over MQTT to a service elsewhere too: once, also late ones', async () => {
  const db = await newBaseFarm();
  await importFarmFile(db, FARM);
  const { newKey, base } = await serveStoreForTest(db, '--clock', CLOCK);
  const common = ['--remote', base, '--clock', CLOCK];
  const env = { ACEQUIA_API_KEY: await newKey() };
  const run = async (...args: string[]) =>
    (await runInProcess(['ingest', ...args, ...common], { env })).stdout;

  const broker = await startTestBroker();
  const listen = ['ingest', 'mqtt', '--preset', 'ttn/any', '--broker', broker.url, ...common];
  const running = startCommand(listen, { env });
  await waitWhileRunning(running, () => running.stdout().includes('Listening'));
  const publish = (...uplink: Parameters<typeof uplinkOfField>) =>
    broker.publish('v3/mas-rouge@ttn/devices/soil-2/up', uplinkOfField(...uplink));

  await publish('A1', 24.3, 20);
  await publish('A1', 24.3, 20);
  await waitWhileRunning(
    running,
    async () => (await rowsOf(db, 'select 1 from device_readings')).length === 3,
  );
  expect(await run('devices')).toContain('--fields');
  expect(await run('assign', 'A1', 'Bed', '--fields', 'soil_moist = moisture 20 cm')).toContain(
    'Stored 1 reading',
  );

  await publish('A1', 24.1, 40);
  await publish('A1', 24.9, 10);
  await publish('A1', 24.3, 20);
  await waitWhileRunning(running, async () => (await storedIn(db)).length === 3);
  expect((await running.stop()).stdout).toContain('5 messages: 2 readings written');
  expect(await storedIn(db)).toEqual(['humidity 20 24.1', 'humidity 20 24.3', 'humidity 20 24.9']);
});

it('a device that was assigned by its own preset stays so where all are read', async () => {
  const db = await newBaseFarm();
  await importFarmFile(db, FARM);
  const { newKey, request } = await serveStoreForTest(db, '--clock', CLOCK);
  const send = async (preset: string, body: string) => {
    const key = await newKey('--webhook', preset);
    return (await request('POST', `/ingest/${key}`, { body })).body;
  };

  const uplink = payloadOf('ttn/dragino-lse01');
  await send('ttn/dragino-lse01', uplink);
  await runInProcess(['ingest', 'assign', EUI, 'Bed', '20', '--db', db, '--clock', CLOCK]);
  const later = uplink.replace('17:54:52', '18:14:52');
  expect(await send('ttn/any', later)).toMatchObject({ readings: { written: 1 } });
  expect(await storedIn(db)).toEqual(['humidity 20 19.57', 'humidity 20 19.57']);
});
