import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { revokeKey } from '../../../src/service/keys/key-administration.ts';
import { importBaseFarm, newBaseFarm } from '../../base-farm.ts';
import { importFarmFile } from '../../imported-data.ts';
import { rowsOf, withSecondStore } from '../../stores/stores.ts';
import { newFolder, newStorePlace } from '../../temporary-places.ts';
import { CLOCK, runProgram } from '../program.ts';
import {
  createTestKey,
  type RestService,
  serveStoreForTest,
  sharedRestService,
  startRestService,
} from '../rest-service.ts';
import { openRawConnection } from './raw-requests.ts';

const EVENTS = '/modules/1/irrigation/events';
const WATERING = { startedAt: '2026-07-01T06:00', inputMode: 'duration', durationMin: 30 };

const rawRequest = (method: string, path: string, headers: Record<string, string | number>, body = ''): string =>
  `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n${body}`;

const isRefused = (base: string): Promise<boolean> =>
  fetch(`${base}/company`).then(
    () => false,
    () => true,
  );

const serviceOfFile = sharedRestService();

async function serviceWithKey(...options: string[]): Promise<{ served: RestService; key: string }> {
  const served = options.length === 0 ? serviceOfFile() : await startRestService(...options);
  return { served, key: await served.newKey() };
}

async function ownService(): Promise<{ served: RestService; key: string }> {
  const served = await startRestService();
  return { served, key: await served.newKey() };
}

describe('a request', () => {
  it('is answered with the body of the operation alone, which nothing keeps', async () => {
    const { served, key } = await serviceWithKey();
    const { status, headers, body } = await served.request('GET', '/company', { key });
    expect(status).toBe(200);
    expect(body).toMatchObject({ id: 1, name: 'Mas Rouge', timezone: 'Europe/Paris' });
    expect(body).not.toHaveProperty('summary');
    expect(headers.get('content-type')).toBe('application/json');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('access-control-allow-origin')).toBeNull();
    expect(headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
  });

  it('that writes carries the source api, or mcp with a key made for an assistant', async () => {
    const { served, key } = await serviceWithKey();
    const first = await served.request('POST', EVENTS, { key, body: WATERING });
    expect(first).toMatchObject({ status: 201, body: { event: { source: 'api' } } });
    const assistant = await served.newKey('--surface', 'mcp');
    const second = await served.request('POST', EVENTS, { key: assistant, body: WATERING });
    expect(second.body.event.source).toBe('mcp');
  });

  it('reads an instant without an offset in the company’s zone', async () => {
    const { served, key } = await serviceWithKey();
    const { body } = await served.request('POST', EVENTS, { key, body: WATERING });
    // Paris is two hours ahead of UTC in July.
    expect(body.event.startedAt).toBe('2026-07-01T04:00:00.000Z');
  });

  it.each([
    ['a key of nobody', undefined, 'GET', '/company'],
    ['a text that is no key', 'secret', 'GET', '/company'],
    ['a key that was never made', `acequia_${'A'.repeat(43)}`, 'GET', '/company'],
    ['a key that was never made, to write', `acequia_${'A'.repeat(43)}`, 'POST', EVENTS],
  ])('with %s is refused in the same words', async (_, key, method, path) => {
    const served = serviceOfFile();
    const answer = await served.request(method, path, { key, ...(method === 'POST' && { body: '{not JSON' }) });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect(answer.body).toEqual({
      type: 'about:blank',
      title: 'Unauthorized',
      status: 401,
      detail: 'No valid API key was given.',
      code: 'unauthenticated',
      hint: expect.any(String),
    });
  });

  it('is judged by scope, then role, then input, then ownership', async () => {
    const { served, key } = await serviceWithKey();
    const reader = await served.newKey('--scopes', 'readings:read');
    expect((await served.request('POST', EVENTS, { key: reader, body: '{not JSON' })).body.code).toBe(
      'insufficient_scope',
    );
    expect((await served.request('POST', EVENTS, { key, body: '{not JSON' })).body.code).toBe('invalid_body');
    const unknown = '/modules/99/irrigation/events';
    expect((await served.request('POST', unknown, { key, body: {} })).body.code).toBe('INVALID_STARTED_AT');
    expect((await served.request('POST', unknown, { key, body: WATERING })).body.code).toBe('MODULE_NOT_OWNED');
  });

  it('of a member who became a VIEWER no longer writes', async () => {
    const db = await newBaseFarm();
    const served = await serveStoreForTest(db, '--clock', CLOCK);
    const key = await served.newKey();
    const users = [
      { email: 'ana@example.org', name: 'Ana', role: 'VIEWER' },
      { email: 'bea@example.org', name: 'Bea', role: 'OWNER' },
    ];
    await importFarmFile(db, { company: { name: 'Mas Rouge' }, users });
    expect((await served.request('POST', EVENTS, { key, body: WATERING })).body.code).toBe('insufficient_role');
    expect((await served.request('GET', '/company', { key })).status).toBe(200);
  });

  it.each([
    [
      'a field that there is not',
      '/modules/1/irrigation/events',
      { ...WATERING, idempotencyKey: 'a' },
      'invalid_body',
      'idempotencyKey',
    ],
    ['the path’s parameter in the body', EVENTS, { ...WATERING, moduleId: 1 }, 'invalid_body', 'moduleId'],
    ['a body field in the query', `${EVENTS}?durationMin=3`, WATERING, 'invalid_parameter', 'durationMin'],
    ['a name in place of an id', '/modules/North%201/irrigation/events', WATERING, 'invalid_parameter', 'moduleId'],
    [
      'plain words in place of an instant',
      EVENTS,
      { ...WATERING, startedAt: 'today 6:00' },
      'INVALID_STARTED_AT',
      'startedAt',
    ],
    ['a key that would reach the prototype', EVENTS, '{"__proto__":{"status":"done"}}', 'invalid_body', '__proto__'],
    ['a NUL', EVENTS, { ...WATERING, note: 'a\u0000b' }, 'invalid_body', 'note'],
    ['an array', EVENTS, [WATERING], 'invalid_body', undefined],
    ['a null', EVENTS, 'null', 'invalid_body', undefined],
    ['nothing at all', EVENTS, undefined, 'INVALID_STARTED_AT', 'startedAt'],
  ])('that carries %s is refused by name', async (_, path, body, code, field) => {
    const { served, key } = await serviceWithKey();
    const answer = await served.request('POST', path, { key, body });
    expect(answer).toMatchObject({ status: 400, body: { status: 400, code } });
    expect(answer.body.field).toBe(field);
  });

  it('empties a field by null, where an update can', async () => {
    const { served, key } = await serviceWithKey();
    const { body } = await served.request('POST', EVENTS, { key, body: { ...WATERING, note: 'valve 3' } });
    const path = `/irrigation/events/${body.event.id}`;
    const emptied = await served.request('PATCH', path, { key, body: { ...WATERING, note: null } });
    expect(emptied.body.event.note).toBeNull();
  });

  it('to a path or with a method that there is not is told so', async () => {
    const { served, key } = await serviceWithKey();
    expect(await served.request('GET', '/nothing', { key })).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    });
    const wrong = await served.request('PUT', '/company', { key });
    expect(wrong).toMatchObject({ status: 405, body: { code: 'method_not_allowed' } });
    expect(wrong.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
    const options = await served.request('OPTIONS', '/irrigation/schedules');
    expect(options.status).toBe(204);
    expect(options.headers.get('allow')).toBe('GET, HEAD, OPTIONS, POST');
    const head = await served.request('HEAD', '/company', { key });
    expect(head).toMatchObject({ status: 200, body: null });
  });

  it('needs no key to learn that the process lives, that its store answers, and what it serves', async () => {
    const served = serviceOfFile();
    expect((await served.request('GET', '/../health')).body).toEqual({ status: 'ok' });
    expect((await served.request('GET', '/../ready')).body).toEqual({ status: 'ready' });
    const document = await served.request('GET', '/openapi.json');
    expect(document.body.openapi).toMatch(/^3\.1/);
    const etag = document.headers.get('etag')!;
    const again = await served.request('GET', '/openapi.json', { headers: { 'if-none-match': etag } });
    expect(again).toMatchObject({ status: 304, body: null });
  });

  it('is logged by its path and status, without key or body', async () => {
    const { served, key } = await serviceWithKey('--log-level', 'info');
    const answer = await served.request('POST', EVENTS, { key, body: { ...WATERING, note: 'by the well' } });
    await expect.poll(served.log).toContain(answer.headers.get('x-request-id'));
    expect(served.log()).toContain(`"path":"/v1${EVENTS}","status":201`);
    expect(served.log()).not.toContain(key.slice('acequia_'.length));
    expect(served.log()).not.toContain('by the well');
  });
});

describe('Idempotency-Key', () => {
  const keyed = (value: string) => ({ headers: { 'idempotency-key': value } });

  it('gives 50 requests at once one row and one answer', async () => {
    const { served, key } = await ownService();
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => served.request('POST', EVENTS, { key, body: WATERING, ...keyed('k') })),
    );
    expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1);
    expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') === 'true')).toHaveLength(49);
    const { body } = await served.request('GET', '/irrigation/events', { key });
    expect(body.data).toHaveLength(1);
  });

  it.each([
    ['another body', EVENTS, { ...WATERING, durationMin: 31 }],
    ['another path', '/modules/2/irrigation/events', WATERING],
  ])('with %s is refused', async (_, path, body) => {
    const { served, key } = await serviceWithKey();
    await served.request('POST', EVENTS, { key, body: WATERING, ...keyed('k') });
    const answer = await served.request('POST', path, { key, body, ...keyed('k') });
    expect(answer).toMatchObject({ status: 422, body: { code: 'IDEMPOTENCY_KEY_REUSED', field: 'Idempotency-Key' } });
  });

  it('of one key family says nothing to another', async () => {
    const { served, key } = await serviceWithKey();
    const other = await served.newKey();
    const ids = [];
    for (const each of [key, other])
      ids.push((await served.request('POST', EVENTS, { key: each, body: WATERING, ...keyed('k') })).body.event.id);
    expect(ids[0]).not.toBe(ids[1]);
  });

  it.each([['x'.repeat(256)], ['clé'], ['']])('%j is refused', async (value) => {
    const { served, key } = await serviceWithKey();
    const answer = await served.request('POST', EVENTS, { key, body: WATERING, ...keyed(value) });
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_parameter', field: 'Idempotency-Key' } });
  });
});

describe('a body', () => {
  it.each([
    ['as text', { 'content-type': 'text/plain' }],
    ['in another charset', { 'content-type': 'application/json; charset=latin1' }],
    ['compressed', { 'content-type': 'application/json', 'content-encoding': 'gzip' }],
  ])('%s is refused', async (_, headers) => {
    const { served, key } = await serviceWithKey();
    const answer = await served.request('POST', EVENTS, { key, body: WATERING, headers });
    expect(answer).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } });
  });

  it('in chunks of which there is none is no body', async () => {
    const { served, key } = await serviceWithKey();
    const over = await openRawConnection(served.port);
    const headers = { 'x-api-key': key, 'transfer-encoding': 'chunked' };
    over.socket.write(rawRequest('POST', '/v1/modules/1/irrigation/recompute', headers, '0\r\n\r\n'));
    expect(await over.until('"completed"')).toContain('HTTP/1.1 200');
  });

  it('in UTF-8 that says so is taken', async () => {
    const { served, key } = await serviceWithKey();
    const headers = { 'content-type': 'Application/JSON; charset="UTF-8"' };
    const answer = await served.request('POST', EVENTS, {
      key,
      body: { ...WATERING, note: 'vanne côté nord' },
      headers,
    });
    expect(answer.body.event.note).toBe('vanne côté nord');
  });

  it.each([
    ['GET', '/company'],
    ['DELETE', '/annotations/00000000-0000-4000-8000-000000000000'],
  ])('of a %s is refused', async (method, path) => {
    const { served, key } = await serviceWithKey();
    const over = await openRawConnection(served.port);
    over.socket.write(rawRequest(method, `/v1${path}`, { 'x-api-key': key, 'content-length': 2 }, '{}'));
    expect(await over.until('"code"')).toContain('"code":"invalid_body"');
  });

  it.each([
    ['nested too deep', `${'['.repeat(40)}${']'.repeat(40)}`],
    ['nested beyond all sense', '{"a":'.repeat(150_000)],
    ['of bytes that are no UTF-8', Buffer.from([0x7b, 0xff, 0x7d])],
  ])('%s is refused', async (_, text) => {
    const { served, key } = await serviceWithKey();
    const over = await openRawConnection(served.port);
    const body = Buffer.from(text);
    const headers = { 'x-api-key': key, 'content-type': 'application/json', 'content-length': body.length };
    over.socket.write(rawRequest('POST', `/v1${EVENTS}`, headers));
    over.socket.write(body);
    const heard = await over.until('"code"');
    expect(heard).toContain('HTTP/1.1 400');
    expect(heard).toContain('"code":"invalid_body"');
  });

  it.each([
    ['/v1/modules/1/irrigation/events', WATERING],
    ['/v1/ingest', { readings: [] }],
    [
      '/mcp',
      {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'log_watering', arguments: { ...WATERING, module: '#1' } },
      },
    ],
  ])('that arrives after its key was revoked changes nothing: %s', async (path, body) => {
    const served = serviceOfFile();
    const { id, key } = await createTestKey(served.db);
    const over = await openRawConnection(served.port);
    const text = JSON.stringify(body);
    const headers = { 'x-api-key': key, 'content-type': 'application/json', 'content-length': text.length };
    over.socket.write(rawRequest('POST', path, { ...headers, accept: 'application/json, text/event-stream' }));
    over.socket.write(text.slice(0, 5));
    const lastUse = `select last_used_at as at from api_keys where id = ${id}`;
    await expect.poll(() => rowsOf(served.db, lastUse)).not.toEqual([{ at: null }]);
    await withSecondStore(served.db, (store) => revokeKey(store, id, Date.now()));
    over.socket.write(text.slice(5));
    expect(await over.until('"code"')).toContain('"unauthenticated"');
  });

  it('is not read beyond the limit, announced or in chunks without an end', async () => {
    const { served, key } = await serviceWithKey('--max-body', '2048');
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    const announced = await openRawConnection(served.port);
    announced.socket.write(rawRequest('POST', `/v1${EVENTS}`, { ...headers, 'content-length': 2049 }));
    expect(await announced.until('"code"')).toContain('"code":"payload_too_large"');
    const chunked = await openRawConnection(served.port);
    chunked.socket.write(rawRequest('POST', `/v1${EVENTS}`, { ...headers, 'transfer-encoding': 'chunked' }));
    for (let sent = 0; sent < 3; sent++) chunked.socket.write(`400\r\n${' '.repeat(1024)}\r\n`);
    const heard = await chunked.until('"code"');
    expect(heard).toContain('HTTP/1.1 413');
    expect(heard).toContain('"code":"payload_too_large"');
  });

  it('of just the limit is read', async () => {
    const { served, key } = await serviceWithKey('--max-body', '2048');
    const text = JSON.stringify(WATERING).padEnd(2048);
    expect((await served.request('POST', EVENTS, { key, body: text })).status).toBe(201);
  });
});

describe('the limits', () => {
  it('let a key make so many requests, and then say when to go on', async () => {
    const { served, key } = await serviceWithKey('--rate-limit', '6', '--rate-burst', '3');
    const first = await served.request('GET', '/company', { key });
    expect(first.headers.get('ratelimit-limit')).toBe('3');
    expect(first.headers.get('ratelimit-remaining')).toBe('2');
    for (let made = 0; made < 2; made++) await served.request('GET', '/company', { key });
    const refused = await served.request('POST', EVENTS, { key, body: WATERING });
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    // Six a minute are one each ten seconds.
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(10);
    const other = await served.newKey();
    expect((await served.request('GET', '/company', { key: other })).status).toBe(200);
  });

  it('count who has no key by the address, and let a valid key through all the same', async () => {
    const { served, key } = await serviceWithKey('--rate-limit', '6', '--rate-burst', '2');
    const statuses = [];
    for (let made = 0; made < 3; made++)
      statuses.push((await served.request('GET', '/company', { key: 'wrong' })).status);
    expect(statuses).toEqual([401, 401, 429]);
    expect((await served.request('GET', '/company', { key })).status).toBe(200);
  });

  it('can be taken away for the rate', async () => {
    const { served, key } = await serviceWithKey('--rate-limit', '0', '--rate-burst', '1');
    for (let made = 0; made < 3; made++) {
      const { status, headers } = await served.request('GET', '/company', { key });
      expect(status).toBe(200);
      expect(headers.get('ratelimit-limit')).toBeNull();
    }
  });

  it.each([
    ['a long address', rawRequest('GET', `/v1/modules?search=${'a'.repeat(8200)}`, {}), 414, 'uri_too_long'],
    ['large headers', rawRequest('GET', '/v1/company', { 'x-more': 'a'.repeat(17_000) }), 431, 'headers_too_large'],
    ['what is no HTTP', 'Good morning\r\n\r\n', 400, 'bad_request'],
    ['a request without a Host', 'GET /v1/company HTTP/1.1\r\n\r\n', 400, 'bad_request'],
    ['a Host that is none', 'GET /v1/company HTTP/1.1\r\nHost: a b\r\n\r\n', 400, 'bad_request'],
  ])('refuse %s', async (_, text, status, code) => {
    const served = serviceOfFile();
    const over = await openRawConnection(served.port);
    over.socket.write(text);
    const heard = await over.until('"code"');
    expect(heard).toContain(`HTTP/1.1 ${status} `);
    expect(heard).toContain('application/problem+json');
    expect(heard).toContain(`"code":"${code}"`);
    expect((await served.request('GET', '/../health')).status).toBe(200);
  });

  it.each([
    ['headers', 'GET /v1/company HTTP/1.1\r\nHost: 127.0.0.1\r\n'],
    ['a body', null],
  ])('cut off who sends %s too slowly', async (_, sent) => {
    const { served, key } = await serviceWithKey('--header-timeout', '1', '--request-timeout', '1');
    const over = await openRawConnection(served.port);
    const headers = { 'x-api-key': key, 'content-type': 'application/json', 'content-length': 100 };
    over.socket.write(sent ?? rawRequest('POST', `/v1${EVENTS}`, headers, '{'));
    const heard = await over.closed;
    expect(heard).toContain('HTTP/1.1 408');
    expect(heard).toContain('"code":"request_timeout"');
  });

  it.each([
    ['--rate-limit', 'many'],
    ['--max-json-depth', '1'],
    ['--port', '70000'],
  ])('are numbers within bounds: %s %s is wrong usage', async (option, value) => {
    await expect(runProgram('serve', '--db', await newBaseFarm(), option, value)).rejects.toMatchObject({ code: 2 });
  });
});

describe('the start', () => {
  it('needs a store that is there', async () => {
    const db = join(await newFolder(), 'none.db');
    await expect(runProgram('serve', '--db', db, '--port', '0')).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/There is no store .*none\.db\.\nMake one/),
    });
  });

  it('says when another program has the port', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as { port: number };
    await expect(runProgram('serve', '--db', await newBaseFarm(), '--port', String(port))).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('the port is in use'),
    });
    other.close();
  });

  it('keeps house beside the answers', async () => {
    const db = await newStorePlace();
    await importBaseFarm(db);
    const served = await serveStoreForTest(db, '--clock', '2026-07-01T10:00:00Z');
    const key = await served.newKey();
    const body = {
      targetModuleId: 1,
      freq: 'daily',
      startTimes: ['06:00'],
      timezone: 'Europe/Paris',
      inputMode: 'duration',
      durationMin: 30,
      startsOn: '2026-07-01',
      confirmationPolicy: 'auto',
    };
    expect((await served.request('POST', '/irrigation/schedules', { key, body })).status).toBe(201);
    served.child.kill('SIGTERM');
    await served.ended;
    const later = await serveStoreForTest(db, '--clock', '2026-07-03T10:00:00Z');
    await expect
      .poll(async () => (await later.request('GET', '/irrigation/events?status=done', { key })).body.data.length)
      .toBe(2);
  });
});

describe('the end', () => {
  it('answers the request that is under way, closes its connection, and takes no other', async () => {
    const { served, key } = await ownService();
    const over = await openRawConnection(served.port);
    const body = JSON.stringify(WATERING);
    const headers = { 'x-api-key': key, 'content-type': 'application/json', 'content-length': body.length };
    over.socket.write(rawRequest('POST', `/v1${EVENTS}`, headers, body.slice(0, 20)));
    await pause(200);
    served.child.kill('SIGTERM');
    await expect.poll(() => isRefused(served.base)).toBe(true);
    over.socket.write(body.slice(20));
    expect(await over.closed).toContain('HTTP/1.1 201');
    expect(await served.ended).toEqual({ code: 0, signal: null });
    const again = await serveStoreForTest(served.db);
    expect((await again.request('GET', '/irrigation/events', { key })).body.data).toHaveLength(1);
  });

  it('answers what reaches an idle connection at that moment, and waits for no connection that says nothing', async () => {
    const { served, key } = await ownService();
    const silent = await openRawConnection(served.port);
    const idle = await openRawConnection(served.port);
    idle.socket.write(rawRequest('GET', '/v1/company', { 'x-api-key': key }));
    await idle.until('Mas Rouge');
    const begun = performance.now();
    served.child.kill('SIGTERM');
    idle.socket.write(rawRequest('GET', '/v1/modules/1', { 'x-api-key': key }));
    expect(await idle.closed).toContain('"North 1"');
    expect(await silent.closed).toBe('');
    expect((await served.ended).code).toBe(0);
    expect(performance.now() - begun).toBeLessThan(8_000);
  });

  it('leaves no write without its answer', async () => {
    const { served, key } = await serviceWithKey('--rate-limit', '0');
    const asked = Array.from({ length: 40 }, (_, index) =>
      served.request('POST', EVENTS, { key, body: { ...WATERING, note: `${index}` } }),
    );
    await Promise.race(asked);
    served.child.kill('SIGINT');
    const answers = await Promise.allSettled(asked);
    expect((await served.ended).code).toBe(0);
    const kept = answers.filter((each) => each.status === 'fulfilled' && each.value.status === 201).length;
    const again = await serveStoreForTest(served.db);
    const { body } = await again.request('GET', '/irrigation/events?limit=200', { key });
    expect(body.data).toHaveLength(kept);
  });

  it('comes at once with a second signal, though a request is still open', async () => {
    const { served, key } = await ownService();
    const over = await openRawConnection(served.port);
    over.socket.write(
      rawRequest(
        'POST',
        `/v1${EVENTS}`,
        { 'x-api-key': key, 'content-type': 'application/json', 'content-length': 100 },
        '{',
      ),
    );
    await pause(200);
    served.child.kill('SIGTERM');
    await pause(300);
    expect(served.child.exitCode).toBeNull();
    served.child.kill('SIGTERM');
    await over.closed;
    expect(await served.ended).toEqual({ code: 1, signal: null });
  });
});
