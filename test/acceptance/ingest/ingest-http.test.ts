import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { startMailServer } from '../../mail-server.ts';
import { rowsOf } from '../../stores/stores.ts';
import { outboxRows, startCommand } from '../mail/outbox-store.ts';
import { CLOCK, connectStdio, type Json, newBaseFarm } from '../program.ts';
import { createTestKey, type RestService, sharedRestService } from '../rest-service.ts';
import { waitUntil } from '../schedule-farm.ts';
import { CSV_HEADERS, GZIP_HEADERS, iso, reading, startIngestService, withIngestKey } from './ingest-service.ts';

const MINUTE = 60_000;
const IMEI = '356938035643809';

/** Nothing of what it is sent is kept. */
const shared = sharedRestService('--rate-limit', '0');

async function storedReadings({ db }: Pick<RestService, 'db'>): Promise<[number, number][]> {
  const query = 'select at, value from readings order by sensor_id, at';
  return (await rowsOf<{ at: number; value: number }>(db, query)).map(({ at, value }) => [at, value]);
}

describe('a batch as JSON', () => {
  it('is kept, and counted by what it changed', async () => {
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

  it('names a module by uid, by name or by id', async () => {
    const served = await startIngestService();
    const named = ['A1', 'North 1', 'north 1', 1, '#1'].map((module, n) => reading(20, 60 + n, { module }));
    const { body } = await served.send({ readings: named });
    expect(body.readings).toMatchObject({ written: 5, refused: 0 });
    expect(body.modules).toHaveLength(1);
  });

  it('keeps its good rows, and tells each other one with its place and why', async () => {
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

  it('counts all that is refused, and tells the first hundred', async () => {
    const served = await withIngestKey(shared());
    const { body } = await served.send({
      readings: Array.from({ length: 150 }, () => reading(20, 1, { module: 'X' })),
    });
    expect(body.readings.refused).toBe(150);
    expect(body.reasons).toEqual([{ reason: 'unknown module', count: 150 }]);
    expect(body.refused).toHaveLength(100);
  });

  it('reads a time without an offset in the company’s zone, or in the one it names', async () => {
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
    ['a field that there is not', { rows: [] }, 'rows'],
    ['readings that are no list', { readings: {} }, 'readings'],
  ])('is refused whole where it holds %s', async (_, body, field) => {
    const served = await withIngestKey(shared());
    expect(await served.send(body)).toMatchObject({ status: 400, body: { code: 'invalid_body', field } });
  });
});

describe('what a gateway tells of itself', () => {
  it('is known from then on, unless something newer is', async () => {
    const served = await startIngestService();
    const reader = await served.newKey('--scopes', 'readings:read');
    const status = { imei: IMEI, lastSeen: '2026-07-01T09:00:00Z', batteryMv: 3950, level: 3, lat: 43.6, lon: 3.9 };
    const send = async (gateway: object) => (await served.send({ gateways: [gateway] })).body.gateways;
    expect(await send(status)).toEqual({ changed: 1, unchanged: 0, refused: 0 });
    expect(await send(status)).toEqual({ changed: 0, unchanged: 1, refused: 0 });
    expect(await send({ imei: IMEI, lastSeen: '2026-07-01T08:00:00Z', level: 0 })).toMatchObject({ unchanged: 1 });
    expect(await send({ imei: IMEI, lastSeen: '2026-07-01T09:30:00Z', level: 2 })).toMatchObject({ changed: 1 });
    const { body } = await served.request('GET', '/gateways', { key: reader });
    // 3,950 mV are 80 %. Source: the table of the battery.
    expect(body.data[0]).toMatchObject({ status: 'active', lastSeen: '2026-07-01T09:30:00.000Z', soc: 80, level: 2 });
  });
});

describe('a batch as CSV', () => {
  it('is read as a file is: byte order mark, semicolons, and no decimal comma', async () => {
    const served = await startIngestService();
    const text = `\uFEFFmodule;type;depth;time;value\r\nA1;humidity;10;2026-07-01T07:00;22.5\r\nA1;humidity;20;2026-07-01T07:00;22,5\r\n`;
    const { body } = await served.send(text, CSV_HEADERS);
    expect(body.readings).toMatchObject({ written: 1, refused: 1 });
    expect(body.refused).toEqual([
      { place: 'line 3', reason: 'value has a decimal comma', given: 'A1;humidity;20;2026-07-01T07:00;22,5' },
    ]);
  });

  it('of one module names it in the query', async () => {
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

it('is refused in what nobody can read, with what to send instead', async () => {
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

describe('a batch that is sent again', () => {
  it('fifty times at once is written once', async () => {
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

  it('under an Idempotency-Key gets the same answer again, and another one under it is refused', async () => {
    const served = await startIngestService();
    const headers = { 'idempotency-key': 'batch 7' };
    const first = await served.send({ readings: [reading(20)] }, headers);
    const again = await served.send({ readings: [reading(20)] }, headers);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect((await served.send({ readings: [reading(21)] }, headers)).body.code).toBe('IDEMPOTENCY_KEY_REUSED');
    // Of a batch its answer is kept, not what was sent.
    const [{ body }] = (await rowsOf(served.db, 'select body from idempotency')) as [Json];
    expect(JSON.parse(body).input).toEqual({});
  });
});

describe('a key', () => {
  it('without the scope brings nothing in, and one with it alone does nothing else', async () => {
    const served = await withIngestKey(shared());
    const reader = await served.newKey('--scopes', 'readings:read,irrigation:write');
    const refused = await served.request('POST', '/ingest', { key: reader, body: { readings: [reading(20)] } });
    expect(refused).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } });
    expect((await served.request('GET', '/modules', { key: served.key })).status).toBe(403);
  });
});

describe('an alert', () => {
  it('fires, and is mailed, as soon as a batch calls for it', async () => {
    const db = await newBaseFarm();
    const { key } = await createTestKey(db);
    const server = await startMailServer();
    const running = startCommand('serve', db, { ACEQUIA_SMTP_URL: server.url }, '--port', '0', '--clock', CLOCK);
    await waitUntil(() => running.stdout().includes('\n'));
    const base = /http\S+/.exec(running.stdout())![0];
    const send = (value: number, minutesAgo: number) =>
      fetch(`${base}/ingest`, {
        method: 'POST',
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        body: JSON.stringify({ readings: [10, 20, 30].map((depth) => reading(value, minutesAgo, { depth })) }),
      });
    await send(26, 30);
    const { call, client } = await connectStdio(db);
    await call('create_alert', { module: 'North 1', threshold: 20 });
    await client.close();
    // Housekeeping has been and comes again in a minute: what follows is told by the batch alone.
    await waitUntil(
      async () => (await rowsOf(db, 'select 1 from alert_states where evaluated_at is not null')).length > 0,
    );
    const sentAt = performance.now();
    await send(15, 5);
    await waitUntil(async () => (await outboxRows(db))[0]?.state === 'sent');
    expect(performance.now() - sentAt).toBeLessThan(20_000);
    expect(server.received.map(({ mail }) => mail.subject)).toEqual(['Sol sec : North 1 à 15 %, seuil 20 %']);
    running.child.kill('SIGTERM');
    expect((await running.ended).code).toBe(0);
  });
});
