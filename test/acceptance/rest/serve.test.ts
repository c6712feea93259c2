import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { revokeKey } from '../../../src/service/keys/key-administration.ts';
import { newBaseFarm } from '../../base-farm.ts';
import { runInProcess } from '../../in-process-command.ts';
import { rowsOf, withSecondStore } from '../../stores/stores.ts';
import { CLOCK, runCommand } from '../program.ts';
import {
  createTestKey,
  type RestService,
  serveStoreForTest,
  sharedRestService,
  startRestService,
} from '../rest-service.ts';
import { countWaterings, openRawConnection } from './raw-requests.ts';

const EVENTS = '/modules/1/irrigation/events';
const WATERING = { startedAt: '2026-07-01T06:00', inputMode: 'duration', durationMin: 30 };

const rawRequest = (
  method: string,
  path: string,
  headers: Record<string, string | number>,
  body = '',
): string =>
  `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n${body}`;

const isRefused = (base: string): Promise<boolean> =>
  fetch(`${base}/company`).then(
    () => false,
    () => true,
  );

const shared = sharedRestService();
const limited = sharedRestService('--max-body', '2048', '--rate-limit', '6', '--rate-burst', '3');
const impatient = sharedRestService('--header-timeout', '1', '--request-timeout', '1');

const withKey = async (service: RestService) => ({ service, key: await service.newKey() });

const sharedService = () => withKey(shared());

const ownService = async (...options: string[]) => withKey(await startRestService(...options));

describe('a request', () => {
  it('is answered with the body of the operation alone, not to be cached', async () => {
    const { service, key } = await sharedService();
    const { status, headers, body } = await service.request('GET', '/company', { key });
    expect(status).toBe(200);
    expect(body).toMatchObject({ id: 1, name: 'Mas Rouge', timezone: 'Europe/Paris' });
    expect(body).not.toHaveProperty('summary');
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.stringMatching(/^[\da-f-]{36}$/),
    });
    expect(headers.get('access-control-allow-origin')).toBeNull();
  });

  it('without a valid key is refused before its body is read', async () => {
    const answer = await shared().request('POST', EVENTS, {
      key: `acequia_${'A'.repeat(43)}`,
      body: '{not JSON',
    });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect(answer.body).toEqual({
      type: 'about:blank',
      title: 'Unauthorized',
      status: 401,
      code: 'unauthenticated',
      detail: 'No valid API key was given.',
      hint: expect.any(String),
    });
  });

  it('is checked by scope, then input, then ownership', async () => {
    const { service, key } = await sharedService();
    const reader = await service.newKey('--scopes', 'readings:read');
    const codeOf = async (path: string, body: unknown, by = key) =>
      (await service.request('POST', path, { key: by, body })).body.code;
    expect(await codeOf(EVENTS, '{not JSON', reader)).toBe('insufficient_scope');
    expect(await codeOf(EVENTS, '{not JSON')).toBe('invalid_body');
    expect(await codeOf('/modules/99/irrigation/events', {})).toBe('INVALID_STARTED_AT');
    expect(await codeOf('/modules/99/irrigation/events', WATERING)).toBe('MODULE_NOT_OWNED');
  });

  it.each([
    ['__proto__ as a field', '{"__proto__":{"status":"done"}}', 'invalid_body', '__proto__'],
    ['a NUL', { ...WATERING, note: 'a\u0000b' }, 'invalid_body', 'note'],
    ['null', 'null', 'invalid_body', undefined],
    ['no body', undefined, 'INVALID_STARTED_AT', 'startedAt'],
  ])('with %s is refused', async (_, body, code, field) => {
    const { service, key } = await sharedService();
    const answer = await service.request('POST', EVENTS, { key, body });
    expect(answer).toMatchObject({ status: 400, body: { status: 400, code } });
    expect(answer.body.field).toBe(field);
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
    const service = shared();
    const { id, key } = await createTestKey(service.db);
    const over = await openRawConnection(service.port);
    const text = JSON.stringify(body);
    const headers = {
      'x-api-key': key,
      'content-type': 'application/json',
      'content-length': text.length,
    };
    over.socket.write(
      rawRequest('POST', path, { ...headers, accept: 'application/json, text/event-stream' }),
    );
    over.socket.write(text.slice(0, 5));
    const lastUse = `select last_used_at as at from api_keys where id = ${id}`;
    await expect.poll(() => rowsOf(service.db, lastUse)).not.toEqual([{ at: null }]);
    await withSecondStore(service.db, (store) => revokeKey(store, id, Date.now()));
    over.socket.write(text.slice(5));
    expect(await over.until('"code"')).toContain('"unauthenticated"');
  });

  it('learns the methods of a path', async () => {
    const { service, key } = await sharedService();
    const wrong = await service.request('DELETE', '/company', { key });
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS, PUT']);
    const options = await service.request('OPTIONS', '/irrigation/schedules');
    expect([options.status, options.headers.get('allow')]).toEqual([
      204,
      'GET, HEAD, OPTIONS, POST',
    ]);
    expect(await service.request('HEAD', '/company', { key })).toMatchObject({
      status: 200,
      body: null,
    });
  });

  it('needs no key for /health, /ready and openapi.json', async () => {
    const service = shared();
    expect((await service.request('GET', '/../health')).body).toEqual({ status: 'ok' });
    expect((await service.request('GET', '/../ready')).body).toEqual({ status: 'ready' });
    expect((await service.request('GET', '/openapi.json')).body.openapi).toMatch(/^3\.1/);
  });

  it.each([['x'.repeat(256)], ['clé'], ['']])(
    'with the Idempotency-Key %j is refused',
    async (value) => {
      const { service, key } = await sharedService();
      const answer = await service.request('POST', EVENTS, {
        key,
        body: WATERING,
        headers: { 'idempotency-key': value },
      });
      expect(answer).toMatchObject({
        status: 400,
        body: { code: 'invalid_parameter', field: 'Idempotency-Key' },
      });
    },
  );
});

describe('a body', () => {
  it.each([
    ['as text', { 'content-type': 'text/plain' }, 415],
    ['in another charset', { 'content-type': 'application/json; charset=latin1' }, 415],
    ['compressed', { 'content-type': 'application/json', 'content-encoding': 'gzip' }, 415],
    ['declared as UTF-8', { 'content-type': 'Application/JSON; charset="UTF-8"' }, 201],
  ])('%s', async (_, headers, status) => {
    const { service, key } = await sharedService();
    const answer = await service.request('POST', EVENTS, {
      key,
      body: { ...WATERING, note: 'côté nord' },
      headers,
    });
    expect(answer.status).toBe(status);
    if (status === 201) expect(answer.body.event.note).toBe('côté nord');
    else expect(answer.body.code).toBe('unsupported_media_type');
  });

  it('without chunks counts as absent', async () => {
    const { service, key } = await sharedService();
    const over = await openRawConnection(service.port);
    const headers = { 'x-api-key': key, 'transfer-encoding': 'chunked' };
    over.socket.write(
      rawRequest('POST', '/v1/modules/1/irrigation/recompute', headers, '0\r\n\r\n'),
    );
    expect(await over.until('"completed"')).toContain('HTTP/1.1 200');
  });

  it.each([
    ['GET', '/company'],
    ['DELETE', '/annotations/00000000-0000-4000-8000-000000000000'],
  ])('of a %s is refused', async (method, path) => {
    const { service, key } = await sharedService();
    const over = await openRawConnection(service.port);
    over.socket.write(
      rawRequest(method, `/v1${path}`, { 'x-api-key': key, 'content-length': 2 }, '{}'),
    );
    expect(await over.until('"code"')).toContain('"code":"invalid_body"');
  });

  it.each([
    ['nested too deep', `${'['.repeat(40)}${']'.repeat(40)}`],
    ['nested 150,000 levels deep', '{"a":'.repeat(150_000)],
    ['that is not UTF-8', Buffer.from([0x7b, 0xff, 0x7d])],
  ])('%s is refused', async (_, text) => {
    const { service, key } = await sharedService();
    const over = await openRawConnection(service.port);
    const body = Buffer.from(text);
    const headers = {
      'x-api-key': key,
      'content-type': 'application/json',
      'content-length': body.length,
    };
    over.socket.write(rawRequest('POST', `/v1${EVENTS}`, headers));
    over.socket.write(body);
    const received = await over.until('"code"');
    expect(received).toContain('HTTP/1.1 400');
    expect(received).toContain('"code":"invalid_body"');
  });

  it('is not read beyond the limit, by its length or in chunks', async () => {
    const { service, key } = await withKey(limited());
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    const announced = await openRawConnection(service.port);
    announced.socket.write(
      rawRequest('POST', `/v1${EVENTS}`, { ...headers, 'content-length': 2049 }),
    );
    expect(await announced.until('"code"')).toContain('"code":"payload_too_large"');
    const chunked = await openRawConnection(service.port);
    chunked.socket.write(
      rawRequest('POST', `/v1${EVENTS}`, { ...headers, 'transfer-encoding': 'chunked' }),
    );
    for (let sent = 0; sent < 3; sent++) chunked.socket.write(`400\r\n${' '.repeat(1024)}\r\n`);
    const received = await chunked.until('"code"');
    expect(received).toContain('HTTP/1.1 413');
    expect(received).toContain('"code":"payload_too_large"');
  });

  it.each([
    ['POST', '/v1/ingest', '400'],
    ['POST', '/v1/ingest/ttn/any', '400'],
    ['POST', '/mcp', '400'],
    ['POST', `/v1${EVENTS}`, '400'],
    ['GET', '/v1/company', '400'],
    ['GET', '/health', '200'],
    ['POST', '/v1/none', '404'],
  ])('in parts of one byte ends the connection: %s %s', async (method, path, status) => {
    const { service, key } = await sharedService();
    const over = await openRawConnection(service.port);
    const headers = {
      'x-api-key': key,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'transfer-encoding': 'chunked',
    };
    over.socket.write(rawRequest(method, path, headers, '1\r\n \r\n'.repeat(2_000)));
    const received = await over.closed;
    expect(received.slice(9, 12)).toBe(status);
    // An answer that does not wait for the body leaves before.
    if (status === '400') expect(received).toMatch(/^connection: close\r$/im);
  });

  it('of exactly the maximum size is accepted', async () => {
    const { service, key } = await withKey(limited());
    const text = JSON.stringify(WATERING).padEnd(2048);
    expect((await service.request('POST', EVENTS, { key, body: text })).status).toBe(201);
  });
});

describe('the limits', () => {
  it('allow each key a burst of requests, then say when to retry', async () => {
    const { service, key } = await withKey(limited());
    const first = await service.request('GET', '/company', { key });
    expect(first.headers.get('ratelimit-limit')).toBe('3');
    expect(first.headers.get('ratelimit-remaining')).toBe('2');
    for (let count = 0; count < 2; count++) await service.request('GET', '/company', { key });
    const refused = await service.request('POST', EVENTS, { key, body: WATERING });
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    // Six a minute are one each ten seconds.
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(10);
    const other = await service.newKey();
    expect((await service.request('GET', '/company', { key: other })).status).toBe(200);
  });

  it('count requests without a valid key by address, and do not block valid keys', async () => {
    const { service, key } = await withKey(limited());
    const statuses = [];
    for (let count = 0; count < 4; count++)
      statuses.push((await service.request('GET', '/company', { key: 'wrong' })).status);
    expect(statuses).toEqual([401, 401, 401, 429]);
    expect((await service.request('GET', '/company', { key })).status).toBe(200);
  });

  it.each([
    [
      'a long address',
      rawRequest('GET', `/v1/modules?search=${'a'.repeat(8200)}`, {}),
      414,
      'uri_too_long',
    ],
    [
      'large headers',
      rawRequest('GET', '/v1/company', { 'x-more': 'a'.repeat(17_000) }),
      431,
      'headers_too_large',
    ],
    ['what is not HTTP', 'Good morning\r\n\r\n', 400, 'bad_request'],
    ['a request without a Host', 'GET /v1/company HTTP/1.1\r\n\r\n', 400, 'bad_request'],
    ['an invalid Host', 'GET /v1/company HTTP/1.1\r\nHost: a b\r\n\r\n', 400, 'bad_request'],
  ])('refuse %s', async (_, text, status, code) => {
    const service = shared();
    const over = await openRawConnection(service.port);
    over.socket.write(text);
    const received = await over.until('"code"');
    expect(received).toContain(`HTTP/1.1 ${status} `);
    expect(received).toContain('application/problem+json');
    expect(received).toContain(`"code":"${code}"`);
    expect((await service.request('GET', '/../health')).status).toBe(200);
  });

  it.each([
    ['headers', 'GET /v1/company HTTP/1.1\r\nHost: 127.0.0.1\r\n'],
    ['a body', null],
  ])('end a request that sends %s too slowly', async (_, sent) => {
    const { service, key } = await withKey(impatient());
    const over = await openRawConnection(service.port);
    const headers = { 'x-api-key': key, 'content-type': 'application/json', 'content-length': 100 };
    over.socket.write(sent ?? rawRequest('POST', `/v1${EVENTS}`, headers, '{'));
    const received = await over.closed;
    expect(received).toContain('HTTP/1.1 408');
    expect(received).toContain('"code":"request_timeout"');
  });
});

describe('the start', () => {
  it('fails if the port is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as { port: number };
    expect(
      await runCommand(['serve', '--db', await newBaseFarm(), '--port', String(port)]),
    ).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('the port is in use'),
    });
    other.close();
  });

  it('includes housekeeping', async () => {
    const db = await newBaseFarm();
    const when = [
      'freq=daily',
      'startTimes=["06:00"]',
      'timezone=Europe/Paris',
      'startsOn=2026-07-01',
    ];
    const amount = ['inputMode=duration', 'durationMin=30', 'confirmationPolicy=auto'];
    const words = ['create_schedule', 'module=North 1', ...when, ...amount];
    expect(await runInProcess(['call', ...words, '--db', db, '--clock', CLOCK])).toMatchObject({
      code: 0,
    });
    const service = await serveStoreForTest(db, '--clock', '2026-07-03T10:00:00Z');
    const key = await service.newKey();
    await expect
      .poll(
        async () =>
          (await service.request('GET', '/irrigation/events?status=done', { key })).body.data
            .length,
      )
      .toBe(2);
  });
});

describe('the end', () => {
  it('answers open requests, closes their connections, accepts no other, and does not wait for silent ones', async () => {
    const { service, key } = await ownService();
    const silent = await openRawConnection(service.port);
    const open = await openRawConnection(service.port);
    const body = JSON.stringify(WATERING);
    const headers = {
      'x-api-key': key,
      'content-type': 'application/json',
      'content-length': body.length,
    };
    open.socket.write(rawRequest('POST', `/v1${EVENTS}`, headers, body.slice(0, 20)));
    const idle = await openRawConnection(service.port);
    idle.socket.write(rawRequest('GET', '/v1/company', { 'x-api-key': key }));
    // By then the service has also read what was sent before.
    await idle.until('Mas Rouge');
    service.child.kill('SIGTERM');
    idle.socket.write(rawRequest('GET', '/v1/modules/1', { 'x-api-key': key }));
    expect(await idle.closed).toContain('"North 1"');
    expect(await silent.closed).toBe('');
    await expect.poll(() => isRefused(service.base)).toBe(true);
    open.socket.write(body.slice(20));
    expect(await open.closed).toContain('HTTP/1.1 201');
    // A request that had to be cut would make it 1.
    expect(await service.ended).toMatchObject({ code: 0, signal: null });
    expect(await countWaterings(service.db)).toBe(1);
  });

  it('answers every request that it has written', async () => {
    const { service, key } = await ownService('--rate-limit', '0');
    const requests = Array.from({ length: 40 }, (_, index) =>
      service.request('POST', EVENTS, { key, body: { ...WATERING, note: `${index}` } }),
    );
    await Promise.race(requests);
    service.child.kill('SIGINT');
    const answers = await Promise.allSettled(requests);
    expect((await service.ended).code).toBe(0);
    const answered = answers.filter(
      (each) => each.status === 'fulfilled' && each.value.status === 201,
    ).length;
    expect(await countWaterings(service.db)).toBe(answered);
  });

  it('is immediate at a second signal, despite an open request', async () => {
    const { service, key } = await ownService();
    const over = await openRawConnection(service.port);
    over.socket.write(
      rawRequest(
        'POST',
        `/v1${EVENTS}`,
        { 'x-api-key': key, 'content-type': 'application/json', 'content-length': 100 },
        '{',
      ),
    );
    expect((await service.request('GET', '/company', { key })).status).toBe(200);
    service.child.kill('SIGTERM');
    await expect.poll(() => isRefused(service.base)).toBe(true);
    expect(service.child.exitCode).toBeNull();
    service.child.kill('SIGTERM');
    await over.closed;
    expect(await service.ended).toMatchObject({ code: 1, signal: null });
  });
});
