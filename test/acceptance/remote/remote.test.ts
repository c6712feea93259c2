import { readdir } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newBaseFarm } from '../../base-farm.ts';
import {
  jsonReaction,
  STUB_COMPANY,
  STUB_LOGGED,
  type StubService,
  startStubService,
} from '../../remote/stub-service.ts';
import { newFolder } from '../../temporary-places.ts';
import { connectOverHttp, mcpUrl } from '../mcp/http/mcp-http-client.ts';
import { bodyOf, firstText, refusalOf, startStdioServer } from '../mcp-session.ts';
import { portForRestarts, runCommand } from '../program.ts';
import { startRestService, startServing } from '../rest-service.ts';

const KEY = 'acequia_key-of-the-acceptance-test';
const EVENTS = '/v1/modules/1/irrigation/events';
const POST_EVENT = `POST ${EVENTS}`;
const GET_DOCUMENT = 'GET /v1/openapi.json';
const WATERING_WORDS = ['module=North 1', 'startedAt=today 8:00', 'inputMode=duration', 'durationMin=20'];
const WATERING = { module: 'North 1', startedAt: 'today 6:00', inputMode: 'duration', durationMin: 40, detail: 'full' };

let stub: StubService;

beforeEach(async () => {
  stub = await startStubService(`http://127.0.0.1:${await portForRestarts()}`);
});
afterEach(async () => {
  await stub.close().catch(() => undefined);
});

const serveRemote = (url = stub.url) =>
  startStdioServer(['mcp', '--remote', url, '--log-level', 'trace'], { ACEQUIA_API_KEY: KEY });

describe('the tools with a remote service', () => {
  it('send the key in its header alone, and return the answer of the service', async () => {
    stub.on(POST_EVENT, jsonReaction(STUB_LOGGED, 201));
    const server = await serveRemote();
    await server.client.listTools();
    const answer = await server.call('log_watering', WATERING);
    expect(bodyOf(answer)).toMatchObject(STUB_LOGGED);
    expect(firstText(answer)).toContain('North 1, today 06:00 to 06:40 (Europe/Paris)');
    expect(stub.requests.every(({ headers }) => headers['x-api-key'] === KEY)).toBe(true);
    expect(JSON.stringify(answer) + server.stderr()).not.toContain(KEY);
  });

  it('are those that its openapi.json names, with openWorldHint', async () => {
    stub.on(
      GET_DOCUMENT,
      jsonReaction({ paths: { '/company': { get: {} }, '/modules/{id}/irrigation/events': { post: {} } } }),
    );
    const { client } = await serveRemote();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual(['get_company', 'log_watering']);
    expect(tools.every(({ annotations }) => annotations?.openWorldHint === true)).toBe(true);
    expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual(['acequia://company']);
    expect((await client.listResourceTemplates()).resourceTemplates.map(({ name }) => name)).toEqual(['skills']);
    expect(stub.requestsTo('/v1/openapi.json')).toHaveLength(1);
  });

  it('return unknown codes and fields within their output schemas', async () => {
    stub.on(
      POST_EVENT,
      jsonReaction({ ...STUB_LOGGED, event: { ...STUB_LOGGED.event, source: 'satellite', extra: 1 } }, 201),
    );
    const server = await serveRemote();
    await server.client.listTools();
    expect(bodyOf(await server.call('log_watering', WATERING)).event.source).toBe('satellite');
  });

  it('read resources and complete names, and open no store', async () => {
    const data = await newFolder();
    const env = { ACEQUIA_API_KEY: KEY, XDG_DATA_HOME: data, HOME: data };
    const { client } = await startStdioServer(['--remote', stub.url], env);
    const [content] = (await client.readResource({ uri: 'acequia://company' })).contents;
    expect(JSON.parse((content as { text: string }).text)).toEqual(STUB_COMPANY);
    const ref = { type: 'ref/resource', uri: 'acequia://modules/{module}' } as const;
    const { completion } = await client.complete({ ref, argument: { name: 'module', value: 'north' } });
    expect(completion.values).toEqual(['North 1', 'North 2']);
    expect(await readdir(data, { recursive: true })).toEqual([]);
  });

  it('answer immediately while the service is down, and work when it is back', async () => {
    const { url } = stub;
    await stub.close();
    const server = await serveRemote(url);
    expect((await server.client.listTools()).tools.length).toBeGreaterThan(10);
    const answer = await server.call('log_watering', WATERING);
    expect(refusalOf(answer)).toMatchObject({ code: 'REMOTE_UNREACHABLE', status: 503 });
    expect(refusalOf(answer).hint).toContain('Nothing was written');
    expect(JSON.stringify(answer)).not.toContain(KEY);
    stub = await startStubService(url);
    stub.on(POST_EVENT, jsonReaction(STUB_LOGGED, 201));
    expect(bodyOf(await server.call('log_watering', WATERING))).toMatchObject(STUB_LOGGED);
  });
});

it('acequia serve calls no service, and forwards no key', async () => {
  const env = { ACEQUIA_REMOTE_URL: stub.url, ACEQUIA_API_KEY: KEY };
  const service = await startServing(await newBaseFarm(), [], { env });
  const headers = { 'x-api-key': await service.newKey() };
  const session = await connectOverHttp(mcpUrl(service.base), headers);
  expect(bodyOf(await session.call('list_modules')).data).toHaveLength(4);
  expect(stub.requests).toEqual([]);
});

describe('an address without /v1', () => {
  it('finds the service by its openapi.json for reads, writes and the list of tools, and names the correct address', async () => {
    const { base, newKey } = await startRestService();
    const origin = base.replace('/v1', '');
    const env = { ACEQUIA_API_KEY: await newKey() };
    const server = await startStdioServer(['mcp', '--remote', origin], env);
    const { tools } = await server.client.listTools();
    expect(tools.map(({ name }) => name)).toContain('log_watering');
    expect(bodyOf(await server.call('log_watering', WATERING)).event.durationMin).toBe(40);
    expect(bodyOf(await server.call('list_modules')).data).toHaveLength(4);
    expect(server.stderr()).toContain(base);
    const written = await runCommand(['call', 'log_watering', ...WATERING_WORDS, '--remote', `${origin}/`], { env });
    expect(written).toMatchObject({
      code: 0,
      stderr: `The service is at ${base}, not at ${origin}/: use that address.\n`,
    });
  });

  it('of another server is refused with what to check', async () => {
    stub.on('GET /v1/company', jsonReaction({}, 404));
    const result = await runCommand(['call', 'get_company', '--remote', stub.url.replace('/v1', '/songs')]);
    expect(result).toMatchObject({ code: 1, stdout: '' });
    expect(result.stderr).not.toContain('The service is at');
  });
});

describe('--remote', () => {
  it('with --db, or with an invalid address, is wrong usage', async () => {
    expect(await runCommand(['mcp', '--remote', stub.url, '--db', 'x.db'])).toMatchObject({ code: 2 });
    for (const address of ['ftp://example.org/v1', 'example.org', 'http://user:secret@example.org/v1'])
      expect((await runCommand(['mcp', '--remote', address])).code).toBe(2);
  });

  it('in the environment is overridden by --db on the command line', async () => {
    const server = await startStdioServer(['--db', await newBaseFarm()], { ACEQUIA_REMOTE_URL: stub.url });
    expect(bodyOf(await server.call('list_parcels')).data).toHaveLength(2);
    expect(stub.requests).toEqual([]);
  });
});
