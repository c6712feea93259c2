import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { newBaseFarm } from '../../base-farm.ts';
import { startMailServer } from '../../mail-server.ts';
import { rowsOf } from '../../stores/stores.ts';
import { iso, MINUTE } from '../../time.ts';
import { outboxRows } from '../mail/outbox-store.ts';
import { connectStdio } from '../mcp-session.ts';
import { CLOCK, type Json, startCommand, waitUntil } from '../program.ts';
import { createTestKey, type RestService, sharedRestService } from '../rest-service.ts';
import { CSV_HEADERS, GZIP_HEADERS, reading, startIngestService, withIngestKey } from './ingest-service.ts';

const IMEI = '356938035643809';

const shared = sharedRestService('--rate-limit', '0');

async function storedReadings({ db }: Pick<RestService, 'db'>): Promise<[number, number][]> {
  const query = 'select at, value from readings order by sensor_id, at';
  return (await rowsOf<{ at: number; value: number }>(db, query)).map(({ at, value }) => [at, value]);
}

describe('a batch as JSON', () => {
  it('is stored, and counted by what it changed', async () => {
    const served = await startIngestService();
    const first = await served.send({ readings: [reading(20, 60), reading(21, 45)] });
    expect(first).toMatchObject({ status: 200, body: { readings: { written: 2 }, reasons: [], refused: [] } });
    const { body } = await served.send({
      readings: [reading(20, 60), reading(22, 45), reading(19, 90), reading(18, 30), reading(23, 30)],
    });
    expect(body.readings).toEqual({ written: 2, changed: 1, unchanged: 1, repeated: 1, refused: 0 });
    expect(body.modules).toEqual([{ id: 1, uid: 'A1', newest: iso(Date.parse(CLOCK) - 30 * MINUTE) }]);
    expect((await storedReadings(served)).map(([, value]) => value)).toEqual([19, 20, 22, 23]);
  });

  it('stores its valid rows, and reports each other one with its place and reason', async () => {
    const served = await startIngestService();
    const { depth: _, ...withoutDepth } = reading(20, 50);
    const { status, body } = await served.send({
      readings: [
        reading(20, 60),
        reading(20, 60, { module: 'X9' }),
        reading(20, 60, { depth: 99 }),
        withoutDepth,
        reading(120),
        reading(20, -2 * 24 * 60),
        reading(20, 60, { type: 'rain' }),
        reading(20, 60, { unit: '%' }),
        { ...reading(20), value: '20,5' },
        7,
        reading(21, 45),
      ],
      gateways: [{ imei: IMEI }, { imei: '356938035643808' }, { imei: 'x' }, { imei: IMEI, lat: 43 }],
    });
    expect(status).toBe(200);
    expect(body.refused.map(({ place, reason }: Json) => `${place}: ${reason}`)).toEqual([
      'readings[1]: unknown module',
      'readings[2]: the module has no such sensor',
      'readings[3]: the module has no such sensor',
      'readings[4]: value is not moisture from 0 to 100 %',
      'readings[5]: time more than a day ahead',
      'readings[6]: type is not one of humidity, temperature, tensio',
      'readings[7]: unknown field',
      'readings[8]: value is not a number of %, deg C or kPa',
      'readings[9]: not an object',
      'gateways[1]: unknown gateway',
      'gateways[2]: imei is not an IMEI of 15 digits',
      'gateways[3]: a position needs both lat and lon',
    ]);
    expect(body).toMatchObject({ readings: { written: 2, refused: 9 }, gateways: { changed: 1, refused: 3 } });
    expect(body.refused[0].given).toContain('"X9"');
    expect(await rowsOf(served.db, 'select uid from modules')).toHaveLength(4);
    expect(await rowsOf(served.db, 'select imei from gateways')).toHaveLength(1);
  });

  it('reads times without an offset in the zone of the company, or in the named one', async () => {
    const served = await startIngestService();
    const time = '2026-07-01T06:00';
    await served.send({ readings: [reading(20, 0, { time })] });
    await served.send({ readings: [reading(21, 0, { time })], timezone: 'America/New_York' });
    expect(await storedReadings(served)).toEqual([
      [Date.UTC(2026, 6, 1, 4), 20],
      [Date.UTC(2026, 6, 1, 10), 21],
    ]);
    const { body } = await served.send({ readings: [], timezone: 'Paris' });
    expect(body).toMatchObject({ code: 'INVALID_TIMEZONE', field: 'timezone' });
  });

  it.each([
    ['nothing', {}, 'readings'],
    ['an unknown field', { rows: [] }, 'rows'],
    ['readings that are not a list', { readings: {} }, 'readings'],
  ])('is refused as a whole with %s', async (_, body, field) => {
    const served = await withIngestKey(shared());
    expect(await served.send(body)).toMatchObject({ status: 400, body: { code: 'invalid_body', field } });
  });
});

describe('the status of a gateway', () => {
  it('is stored unless a newer one is', async () => {
    const served = await startIngestService();
    const reader = await served.newKey('--scopes', 'readings:read');
    const status = { imei: IMEI, lastSeen: '2026-07-01T09:00:00Z', batteryMv: 3950, level: 3, lat: 43.6, lon: 3.9 };
    const send = async (gateway: object) => (await served.send({ gateways: [gateway] })).body.gateways;
    expect(await send(status)).toEqual({ changed: 1, unchanged: 0, refused: 0 });
    expect(await send(status)).toEqual({ changed: 0, unchanged: 1, refused: 0 });
    expect(await send({ imei: IMEI, lastSeen: '2026-07-01T08:00:00Z', level: 0 })).toMatchObject({ unchanged: 1 });
    expect(await send({ imei: IMEI, lastSeen: '2026-07-01T09:30:00Z', level: 2 })).toMatchObject({ changed: 1 });
    const { body } = await served.request('GET', '/gateways', { key: reader });
    // 3,950 mV are 80 %. Source: battery table of the spec.
    expect(body.data[0]).toMatchObject({ status: 'active', lastSeen: '2026-07-01T09:30:00.000Z', soc: 80, level: 2 });
  });
});

describe('a batch as CSV', () => {
  it('is read with a byte order mark and semicolons, without decimal commas', async () => {
    const served = await startIngestService();
    const text = `\uFEFFmodule;type;depth;time;value\r\nA1;humidity;10;2026-07-01T07:00;22.5\r\nA1;humidity;20;2026-07-01T07:00;22,5\r\n`;
    const { body } = await served.send(text, CSV_HEADERS);
    expect(body.readings).toMatchObject({ written: 1, refused: 1 });
    expect(body.refused).toEqual([
      { place: 'line 3', reason: 'value has a decimal comma', given: 'A1;humidity;20;2026-07-01T07:00;22,5' },
    ]);
  });

  it('names its only module in the query', async () => {
    const served = await startIngestService();
    const text = 'time,humidity_10,humidity_20,humidity_99\n2026-07-01T07:00,22.5,,1\n';
    const wide = await served.send(text, CSV_HEADERS, '/ingest?module=North%201&timezone=America/New_York');
    expect(wide.body).toMatchObject({
      readings: { written: 1, refused: 0 },
      skippedColumns: [{ name: 'humidity_99', why: 'the module has no such sensor' }],
    });
    expect(await storedReadings(served)).toEqual([[Date.UTC(2026, 6, 1, 11), 22.5]]);
    const refused = async (path: string) => (await served.send(text, CSV_HEADERS, path)).body;
    expect(await refused('/ingest')).toMatchObject({ code: 'invalid_parameter', field: 'module' });
    expect(await refused('/ingest?module=Nord')).toMatchObject({ code: 'not_found', field: 'module' });
    expect(await refused('/ingest?module=A1&module=A2')).toMatchObject({ field: 'module' });
    expect(await refused('/ingest?modul=A1')).toMatchObject({ code: 'invalid_body', field: 'modul' });
  });
});

it('refuses bodies that cannot be read, with a hint', async () => {
  const served = await withIngestKey(shared());
  const bodies: [string, Uint8Array<ArrayBuffer> | string, Record<string, string>, number, string][] = [
    ['another compression', '{}', { 'content-encoding': 'br' }, 415, 'unsupported_media_type'],
    ['another type', 'a', { 'content-type': 'text/plain' }, 415, 'unsupported_media_type'],
    ['CSV in another encoding', 'a', { 'content-type': 'text/csv; charset=latin1' }, 415, 'unsupported_media_type'],
    ['what no gzip made', 'no gzip', GZIP_HEADERS, 400, 'invalid_body'],
    ['half of what gzip made', gzipSync('{"readings":[]}').subarray(0, 20), GZIP_HEADERS, 400, 'invalid_body'],
    ['text that is not UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), {}, 400, 'invalid_body'],
    ['JSON cut short', '{"readings":[', {}, 400, 'invalid_body'],
    ['brackets without end', `{"readings":${'['.repeat(1000)}${']'.repeat(1000)}}`, {}, 400, 'invalid_body'],
    ['CSV without a header that is known', 'a,b\n1,2\n', CSV_HEADERS, 400, 'invalid_body'],
    ['an empty CSV', '', CSV_HEADERS, 400, 'invalid_body'],
  ];
  for (const [what, body, headers, status, code] of bodies)
    expect(await served.post(body, headers), what).toMatchObject({ status, body: { code, hint: expect.any(String) } });
});

describe('a repeated batch', () => {
  it('is written once if it comes fifty times at once', async () => {
    const served = await startIngestService();
    const batch = { readings: Array.from({ length: 40 }, (_, n) => reading(20 + n / 10, 60 + n)) };
    const heard = await Promise.all(Array.from({ length: 50 }, () => served.send(batch)));
    expect(heard.map(({ status }) => status)).toEqual(Array(50).fill(200));
    const sum = (what: string) => heard.reduce((total, { body }) => total + body.readings[what], 0);
    expect([sum('written'), sum('changed'), sum('unchanged')]).toEqual([40, 0, 49 * 40]);
    expect(await storedReadings(served)).toHaveLength(40);
    const [{ count }] = (await rowsOf(served.db, 'select sum(count) as count from reading_hours')) as [Json];
    expect(count).toBe(40);
  });

  it('has the same answer under its Idempotency-Key, under which another batch is refused', async () => {
    const served = await startIngestService();
    const headers = { 'idempotency-key': 'batch 7' };
    const first = await served.send({ readings: [reading(20)] }, headers);
    const again = await served.send({ readings: [reading(20)] }, headers);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect((await served.send({ readings: [reading(21)] }, headers)).body.code).toBe('IDEMPOTENCY_KEY_REUSED');
    const [{ body }] = (await rowsOf(served.db, 'select body from idempotency')) as [Json];
    expect(JSON.parse(body).input).toEqual({});
  });
});

describe('a key', () => {
  it('needs the scope for batches, and does nothing else with that scope alone', async () => {
    const served = await withIngestKey(shared());
    const reader = await served.newKey('--scopes', 'readings:read,irrigation:write');
    const refused = await served.request('POST', '/ingest', { key: reader, body: { readings: [reading(20)] } });
    expect(refused).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } });
    expect((await served.request('GET', '/modules', { key: served.key })).status).toBe(403);
  });
});

it('an alert fires and is mailed by a batch alone', async () => {
  const db = await newBaseFarm();
  const { key } = await createTestKey(db);
  const server = await startMailServer();
  const env = { ACEQUIA_SMTP_URL: server.url };
  const service = startCommand(['serve', '--db', db, '--port', '0', '--clock', CLOCK], { env });
  await waitUntil(() => service.stdout().includes('\n'));
  const base = /http\S+/.exec(service.stdout())![0];
  const send = (value: number, minutesAgo: number) =>
    fetch(`${base}/ingest`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ readings: [10, 20, 30].map((depth) => reading(value, minutesAgo, { depth })) }),
    });
  await send(26, 30);
  const { call } = await connectStdio(db);
  await call('create_alert', { module: 'North 1', threshold: 20 });
  await send(15, 5);
  await waitUntil(async () => (await outboxRows(db))[0]?.state === 'sent');
  expect(server.received.map(({ mail }) => mail.subject)).toEqual(['Sol sec : North 1 à 15 %, seuil 20 %']);
  service.child.kill('SIGTERM');
  expect((await service.ended).code).toBe(0);
});
