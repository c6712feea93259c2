import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { baseFarmForFile } from '../../base-farm.ts';
import { importFarmFile } from '../../imported-data.ts';
import { folderForFile } from '../../temporary-places.ts';
import { CLOCK } from '../program.ts';
import { type RestService, serveStoreForFile } from '../rest-service.ts';
import { EUI, newestReadings, payloadOf, UPLINK } from './ingest-service.ts';

const MAP = {
  readings: [
    {
      module: { path: 'probe' },
      time: { path: 't', unit: 'utc' },
      values: [{ path: 'v', type: 'humidity', depth: 30 }],
    },
  ],
};

const BLUE = {
  company: { name: 'Mas Bleu', timezone: 'Europe/Paris' },
  modules: [
    {
      uid: 'B9',
      name: 'Blue 1',
      category: 'SOIL_PROBE',
      sensors: [{ type: 'humidity', depth: 20 }],
    },
  ],
};

const GREEN = {
  company: { name: 'Mas Vert', timezone: 'Europe/Paris' },
  users: [{ email: 'eva@example.org', name: 'Eva', role: 'OWNER' }],
};

const FORM = payloadOf('ecowitt/wh51');

let service: RestService;
let ingestKey: string;
beforeAll(async () => {
  const [db, folder] = [await baseFarmForFile(), await folderForFile()];
  for (const farm of [BLUE, GREEN]) await importFarmFile(db, farm);
  await writeFile(join(folder, 'pump.json'), JSON.stringify(MAP));
  service = await serveStoreForFile(db, '--clock', CLOCK, '--maps', folder, '--log-level', 'trace');
  ingestKey = await newKey('--preset', 'ingest');
});

const newKey = (...options: string[]) => service.newKey('--company', 'Mas Rouge', ...options);

const post = (place: string, body: string, headers: Record<string, string> = {}) =>
  service.request('POST', `/ingest/${place}`, { body, headers });

async function assign(device: string, module: string, ...depths: number[]): Promise<void> {
  const key = await newKey();
  const { body: modules } = await service.request('GET', '/modules', { key });
  const moduleId = modules.data.find(({ name }: { name: string }) => name === module).id;
  const { status } = await service.request('PUT', '/devices', {
    key,
    body: { device, moduleId, depths },
  });
  expect(status).toBe(200);
}

const devicesOf = async (key: string) =>
  (await service.request('GET', '/devices', { key })).body.data;

const readings = (counts: object) => ({ status: 202, body: { readings: counts } });

describe('POST /v1/ingest/NAME', () => {
  it('stores what networks post with a key in a header; the same request again changes nothing', async () => {
    await assign(EUI, 'North 1', 20);
    const headers = { 'x-api-key': ingestKey };
    const { status, body } = await post('ttn/dragino-lse01', UPLINK, headers);
    const counts = { changed: 0, refused: 0, storedUnassigned: 0 };
    expect([status, body]).toEqual([
      202,
      { readings: { ...counts, written: 2, unchanged: 0 }, failedMeasurements: 0, reasons: [] },
    ]);
    expect(await post('ttn/dragino-lse01', UPLINK, headers)).toMatchObject(
      readings({ ...counts, written: 0, unchanged: 2 }),
    );
    const chirpstack = payloadOf('chirpstack/sensecap-s2105');
    const bearer = { authorization: `Bearer ${ingestKey}` };
    expect(await post('chirpstack/sensecap-s2105?event=up', chirpstack, bearer)).toMatchObject(
      readings({ written: 0, storedUnassigned: 2 }),
    );
    const deviceStatus = {
      deviceInfo: { devEui: EUI },
      margin: 10,
      batteryLevel: 88.3,
      time: CLOCK,
    };
    expect(
      await post('chirpstack/sensecap-s2105?event=status', JSON.stringify(deviceStatus), headers),
    ).toMatchObject(readings({ written: 0, storedUnassigned: 0 }));
    expect(await devicesOf(await newKey())).toContainEqual(
      expect.objectContaining({ device: `chirpstack/${EUI}`, batteryPercent: 88.3 }),
    );
    const simulated = JSON.stringify({ ...JSON.parse(UPLINK), simulated: true });
    expect(await post('ttn/dragino-lse01', simulated, headers)).toMatchObject({
      status: 202,
      body: { ignored: expect.anything() },
    });
    expect(await newestReadings(service.db)).toMatchObject({
      humidity_20: 19.57,
      temperature_20: 24.59,
    });
  });

  it('lists a message that gave nothing, with the reason, until its device gives readings', async () => {
    const key = await newKey();
    const device = 'A84041FFFF181F77';
    const unreadOf = async () =>
      (await service.request('GET', '/devices', { key })).body.unread.filter(
        ({ sender }: { sender: string }) => sender === device,
      );
    const { end_device_ids: ids, uplink_message: message, ...rest } = JSON.parse(UPLINK);
    const send = (decoded: object | undefined) =>
      post(
        'ttn/dragino-lse01',
        JSON.stringify({
          ...rest,
          end_device_ids: { ...ids, dev_eui: device },
          uplink_message: { ...message, decoded_payload: decoded },
        }),
        { 'x-api-key': ingestKey },
      );

    const { status, body } = await send(undefined);
    expect([status, body.ignored]).toEqual([202, expect.stringContaining('decoded_payload')]);
    const [unread] = await unreadOf();
    expect(unread).toMatchObject({ via: 'ttn/dragino-lse01', reason: body.ignored });
    expect((await post('ttn/dragino-lse01', '{', { 'x-api-key': ingestKey })).status).toBe(400);

    await send({ water_SOIL: 'wet' });
    expect(await unreadOf()).toHaveLength(2);
    await send(message.decoded_payload);
    expect(await unreadOf()).toEqual([]);

    const { body: left } = await service.request('GET', '/devices', { key });
    expect(left.unread).toMatchObject([
      { sender: 'ttn/dragino-lse01', reason: 'the payload is not JSON', payload: '{' },
    ]);
  });

  it('stores the form of an Ecowitt gateway with its key in the path, which may do nothing else', async () => {
    const key = await newKey('--webhook', 'ecowitt/wh51');
    expect(await post(key, FORM)).toMatchObject(readings({ written: 0, storedUnassigned: 5 }));
    await assign('808e946c/1', 'North 1', 10);
    expect(await post(key, FORM)).toMatchObject(readings({ unchanged: 5, storedUnassigned: 0 }));
    expect(await newestReadings(service.db)).toMatchObject({ humidity_10: 33 });

    const headers = { 'x-api-key': key };
    expect((await post('ecowitt/wh51', FORM, headers)).status).toBe(202);
    expect(await post('ttn/dragino-lse01', UPLINK, headers)).toMatchObject({
      status: 403,
      body: { code: 'insufficient_scope' },
    });
    expect((await service.request('POST', '/ingest', { key, body: { readings: [] } })).status).toBe(
      403,
    );
    expect(await service.request('GET', '/parcels', { key })).toMatchObject({
      status: 403,
      body: { hint: expect.stringContaining('The key is for the webhook ') },
    });
    const elsewhere = await post(`${key}/a/b`, FORM);
    expect(elsewhere.status).toBe(404);
    expect(JSON.stringify(elsewhere.body) + service.stdout() + service.stderr()).not.toContain(key);
  });

  it('stores rain and weather from the form of an Ecowitt station, once', async () => {
    await assign('808e946c/station', 'Mast');
    const station =
      'PASSKEY=2E665D6A7F08EF77F224C3E4DC46A0BC&stationtype=GW2000A_V3.3.2&dateutc=2026-06-30+10:45:26&windspeedmph=2.01&solarradiation=861.33&drain_piezo=0.236&wh90batt=3.02&model=GW2000A';
    const counts = { changed: 0, unchanged: 0, refused: 0 };
    const send = async () => (await post('ecowitt/wh51', station, { 'x-api-key': ingestKey })).body;
    expect(await send()).toMatchObject({
      rain: { ...counts, written: 1 },
      weather: { written: 2, refused: 0 },
    });
    expect(await send()).toMatchObject({ rain: { ...counts, written: 0, unchanged: 1 } });
  });

  it('refuses a key with other rights in the path, and a path without a key', async () => {
    const viewer = { 'x-api-key': await newKey('--preset', 'viewer') };
    const headers = { 'x-api-key': ingestKey };
    expect((await post(ingestKey, UPLINK)).status).toBe(401);
    expect((await post('ttn/dragino-lse01', UPLINK)).status).toBe(401);
    expect((await post('ttn/dragino-lse01', UPLINK, viewer)).status).toBe(403);
    expect((await post('ttn/unknown', UPLINK, headers)).status).toBe(404);
    expect(await post('ttn/dragino-lse01', '{"a":', headers)).toMatchObject({
      status: 400,
      body: { code: 'invalid_body', detail: expect.stringContaining('not JSON') },
    });
    expect((await post('ttn/dragino-lse01', 'x'.repeat(300_000), headers)).status).toBe(413);
  });

  it('confines a key to its company, which needs no member', async () => {
    await assign(EUI, 'North 1', 20);
    const blue = await service.newKey('--company', 'Mas Bleu', '--webhook', 'ttn/dragino-lse01');
    expect(await post(blue, UPLINK)).toMatchObject(readings({ written: 0, storedUnassigned: 2 }));
    const companyKey = (name: string) => service.newKey('--company', name, '--user', 'none');
    expect(await devicesOf(await companyKey('Mas Bleu'))).toMatchObject([
      { device: EUI, module: null },
    ]);
    expect(await devicesOf(await companyKey('Mas Rouge'))).toContainEqual(
      expect.objectContaining({ device: EUI, module: 'North 1' }),
    );
  });

  it('says for which webhook a key is, and which presets are for MQTT', async () => {
    const key = await newKey('--webhook', 'ttn/dragino-lse01');
    const headers = { 'x-api-key': key };
    expect(await post('ttn/sensecap-s2105', UPLINK, headers)).toMatchObject({
      status: 403,
      body: {
        code: 'insufficient_scope',
        detail: expect.stringContaining('for the webhook ttn/dragino-lse01'),
      },
    });
    const ofBroker = { 'x-api-key': ingestKey };
    expect(await post('zigbee2mqtt/soil-sensor', '{}', ofBroker)).toMatchObject({
      status: 400,
      body: {
        code: 'invalid_parameter',
        detail: expect.stringContaining('is for MQTT'),
        hint: expect.stringContaining('acequia ingest mqtt'),
      },
    });
  });

  it('reads maps of a folder', async () => {
    const body = JSON.stringify({ probe: 'North 1', t: '2026-06-22 17:54:52', v: 21 });
    const key = await newKey('--webhook', 'pump');
    expect(await post('pump', body, { 'x-api-key': key })).toMatchObject(readings({ written: 1 }));
    expect(await newestReadings(service.db)).toMatchObject({ humidity_30: 21 });
  });
});

describe('a key that sends under ever new names', () => {
  const flood = (key: string, batch: number) =>
    service.request('POST', '/ingest', {
      key,
      body: {
        readings: Array.from({ length: 200 }, (_, index) => ({
          device: `flood-${batch}-${index}`,
          type: 'humidity',
          time: CLOCK,
          value: 21,
        })),
      },
    });

  it('does not keep the device of a webhook out, nor one of its own that was listed', async () => {
    const options = ['--company', 'Mas Vert'];
    const reader = await service.newKey(...options);
    const flooding = await service.newKey(...options, '--preset', 'ingest');
    const webhook = await service.newKey(...options, '--webhook', 'generic/json');
    const pump = (device: string) =>
      post(webhook, JSON.stringify({ device, time: CLOCK, moisture: 24.1 }));

    await flood(flooding, 1);
    expect(await pump('pump-1')).toMatchObject(readings({ storedUnassigned: 1, refused: 0 }));
    expect(await devicesOf(reader)).toHaveLength(200);
    await flood(flooding, 2);
    expect(await pump('pump-2')).toMatchObject(readings({ storedUnassigned: 1, refused: 0 }));

    const names = (await devicesOf(reader)).map(({ device }: { device: string }) => device);
    expect(names).toHaveLength(200);
    expect(names).toEqual(expect.arrayContaining(['pump-1', 'pump-2', 'flood-1-199']));
    expect(names.some((name: string) => name.startsWith('flood-2'))).toBe(false);
  });
});
