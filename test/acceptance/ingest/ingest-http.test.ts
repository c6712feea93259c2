import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { baseFarmForFile, newBaseFarm } from '../../base-farm.ts';
import { importFarmFile } from '../../imported-data.ts';
import { startMailServer } from '../../mail-server.ts';
import { rowsOf } from '../../stores/stores.ts';
import { outboxRows } from '../mail/outbox-store.ts';
import { CLOCK, type Json, waitUntil } from '../program.ts';
import { openRawConnection } from '../rest/raw-requests.ts';
import { serveStoreForFile, startServing } from '../rest-service.ts';
import {
  CSV_HEADERS,
  GZIP_HEADERS,
  reading,
  startIngestService,
  withIngestKey,
} from './ingest-service.ts';

const IMEI = '356938035643809';

/** Each test has a module of its own. */
const MODULES = ['json', 'zones', 'csv', 'repeated', 'keyed'] as const;
type TestModule = (typeof MODULES)[number];

let service: Awaited<ReturnType<typeof withIngestKey>>;
beforeAll(async () => {
  const db = await baseFarmForFile();
  const sensors = [10, 20].map((depth) => ({ type: 'humidity', depth }));
  const modules = MODULES.map((uid) => ({ uid, name: uid, category: 'SOIL_PROBE', sensors }));
  await importFarmFile(db, { company: { name: 'Mas Rouge' }, modules });
  service = await withIngestKey(await serveStoreForFile(db, '--clock', CLOCK, '--rate-limit', '0'));
});

async function storedReadings(module: TestModule): Promise<[number, number][]> {
  const query = `select at, value from readings r join sensors s on s.id = r.sensor_id join modules m on m.id = s.module_id
    where m.uid = '${module}' order by s.id, at`;
  return (await rowsOf<{ at: number; value: number }>(service.db, query)).map(({ at, value }) => [
    at,
    value,
  ]);
}

describe('a batch as JSON', () => {
  it('stores its valid rows, and reports the others with place and reason', async () => {
    const sent = (value: number, minutesAgo?: number, fields: object = {}) =>
      reading(value, minutesAgo, { module: 'json', ...fields });
    const { depth: _, ...withoutDepth } = sent(20, 50);
    const { status, body } = await service.send({
      readings: [
        sent(20, 60),
        sent(20, 60, { module: 'X9' }),
        sent(20, 60, { depth: 99 }),
        withoutDepth,
        sent(120),
        sent(20, -2 * 24 * 60),
        sent(20, 60, { type: 'rain' }),
        sent(20, 60, { unit: '%' }),
        { ...sent(20), value: '20,5' },
        7,
        sent(21, 45),
      ],
      gateways: [
        { imei: IMEI },
        { imei: '356938035643808' },
        { imei: 'x' },
        { imei: IMEI, lat: 43 },
      ],
    });
    expect(status).toBe(200);
    expect(body.refused.map(({ location, reason }: Json) => `${location}: ${reason}`)).toEqual([
      'readings[1]: unknown module',
      'readings[2]: the module has no such sensor',
      'readings[3]: the module has no such sensor',
      'readings[4]: value is not moisture from 0 to 100 %',
      'readings[5]: time more than a day ahead',
      'readings[6]: type is not one of humidity, temperature, tensio, or field:NAME',
      'readings[7]: unknown field',
      'readings[8]: value is not a number of %, deg C or kPa',
      'readings[9]: not an object',
      'gateways[1]: unknown gateway',
      'gateways[2]: imei is not an IMEI of 15 digits, or the EUI-64 of a LoRaWAN gateway in capitals',
      'gateways[3]: a position needs both lat and lon',
    ]);
    expect(body).toMatchObject({
      readings: { written: 2, refused: 9 },
      gateways: { changed: 1, refused: 3 },
    });
    expect(body.refused[0].row).toContain('"X9"');
    expect(await rowsOf(service.db, "select uid from modules where uid = 'X9'")).toEqual([]);
    expect(await rowsOf(service.db, 'select imei from gateways')).toHaveLength(1);
  });

  it('has times without an offset in the zone of the company, or in the one that is sent', async () => {
    const at6 = (value: number) => reading(value, 0, { module: 'zones', time: '2026-07-01T06:00' });
    await service.send({ readings: [at6(20)] });
    await service.send({ readings: [at6(21)], timezone: 'America/New_York' });
    expect(await storedReadings('zones')).toEqual([
      [Date.UTC(2026, 6, 1, 4), 20],
      [Date.UTC(2026, 6, 1, 10), 21],
    ]);
    await service.send({ readings: [at6(22)] }, undefined, '/ingest?timezone=Asia/Kolkata');
    expect(await storedReadings('zones')).toContainEqual([Date.UTC(2026, 6, 1, 0, 30), 22]);
    const { body } = await service.send({ readings: [], timezone: 'Paris' });
    expect(body).toMatchObject({ code: 'INVALID_TIMEZONE', field: 'timezone' });
    const twice = { readings: [], timezone: 'Europe/Paris' };
    const { body: refusal } = await service.send(twice, undefined, '/ingest?timezone=Europe/Paris');
    expect(refusal).toMatchObject({ code: 'invalid_parameter', field: 'timezone' });
  });
});

it('a batch as CSV names its only module in the query', async () => {
  const text = 'time,humidity_10,humidity_20,humidity_99\n2026-07-01T07:00,22.5,,1\n';
  const send = async (path: string) => (await service.send(text, CSV_HEADERS, path)).body;
  expect(await send('/ingest?module=csv&timezone=America/New_York')).toMatchObject({
    readings: { written: 1, refused: 0 },
    skippedColumns: [{ name: 'humidity_99', why: 'the module has no such sensor' }],
  });
  expect(await storedReadings('csv')).toEqual([[Date.UTC(2026, 6, 1, 11), 22.5]]);
  for (const [query, code, field] of [
    ['', 'invalid_parameter', 'module'],
    ['?module=Nord', 'not_found', 'module'],
    ['?module=csv&module=A2', 'invalid_parameter', 'module'],
    ['?modul=csv', 'invalid_body', 'modul'],
  ])
    expect(await send(`/ingest${query}`), query).toMatchObject({ code, field });
});

it('refuses bodies that cannot be read, with a hint', async () => {
  const bodies: [
    string,
    Uint8Array<ArrayBuffer> | string,
    Record<string, string>,
    number,
    string,
  ][] = [
    ['another compression', '{}', { 'content-encoding': 'br' }, 415, 'unsupported_media_type'],
    ['another type', 'a', { 'content-type': 'text/plain' }, 415, 'unsupported_media_type'],
    [
      'CSV in another encoding',
      'a',
      { 'content-type': 'text/csv; charset=latin1' },
      415,
      'unsupported_media_type',
    ],
    ['invalid gzip', 'no gzip', GZIP_HEADERS, 400, 'invalid_body'],
    [
      'truncated gzip',
      gzipSync('{"readings":[]}').subarray(0, 20),
      GZIP_HEADERS,
      400,
      'invalid_body',
    ],
    ['text that is not UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), {}, 400, 'invalid_body'],
    ['truncated JSON', '{"readings":[', {}, 400, 'invalid_body'],
    [
      'a thousand nested brackets',
      `{"readings":${'['.repeat(1000)}${']'.repeat(1000)}}`,
      {},
      400,
      'invalid_body',
    ],
    ['CSV with an unknown header', 'a,b\n1,2\n', CSV_HEADERS, 400, 'invalid_body'],
    ['an empty CSV', '', CSV_HEADERS, 400, 'invalid_body'],
  ];
  for (const [what, body, headers, status, code] of bodies)
    expect(await service.post(body, headers), what).toMatchObject({
      status,
      body: { code, hint: expect.any(String) },
    });
});

it('unfinished batches that fill the memory of a key keep out no other, and the slowest is ended', async () => {
  const service = await startIngestService('--max-batch', '200000');
  const hold = async () => {
    const over = await openRawConnection(service.port);
    const lines = [
      'Host: 127.0.0.1',
      `x-api-key: ${service.key}`,
      'Content-Type: application/json',
      'Content-Length: 200000',
    ];
    const start = `{"readings":[]${' '.repeat(190_000)}`;
    over.socket.write(`POST /v1/ingest HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${start}`);
    return over;
  };
  const uploads = [await hold(), await hold()];
  await pause(200);

  const small = { readings: [reading(20, 60)] };
  expect((await service.send(small)).status).toBe(200);
  const large = { readings: Array.from({ length: 900 }, (_, n) => reading(20, 60 + n)) };
  expect((await service.send(large)).status).toBe(200);

  const ended = await Promise.race(
    uploads.map(async (upload) => ({ upload, text: await upload.until('"code"') })),
  );
  expect(ended.text).toMatch(/HTTP\/1.1 408[\s\S]*Retry-After: 2[\s\S]*request_timeout/i);
  const other = uploads.find((upload) => upload !== ended.upload)!;
  other.socket.write('}'.padStart(200_000 - 190_014));
  expect(await other.until('"written"')).toContain('HTTP/1.1 200');
});

it('a batch is written once if it arrives fifty times at the same time', async () => {
  const batch = {
    readings: Array.from({ length: 40 }, (_, n) =>
      reading(20 + n / 10, 60 + n, { module: 'repeated' }),
    ),
  };
  const answers = await Promise.all(Array.from({ length: 50 }, () => service.send(batch)));
  expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200));
  const sum = (count: string) =>
    answers.reduce((total, { body }) => total + body.readings[count], 0);
  expect([sum('written'), sum('changed'), sum('unchanged')]).toEqual([40, 0, 49 * 40]);
  expect(await storedReadings('repeated')).toHaveLength(40);
  const hours = `select sum(count) as count from reading_hours h join sensors s on s.id = h.sensor_id
    join modules m on m.id = s.module_id where m.uid = 'repeated'`;
  expect(await rowsOf(service.db, hours)).toEqual([{ count: 40 }]);
});

it('a batch under an Idempotency-Key has one answer, which is stored without the readings', async () => {
  const keyed = (value: number) => reading(value, 60, { module: 'keyed' });
  const headers = { 'idempotency-key': 'batch 7' };
  const first = await service.send({ readings: [keyed(20)] }, headers);
  const repeated = await service.send({ readings: [keyed(20)] }, headers);
  expect([repeated.body, repeated.headers.get('idempotent-replayed')]).toEqual([
    first.body,
    'true',
  ]);
  // Nothing of words for a time, which no REST client sends.
  expect((await service.send({ readings: [keyed(21)] }, headers)).body).toMatchObject({
    code: 'IDEMPOTENCY_KEY_REUSED',
    hint: 'For a new entry use a new Idempotency-Key. A retry has the very same arguments.',
  });
  const [{ body }] = (await rowsOf(service.db, 'select body from idempotency')) as [Json];
  expect(JSON.parse(body).input).toEqual({});
});

it('a batch fires an alert, which is mailed', async () => {
  const db = await newBaseFarm();
  const server = await startMailServer();
  const service = await startServing(db, ['--clock', CLOCK], {
    env: { ACEQUIA_SMTP_URL: server.url },
  });
  const { send } = await withIngestKey(service);
  const sendMoisture = (value: number, minutesAgo: number) =>
    send({ readings: [10, 20, 30].map((depth) => reading(value, minutesAgo, { depth })) });
  await sendMoisture(26, 30);
  const alert = { moduleId: 1, threshold: 20 };
  expect(
    (await service.request('POST', '/alerts', { key: await service.newKey(), body: alert })).status,
  ).toBe(201);
  await sendMoisture(15, 5);
  await waitUntil(async () => (await outboxRows(db))[0]?.state === 'sent');
  expect(server.received.map(({ mail }) => mail.subject)).toEqual([
    'Sol sec : North 1 à 15 %, seuil 20 %',
  ]);
  expect((await service.stop()).code).toBe(0);
});
