import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newBaseFarm } from '../../base-farm.ts';
import { importFarmFile } from '../../imported-data.ts';
import { rowsOf } from '../../stores/stores.ts';
import { newFolder } from '../../temporary-places.ts';
import { CLOCK, REPOSITORY, runCommand, startCommand, waitWhileRunning } from '../program.ts';
import { createTestKey, serveStoreForTest } from '../rest-service.ts';
import { startTestBroker } from './mqtt-broker.ts';

const EUI = 'A84041FFFF181F0D';
const PAYLOADS = join(REPOSITORY, 'test/acceptance/ingest/payloads');
const payloadOf = (file: string): string => readFileSync(join(PAYLOADS, file), 'utf8');
const uplink = payloadOf('ttn/dragino-lse01.json');

const run = (db: string, ...args: string[]) => runCommand(['ingest', ...args, '--db', db, '--clock', CLOCK]);

const valuesIn = async (db: string): Promise<[string, number, number][]> => {
  const query = `select s.type, s.depth, r.value from readings r join sensors s on s.id = r.sensor_id
    order by s.type, s.depth, r.at`;
  const rows = await rowsOf<{ type: string; depth: number; value: number }>(db, query);
  return rows.map(({ type, depth, value }) => [type, depth, value]);
};

async function serve(db: string, ...args: string[]) {
  const service = await serveStoreForTest(db, '--clock', CLOCK, ...args);
  const post = async (path: string, body: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${service.base}/ingest/${path}`, { method: 'POST', body, headers });
    return { status: response.status, body: await response.json() };
  };
  return { service, post };
}

async function narrowKey(db: string, webhook: string, ...args: string[]): Promise<{ id: number; key: string }> {
  const { stdout } = await runCommand(['keys', 'create', '--webhook', webhook, '--json', '--db', db, ...args]);
  return JSON.parse(stdout);
}

describe('a device that is not assigned', () => {
  it('is listed with what it sends; its readings count once it is assigned', async () => {
    const [broker, db] = [await startTestBroker(), await newBaseFarm()];
    const args = ['--preset', 'ttn/dragino-lse01', '--broker', broker.url, '--db', db, '--clock', CLOCK];
    const running = startCommand(['ingest', 'mqtt', ...args]);
    await waitWhileRunning(running, () => running.stdout().includes('Listening'));
    const topic = 'v3/mas-rouge@ttn/devices/soil-1/up';
    for (let time = 0; time < 2; time++) await broker.publish(topic, uplink);
    const listed = async () => (await run(db, 'devices')).stdout;
    await waitWhileRunning(running, async () => (await listed()).includes('2 readings kept'));
    expect(await listed()).toContain(`${EUI}  not assigned; last `);
    expect(await listed()).toContain('moisture 19.57 %, temperature 24.59 °C; 2 readings kept');
    expect(await listed()).toMatch(/\n {2}\{"end_device_ids".{100,130}… \(whole with --json\)\n/);
    const whole = await runCommand(['ingest', 'devices', '--json', '--db', db, '--clock', CLOCK]);
    expect(JSON.parse(whole.stdout)[0].payload).toContain('"water_SOIL":"19.57"');
    expect(await valuesIn(db)).toEqual([]);

    const assigned = await run(db, 'assign', EUI.toLowerCase(), 'North 1', '20');
    expect(assigned.stdout).toBe(`${EUI} is assigned to "North 1" at 20 cm. 2 readings from before count too.\n`);
    const soil = [
      ['humidity', 20, 19.57],
      ['temperature', 20, 24.59],
    ];
    expect(await valuesIn(db)).toEqual(soil);
    expect(await listed()).toMatch(
      new RegExp(`^${EUI}  "North 1", 20 cm; last .* ago; battery 3.625 V; signal -51 dBm, SNR 13.5 dB\n$`),
    );

    await broker.publish(topic, uplink.replace('17:54:52.358270423Z', '18:54:52.358270423Z'));
    await waitWhileRunning(running, async () => (await valuesIn(db)).length === 4);
    const { stdout } = await running.stop();
    expect(stdout).toContain('3 messages: 2 readings written, 0 changed, 2 unchanged, 0 refused, 2 kept');
  });

  it('is assigned only where the module has sensors', async () => {
    const db = await newBaseFarm();
    const without = await run(db, 'assign', EUI, 'North 1', '25');
    expect(without).toMatchObject({ code: 2, stderr: expect.stringContaining('no sensor at 25 cm') });
    expect(without.stderr).toContain('10, 20, 30 cm');
    expect((await run(db, 'assign', EUI, 'Nowhere', '20')).stderr).toContain('No probe is called "Nowhere".');
    expect((await run(db, 'assign', EUI, 'North 1', 'deep')).code).not.toBe(0);
    expect((await run(db, 'devices')).stdout).toContain('No device has sent anything yet');
    // Before it has sent anything.
    expect((await run(db, 'assign', EUI, 'North 1', '10', '20', '30')).code).toBe(0);
    expect((await run(db, 'devices', '--json')).stdout).toContain('"depths": [\n      10,\n      20,\n      30\n    ]');
  });

  it('is listed and assigned on a remote service, and named in its brief', async () => {
    const db = await newBaseFarm();
    const { key } = await createTestKey(db, '--preset', 'everything');
    const { key: ingestKey } = await createTestKey(db, '--preset', 'ingest');
    const { key: viewerKey } = await createTestKey(db, '--preset', 'viewer');
    const { post, service } = await serve(db);
    await post('ttn/dragino-lse01', uplink, { 'x-api-key': ingestKey });
    const remote = (args: string[], apiKey = key) =>
      runCommand([...args, '--remote', service.base, '--clock', CLOCK], { env: { ACEQUIA_API_KEY: apiKey } });
    expect((await remote(['ingest', 'devices'])).stdout).toContain('moisture 19.57 %, temperature 24.59 °C');
    expect((await remote(['call', 'morning_brief'])).stdout).toContain(
      `A device that is not assigned sends: ${EUI}, moisture 19.57 %, temperature 24.59 °C.`,
    );
    const assign = ['ingest', 'assign', EUI, 'North 1', '20'];
    expect((await remote(assign, viewerKey)).stderr).toContain('company:write');
    expect((await remote(assign)).stdout).toBe(
      `${EUI} is assigned to "North 1" at 20 cm. 2 readings from before count too.\n`,
    );
    expect(await valuesIn(db)).toHaveLength(2);
    expect((await remote(['ingest', 'devices', '--company', 'Mas Rouge'])).stderr).toContain('Leave --company out');
    const other = await remote(['call', 'set_module', 'name=North 1', `device=${EUI} 30`]);
    expect(other.stdout).toContain(`Its readings come from the device ${EUI}, at 30 cm.`);
    expect((await run(db, 'devices')).stdout).toContain('"North 1", 30 cm');
  });

  it('is named by the doctor', async () => {
    const db = await newBaseFarm();
    const { key } = await createTestKey(db, '--preset', 'ingest');
    const { post } = await serve(db);
    await post('ttn/dragino-lse01', uplink, { 'x-api-key': key });
    const { stdout } = await runCommand(['doctor', '--db', db, '--clock', CLOCK]);
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      `a device that is not assigned sends: ${EUI}, moisture 19.57 %, temperature 24.59 °C`,
    );
  });

  it('keeps at most 5,000 readings, the newest, and at most 200 devices are listed', async () => {
    const db = await newBaseFarm();
    const { key } = await createTestKey(db, '--preset', 'ingest');
    const { service } = await serve(db);
    const send = (readings: object[]) =>
      fetch(`${service.base}/ingest`, {
        method: 'POST',
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        body: JSON.stringify({ readings }),
      });
    const start = Date.parse(CLOCK) - 6_000 * 60_000;
    const minutes = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, n) => ({
        ...{ device: 'many', type: 'humidity', value: 20 },
        time: new Date(start + (from + n) * 60_000).toISOString(),
      }));
    await send(minutes(0, 3_000));
    await send(minutes(3_000, 5_500));
    const [kept] = await rowsOf<{ count: number; first: number }>(
      db,
      'select count(*) as count, min(at) as first from device_readings',
    );
    expect(kept).toEqual({ count: 5_000, first: start + 500 * 60_000 });
    const others = Array.from({ length: 250 }, (_, n) => ({ ...minutes(0, 1)[0], device: `d${n}` }));
    const { readings } = (await (await send(others)).json()) as { readings: object };
    expect(readings).toMatchObject({ kept: 199, refused: 51 });
    expect(await rowsOf(db, 'select count(*) as count from devices')).toEqual([{ count: 200 }]);
  });
});

describe('POST /v1/ingest/NAME', () => {
  it('takes what networks post, with a key in a header; the same again changes nothing', async () => {
    const db = await newBaseFarm();
    await run(db, 'assign', EUI, 'North 1', '20');
    const { key } = await createTestKey(db, '--preset', 'ingest');
    const { post } = await serve(db);
    const counts = { changed: 0, refused: 0, kept: 0 };
    const json = { 'x-api-key': key, 'content-type': 'application/json' };
    expect(await post('ttn/dragino-lse01', uplink, json)).toEqual({
      status: 202,
      body: { readings: { ...counts, written: 2, unchanged: 0 }, missing: 0, reasons: [] },
    });
    expect(await post('ttn/dragino-lse01', uplink, json)).toMatchObject({
      status: 202,
      body: { readings: { ...counts, written: 0, unchanged: 2 } },
    });
    const chirpstack = await post('chirpstack/sensecap-s2105?event=up', payloadOf('chirpstack/sensecap-s2105.json'), {
      authorization: `Bearer ${key}`,
    });
    expect(chirpstack).toMatchObject({ status: 202, body: { readings: { written: 2 } } });
    const status = { deviceInfo: { devEui: EUI }, margin: 10, batteryLevel: 88.3, time: CLOCK };
    expect(await post('chirpstack/sensecap-s2105?event=status', JSON.stringify(status), json)).toMatchObject({
      status: 202,
      body: { readings: { written: 0, kept: 0 } },
    });
    expect((await run(db, 'devices')).stdout).toContain('battery 88.3 %');
    const simulated = JSON.stringify({ ...JSON.parse(uplink), simulated: true });
    expect(await post('ttn/dragino-lse01', simulated, json)).toMatchObject({
      status: 202,
      body: { ignored: expect.anything() },
    });
    expect(await valuesIn(db)).toHaveLength(4);
  });

  it('takes the form of an Ecowitt gateway with its key in the path, which may do nothing else', async () => {
    const db = await newBaseFarm();
    const { id, key } = await narrowKey(db, 'ecowitt/wh51');
    const { post, service } = await serve(db, '--log-level', 'trace');
    const form = payloadOf('ecowitt/wh51.txt');
    const sent = await post(key, form, { 'content-type': 'application/x-www-form-urlencoded' });
    expect(sent).toMatchObject({ status: 202, body: { readings: { written: 0, kept: 5 } } });
    await run(db, 'assign', '808e946c/1', 'North 1', '10');
    expect(await post(key, form)).toMatchObject({ status: 202, body: { readings: { unchanged: 5, kept: 0 } } });
    expect(await valuesIn(db)).toEqual([['humidity', 10, 33]]);

    const headers = { 'x-api-key': key };
    expect(await post('ecowitt/wh51', form, headers)).toMatchObject({ status: 202 });
    expect(await post('ttn/dragino-lse01', uplink, headers)).toMatchObject({
      status: 403,
      body: { code: 'insufficient_scope' },
    });
    for (const path of ['ingest', 'parcels']) {
      const method = path === 'ingest' ? 'POST' : 'GET';
      const other = await fetch(`${service.base}/${path}`, {
        method,
        headers: { ...headers, 'content-type': 'application/json' },
        ...(method === 'POST' && { body: '{"readings":[]}' }),
      });
      expect(other.status).toBe(403);
    }
    expect((await runCommand(['keys', 'list', '--db', db])).stdout).toContain('webhook:ecowitt/wh51');
    await runCommand(['keys', 'revoke', String(id), '--db', db, '--clock', CLOCK]);
    expect(await post(key, form)).toMatchObject({ status: 401 });
    const refusedPath = await post(`${key}/a/b`, form);
    expect(refusedPath.status).toBe(404);
    expect(JSON.stringify(refusedPath.body)).not.toContain(key);
    expect(service.stdout() + service.stderr()).not.toContain(key);
  });

  it('makes rain and weather of what an Ecowitt station posts, once', async () => {
    const db = await newBaseFarm();
    const air = [{ type: 'temperature' }, { type: 'humidity' }];
    await importFarmFile(db, {
      company: { name: 'Mas Rouge' },
      modules: [{ uid: 'WS', name: 'Yard', category: 'WEATHER_STATION', sensors: air }],
    });
    await run(db, 'assign', '808e946c/station', 'Yard');
    const { key } = await narrowKey(db, 'ecowitt/wh51');
    const { post } = await serve(db);
    // Of a WS90 on a GW2000: 95.18 °F are 35.1 °C, 2.01 mph 0.9 m/s; the rain of the day is 0.236, then 0.472 inches.
    const form = (time: string, inches: number) =>
      `PASSKEY=2E665D6A7F08EF77F224C3E4DC46A0BC&stationtype=GW2000A_V3.3.2&dateutc=2026-06-30+${time}&tempinf=91.40&humidityin=23&tempf=95.18&humidity=19&windspeedmph=2.01&windgustmph=3.13&solarradiation=861.33&rrain_piezo=0.000&drain_piezo=${inches}&yrain_piezo=9.024&wh90batt=3.02&model=GW2000A`;
    const sent = await post(key, form('10:45:26', 0.236));
    expect(sent).toMatchObject({
      status: 202,
      body: { readings: { written: 2 }, rain: { written: 1 }, weather: { written: 2 } },
    });
    expect(await post(key, form('12:45:26', 0.472))).toMatchObject({ body: { rain: { written: 0, changed: 1 } } });
    for (const late of [form('12:45:26', 0.472), form('10:45:26', 0.236)])
      expect(await post(key, late)).toMatchObject({ body: { rain: { written: 0, changed: 0, unchanged: 1 } } });
    const { stdout } = await runCommand(['call', 'list_rain', '--json', '--db', db, '--clock', CLOCK]);
    expect(JSON.parse(stdout)).toMatchObject({
      data: [{ day: '2026-06-30', mm: 11.989, source: 'gauge' }],
      totals: [{ mm: 11.989 }],
    });
    const counts = 'select type, count(*) as count from station_readings group by type order by type';
    expect(await rowsOf(db, counts)).toEqual([
      { type: 'radiation', count: 2 },
      { type: 'wind', count: 2 },
    ]);
  });

  it('takes what several processes post at once, each message once, and after a kill the rest', async () => {
    const db = await newBaseFarm();
    const { key } = await createTestKey(db, '--preset', 'ingest');
    const services = [await serve(db), await serve(db)];
    const minute = (n: number) => uplink.replace('17:54:52.358270423Z', `17:${String(n % 60).padStart(2, '0')}:52Z`);
    const headers = { 'x-api-key': key };
    const sendAll = (service: (typeof services)[number], from: number, to: number) =>
      Promise.allSettled(
        Array.from({ length: to - from }, (_, n) => service.post('ttn/dragino-lse01', minute(from + n), headers)),
      );
    const sending = services.map((service) => sendAll(service, 0, 40));
    // Assigned while both keep its readings.
    const assigned = await run(db, 'assign', EUI, 'North 1', '20');
    expect(assigned.code).toBe(0);
    services[1]!.service.child.kill('SIGKILL');
    await Promise.all(sending);
    const answers = await sendAll(services[0]!, 0, 40);
    for (const answer of answers)
      expect(answer).toMatchObject({ status: 'fulfilled', value: { status: 202, body: { readings: { refused: 0 } } } });
    expect(await valuesIn(db)).toHaveLength(80);
    expect(await rowsOf(db, 'select count(*) as count from device_readings')).toEqual([{ count: 0 }]);
  });

  it('refuses a key with other rights in the path, and none', async () => {
    const db = await newBaseFarm();
    const { key } = await createTestKey(db, '--preset', 'ingest');
    const { key: viewer } = await createTestKey(db, '--preset', 'viewer');
    const { post } = await serve(db);
    expect(await post(key, uplink)).toMatchObject({ status: 401 });
    expect(await post('ttn/dragino-lse01', uplink)).toMatchObject({ status: 401 });
    expect(await post('ttn/dragino-lse01', uplink, { 'x-api-key': viewer })).toMatchObject({ status: 403 });
    expect(await post('ttn/unknown', uplink, { 'x-api-key': key })).toMatchObject({ status: 404 });
    const bad = await post('ttn/dragino-lse01', '{"a":', { 'x-api-key': key });
    expect(bad).toMatchObject({
      status: 400,
      body: { code: 'invalid_body', detail: expect.stringContaining('not JSON') },
    });
    expect(await post('ttn/dragino-lse01', 'x'.repeat(300_000), { 'x-api-key': key })).toMatchObject({ status: 413 });
  });

  it('keeps a key to its company, which needs no member', async () => {
    const db = await newBaseFarm();
    const sensors = [{ type: 'humidity', depth: 20 }];
    await importFarmFile(db, {
      company: { name: 'Mas Bleu', timezone: 'Europe/Paris' },
      modules: [{ uid: 'B9', name: 'Blue 1', category: 'SOIL_PROBE', commissionedAt: '2025-01-11T09:00:00Z', sensors }],
    });
    await run(db, 'assign', EUI, 'North 1', '20', '--company', 'Mas Rouge');
    const { key } = await narrowKey(db, 'ttn/dragino-lse01', '--company', 'Mas Bleu');
    const { post } = await serve(db);
    expect(await post(key, uplink)).toMatchObject({ status: 202, body: { readings: { written: 0, kept: 2 } } });
    expect(await valuesIn(db)).toEqual([]);
    expect((await run(db, 'devices', '--company', 'Mas Rouge')).stdout).toContain('"North 1"');
    expect((await run(db, 'devices', '--company', 'Mas Bleu')).stdout).toContain('not assigned');
  });

  it('reads maps of a folder', async () => {
    const [db, folder] = [await newBaseFarm(), await newFolder()];
    const map = {
      readings: [
        {
          module: { path: 'probe' },
          time: { path: 't', unit: 'utc' },
          values: [{ path: 'v', type: 'humidity', depth: 10 }],
        },
      ],
    };
    await writeFile(join(folder, 'pump.json'), JSON.stringify(map));
    const { key } = await narrowKey(db, 'pump');
    const { post } = await serve(db, '--maps', folder);
    const body = JSON.stringify({ probe: 'North 1', t: '2026-06-22 17:54:52', v: 21 });
    expect(await post('pump', body, { 'x-api-key': key })).toMatchObject({
      status: 202,
      body: { readings: { written: 1 } },
    });
    expect(await valuesIn(db)).toEqual([['humidity', 10, 21]]);
  });
});
