import { readdir } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newBaseFarm } from '../../base-farm.ts';
import { runInProcess } from '../../in-process-command.ts';
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
import { CLOCK, portForRestarts } from '../program.ts';
import { startServing } from '../rest-service.ts';

const KEY = 'acequia_key-of-the-acceptance-test';
const EVENTS = '/v1/modules/1/irrigation/events';
const POST_EVENT = `POST ${EVENTS}`;
const GET_DOCUMENT = 'GET /v1/openapi.json';
const WATERING_WORDS = [
  'module=North 1',
  'startedAt=today 8:00',
  'inputMode=duration',
  'durationMin=20',
];
const WATERING = {
  module: 'North 1',
  startedAt: 'today 6:00',
  inputMode: 'duration',
  durationMin: 40,
  detail: 'full',
};

let stub: StubService;

beforeEach(async () => {
  stub = await startStubService(`http://127.0.0.1:${await portForRestarts()}`);
});
afterEach(async () => {
  await stub.close().catch(() => undefined);
});

const serveRemote = (env: Record<string, string> = {}) =>
  startStdioServer(['mcp', '--remote', stub.url, '--log-level', 'trace'], {
    ACEQUIA_API_KEY: KEY,
    ...env,
  });

describe('the tools with a remote service', () => {
  it('are those that its openapi.json names, with openWorldHint, and open no store', async () => {
    const paths = {
      '/company': { get: {} },
      '/modules': { get: {} },
      '/modules/{id}/irrigation/events': { post: {} },
    };
    stub.on(GET_DOCUMENT, jsonReaction({ paths }));
    const data = await newFolder();
    const { client } = await serveRemote({ XDG_DATA_HOME: data, HOME: data });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual([
      'get_company',
      'list_modules',
      'log_watering',
    ]);
    expect(tools.every(({ annotations }) => annotations?.openWorldHint === true)).toBe(true);
    expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual([
      'acequia://company',
    ]);
    const [content] = (await client.readResource({ uri: 'acequia://company' })).contents;
    expect(JSON.parse((content as { text: string }).text)).toEqual(STUB_COMPANY);
    const ref = { type: 'ref/resource', uri: 'acequia://modules/{module}' } as const;
    const { completion } = await client.complete({
      ref,
      argument: { name: 'module', value: 'north' },
    });
    expect(completion.values).toEqual(['North 1', 'North 2']);
    expect(stub.requestsTo('/v1/openapi.json')).toHaveLength(1);
    expect(await readdir(data, { recursive: true })).toEqual([]);
  });

  it('answer immediately while the service is down, and work when it is back, with the key in its header alone', async () => {
    await stub.close();
    const server = await serveRemote();
    expect((await server.client.listTools()).tools.length).toBeGreaterThan(10);
    const failed = await server.call('log_watering', WATERING);
    expect(refusalOf(failed)).toMatchObject({ code: 'REMOTE_UNREACHABLE', status: 503 });
    expect(refusalOf(failed).hint).toContain('Nothing was written');

    stub = await startStubService(stub.url);
    const event = { ...STUB_LOGGED.event, source: 'satellite', extra: 1 };
    stub.on(
      POST_EVENT,
      jsonReaction(STUB_LOGGED, 201),
      jsonReaction({ ...STUB_LOGGED, event }, 201),
    );
    const logged = await server.call('log_watering', WATERING);
    expect(bodyOf(logged)).toMatchObject(STUB_LOGGED);
    expect(firstText(logged)).toContain('North 1, today 06:00 to 06:40 (Europe/Paris)');
    expect(stub.requests.every(({ headers }) => headers['x-api-key'] === KEY)).toBe(true);
    expect(JSON.stringify([failed, logged]) + server.stderr()).not.toContain(KEY);
    // An unknown code and field are within the output schema, which the client checks.
    expect(bodyOf(await server.call('log_watering', WATERING)).event.source).toBe('satellite');
  });
});

describe('an address without /v1', () => {
  it('finds the service by its openapi.json, and names the correct address; the service itself calls no other', async () => {
    const service = await startServing(await newBaseFarm(), ['--clock', CLOCK], {
      env: { ACEQUIA_REMOTE_URL: stub.url, ACEQUIA_API_KEY: KEY },
    });
    const { base } = service;
    const origin = base.replace('/v1', '');
    const key = await service.newKey();
    const env = { ACEQUIA_API_KEY: key };
    const server = await startStdioServer(['mcp', '--remote', origin], env);
    const { tools } = await server.client.listTools();
    expect(tools.map(({ name }) => name)).toContain('log_watering');
    expect(bodyOf(await server.call('log_watering', WATERING)).event.durationMin).toBe(40);
    expect(bodyOf(await server.call('list_modules')).data).toHaveLength(4);
    await expect.poll(() => server.stderr()).toContain(base);
    const written = await runInProcess(
      ['call', 'log_watering', ...WATERING_WORDS, '--remote', `${origin}/`],
      { env },
    );
    expect(written).toMatchObject({
      code: 0,
      stderr: `The service is at ${base}, not at ${origin}/: use that address.\n`,
    });

    const overHttp = await connectOverHttp(mcpUrl(base), { 'x-api-key': key });
    expect(bodyOf(await overHttp.call('list_modules')).data).toHaveLength(4);
    expect(stub.requests).toEqual([]);
  });

  it('of another server is refused with what to check', async () => {
    stub.on('GET /v1/company', jsonReaction({}, 404));
    const result = await runInProcess([
      'call',
      'get_company',
      '--remote',
      stub.url.replace('/v1', '/songs'),
    ]);
    expect(result).toMatchObject({ code: 1, stdout: '' });
    expect(result.stderr).not.toContain('The service is at');
  });
});

describe('--remote', () => {
  it('with --db, or with an invalid address, is wrong usage', async () => {
    expect(await runInProcess(['mcp', '--remote', stub.url, '--db', 'x.db'])).toMatchObject({
      code: 2,
    });
    for (const address of [
      'ftp://example.org/v1',
      'example.org',
      'http://user:secret@example.org/v1',
    ])
      expect((await runInProcess(['mcp', '--remote', address])).code).toBe(2);
  });

  it('in the environment is overridden by --db on the command line', async () => {
    const words = ['call', 'list_parcels', '--json', '--db', await newBaseFarm()];
    const { stdout } = await runInProcess(words, { env: { ACEQUIA_REMOTE_URL: stub.url } });
    expect(JSON.parse(stdout).data).toHaveLength(2);
    expect(stub.requests).toEqual([]);
  });
});
