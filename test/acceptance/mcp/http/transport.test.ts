import { beforeAll, describe, expect, it } from 'vitest';
import { NEWER_REVISION, SPOKEN_REVISIONS } from '../../../../src/mcp/protocol.ts';
import { WATERING } from '../../../base-farm.ts';
import { type RestService, sharedRestService, startRestService } from '../../rest-service.ts';
import {
  INITIALIZE_REQUEST,
  type McpHttpRequest,
  type McpHttpResponse,
  mcpUrl,
  postMcp,
  rpcRequest,
  toolCallRequest,
} from './mcp-http-client.ts';

type PostMessage = (request: McpHttpRequest) => Promise<McpHttpResponse>;

const postWith =
  (url: URL, key: string): PostMessage =>
  ({ headers, ...rest }) =>
    postMcp(url, { ...rest, headers: { 'x-api-key': key, ...headers } });

const farm = sharedRestService();
let url: URL;
let key: string;
let ask: PostMessage;

beforeAll(async () => {
  key = await farm().newKey();
  url = mcpUrl(farm().base);
  ask = postWith(url, key);
});

async function serviceWith(
  ...options: string[]
): Promise<{ service: RestService; key: string; ask: PostMessage }> {
  const service = await startRestService(...options);
  const own = await service.newKey();
  return { service, key: own, ask: postWith(mcpUrl(service.base), own) };
}

describe('a message', () => {
  it('is answered with JSON that is not cached, without a session', async () => {
    const { status, headers, body } = await ask({ body: INITIALIZE_REQUEST });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: 1,
      result: { protocolVersion: '2025-11-25', serverInfo: { name: 'acequia' } },
    });
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'no-store',
    });
    expect(headers).not.toHaveProperty('mcp-session-id');
    expect(headers).not.toHaveProperty('access-control-allow-origin');
  });

  it.each([
    ['a notification', { jsonrpc: '2.0', method: 'notifications/initialized' }],
    ['an unexpected answer', { jsonrpc: '2.0', id: 7, result: {} }],
  ])('that is %s is accepted with 202', async (_, body) => {
    expect(await ask({ body })).toMatchObject({ status: 202, text: '' });
  });

  it('may have its arguments as JSON text, but not as an array', async () => {
    const args = {
      module: 'North 1',
      startedAt: '2026-07-01 06:00',
      inputMode: 'duration',
      durationMin: '45',
    };
    for (const request of [args, JSON.stringify(args)]) {
      const { body } = await ask({ body: toolCallRequest('log_watering', request) });
      expect(body.result.structuredContent.event).toMatchObject({ durationMin: 45, waterMm: 2.4 });
    }
    const { status, body } = await ask({ body: toolCallRequest('log_watering', [args]) });
    expect([status, body.result.isError]).toEqual([200, true]);
  });

  it.each([
    ['invalid JSON', '{"jsonrpc"', -32700],
    ['no body', '', -32600],
    ['an object that is not a message', { hello: 'there' }, -32600],
    ['several messages', [rpcRequest('ping')], -32600],
  ])('with %s gets a JSON-RPC error', async (_, body, code) => {
    const answer = await ask({ body });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({
      jsonrpc: '2.0',
      id: null,
      error: { code, message: expect.any(String) },
    });
  });

  it.each([
    ['2026-07-28', 400, -32602],
    ['2025-11-25', 200, -32601],
    ['2099-01-01', 400, -32022],
  ])(
    'that discovers the server without saying who asks, with the header %s, has status %i and code %i',
    async (version, status, code) => {
      const answer = await ask({
        headers: { 'mcp-protocol-version': version },
        body: rpcRequest('server/discover', {}, 'probe'),
      });
      expect([answer.status, answer.body.id, answer.body.error.code]).toEqual([
        status,
        'probe',
        code,
      ]);
    },
  );

  it('in an unsupported protocol has an error with the supported ones, except initialize', async () => {
    const headers = { 'mcp-protocol-version': '1999-01-01' };
    const { status, body } = await ask({ headers, body: rpcRequest('tools/list', {}, 'a') });
    expect([status, body.id, body.error.code]).toEqual([400, 'a', -32000]);
    expect(body.error.message).toMatch(/"1999-01-01".*2025-11-25/);
    expect((await ask({ headers, body: INITIALIZE_REQUEST })).status).toBe(200);
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2099-01-01',
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const claimed = await ask({ body: toolCallRequest('log_watering', WATERING, { _meta: meta }) });
    expect([claimed.status, claimed.body.error]).toMatchObject([
      400,
      { code: -32022, data: { supported: [NEWER_REVISION] } },
    ]);
    const unknown = await ask({
      headers: { 'mcp-protocol-version': '2099-01-01' },
      body: rpcRequest('tools/list'),
    });
    expect([unknown.status, unknown.body.error]).toMatchObject([
      400,
      { code: -32022, data: { supported: SPOKEN_REVISIONS, requested: '2099-01-01' } },
    ]);
    const supported = {
      headers: { 'mcp-protocol-version': '2025-03-26' },
      body: rpcRequest('ping'),
    };
    expect((await ask(supported)).status).toBe(200);
  });

  it.each([
    ['application/json', 200, 'application/json'],
    ['*/*', 200, 'application/json'],
    ['application/json, text/event-stream', 200, 'application/json'],
    ['text/event-stream', 200, 'text/event-stream'],
    ['text/event-stream, application/json;q=0', 200, 'text/event-stream'],
    ['text/html', 406, 'application/problem+json'],
  ])('for a client that accepts %s has status %i and type %s', async (accept, status, type) => {
    const answer = await ask({ headers: { accept }, body: rpcRequest('ping') });
    expect(answer).toMatchObject({ status, headers: { 'content-type': type } });
    if (type === 'text/event-stream')
      expect(answer.text).toBe('event: message\ndata: {"result":{},"jsonrpc":"2.0","id":1}\n\n');
  });

  it('counts against the same rate limit as REST', async () => {
    const { service, key, ask } = await serviceWith('--rate-limit', '2', '--rate-burst', '2');
    expect((await ask({ body: rpcRequest('ping') })).headers['ratelimit-remaining']).toBe('1');
    expect((await service.request('GET', '/company', { key })).status).toBe(200);
    const answer = await ask({ body: rpcRequest('ping') });
    expect(answer).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  });

  it.each([
    [
      'larger than the limit',
      { body: `{"a":"${'a'.repeat(1_048_576)}"}` },
      413,
      'payload_too_large',
    ],
    [
      'of another type',
      { headers: { 'content-type': 'text/plain' }, body: '{}' },
      415,
      'unsupported_media_type',
    ],
    [
      'compressed',
      { headers: { 'content-encoding': 'gzip' }, body: '{}' },
      415,
      'unsupported_media_type',
    ],
    [
      'with large headers',
      { headers: { 'x-long': 'a'.repeat(20_000) }, body: '{}' },
      431,
      'headers_too_large',
    ],
  ])('%s is refused', async (_, request, status, code) => {
    expect(await ask(request)).toMatchObject({ status, body: { code } });
  });

  it('nested too deep is refused', async () => {
    const { status, body } = await ask({ body: `${'['.repeat(40)}${']'.repeat(40)}` });
    expect([status, body.error.code]).toEqual([400, -32700]);
    expect(body.error.message).toContain('32 levels');
  });

  it.each([
    [
      'names',
      JSON.stringify(
        Object.fromEntries(Array.from({ length: 10_001 }, (_, n) => [`name ${n}`, 1])),
      ),
    ],
    ['items', JSON.stringify(Array(10_001).fill('a, b'))],
    ['lists within each other', JSON.stringify(Array(5_001).fill([[]]))],
  ])('with more than 10,000 values is refused before it is parsed: %s', async (_, params) => {
    const { status, body } = await ask({
      body: `{"jsonrpc":"2.0","id":1,"method":"ping","params":${params}}`,
    });
    expect([status, body.error.code, body.id]).toEqual([400, -32700, null]);
    expect(body.error.message).toContain('10000 values');
  });
});

describe('a key', () => {
  it.each([
    ['in x-api-key', (key: string) => ({ 'x-api-key': key })],
    ['as a bearer token', (key: string) => ({ authorization: `Bearer ${key}` })],
    [
      'as a bearer token, spelled otherwise',
      (key: string) => ({ authorization: `bearer  ${key} ` }),
    ],
  ])('%s is accepted', async (_, headersOf) => {
    expect((await postMcp(url, { headers: headersOf(key), body: rpcRequest('ping') })).status).toBe(
      200,
    );
  });

  it.each([
    ['none', {}, 'Bearer realm="acequia"'],
    [
      'an unknown one',
      { 'x-api-key': 'acequia_none' },
      'Bearer realm="acequia", error="invalid_token"',
    ],
    [
      'an unknown token',
      { authorization: 'Bearer none' },
      'Bearer realm="acequia", error="invalid_token"',
    ],
    ['a password', { authorization: 'Basic YTpi' }, 'Bearer realm="acequia"'],
  ])(
    'that is %s is refused before the body is read, with a challenge',
    async (_, headers, challenge) => {
      for (const body of [INITIALIZE_REQUEST, '{not JSON']) {
        const answer = await postMcp(url, { headers, body });
        expect(answer).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
        expect(answer.headers['www-authenticate']).toBe(challenge);
      }
    },
  );
});

describe('the address', () => {
  it.each(['GET', 'DELETE', 'PUT', 'HEAD'])('has no %s', async (method) => {
    expect(await ask({ method })).toMatchObject({
      status: 405,
      headers: { allow: 'OPTIONS, POST' },
    });
  });

  it.each([
    ['another host', { host: 'evil.example.com' }, 403],
    ['an invalid host', { host: 'user@localhost' }, 400],
    ['localhost', { host: 'localhost:1234' }, 200],
    ['a page of another port', { origin: 'http://localhost:3000', host: 'localhost:8383' }, 403],
    ['a page of its own', { origin: 'http://localhost:8383', host: 'localhost:8383' }, 200],
  ])('answers %s (%j) with %i', async (_, headers, status) => {
    const answer = await ask({
      headers: headers as Record<string, string>,
      body: rpcRequest('ping'),
    });
    expect(answer.status).toBe(status);
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
  });

  it('refuses other hosts and origins for every method, and names the setting', async () => {
    for (const method of ['GET', 'POST', 'OPTIONS', 'DELETE']) {
      const host = await postMcp(url, { method, headers: { host: 'evil.example.com' } });
      expect(host).toMatchObject({ status: 403, body: { code: 'forbidden_host' } });
      expect(host.body.hint).toContain('--allowed-hosts');
      const origin = await postMcp(url, {
        method,
        headers: { origin: 'https://evil.example.com' },
      });
      expect(origin).toMatchObject({ status: 403, body: { code: 'forbidden_origin' } });
      expect(origin.body.hint).toContain('--allowed-origins');
    }
  });

  it('accepts the hosts of --allowed-hosts, with their port if they have one, and the pages of --allowed-origins', async () => {
    const hosts = 'Water.example.org, farm.example:8443, 127.0.0.1';
    const origins = 'https://App.example.org/,https://b.example';
    const { ask } = await serviceWith('--allowed-hosts', hosts, '--allowed-origins', origins);
    const statusOf = async (host: string) =>
      (await ask({ headers: { host }, body: rpcRequest('ping') })).status;
    expect(await statusOf('water.example.org')).toBe(200);
    expect(await statusOf('WATER.example.org:8443')).toBe(200);
    expect(await statusOf('farm.example:8443')).toBe(200);
    expect(await statusOf('farm.example')).toBe(403);
    const headers = { origin: 'https://app.example.org' };
    const preflight = {
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'x-api-key',
    };
    const before = await ask({ method: 'OPTIONS', headers: { ...headers, ...preflight } });
    expect(before).toMatchObject({
      status: 204,
      headers: {
        'access-control-allow-origin': 'https://app.example.org',
        'access-control-allow-methods': 'POST',
        'access-control-allow-headers': 'x-api-key',
        vary: 'Origin',
      },
    });
    const answer = await ask({ headers, body: rpcRequest('ping') });
    expect(answer).toMatchObject({
      status: 200,
      headers: { 'access-control-allow-origin': 'https://app.example.org' },
    });
    expect(
      (await ask({ headers: { origin: 'https://c.example' }, body: rpcRequest('ping') })).status,
    ).toBe(403);
  });
});
