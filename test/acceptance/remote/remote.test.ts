import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { tools as operations } from '../../../tools/index.ts';
import { newBaseFarm } from '../../base-farm.ts';
import {
  endlessBody,
  jsonReaction,
  neverAnswers,
  resetConnection,
  STUB_COMPANY,
  STUB_LOGGED,
  type StubService,
  startStubService,
  textReaction,
} from '../../remote/stub-service.ts';
import { newFolder } from '../../temporary-places.ts';
import { bodyOf, firstText, refusalOf, startStdioServer } from '../mcp-session.ts';
import { BINARY, CLOCK, runProgram } from '../program.ts';
import { connectRaw } from '../raw-server.ts';
import { createTestKey } from '../rest-service.ts';

const KEY = 'acequia_key-of-the-acceptance-test';
const EVENTS = '/v1/modules/1/irrigation/events';
const POST_EVENT = `POST ${EVENTS}`;
const GET_DOCUMENT = 'GET /v1/openapi.json';
const WATERING = { module: 'North 1', startedAt: 'today 6:00', inputMode: 'duration', durationMin: 40 };

let stub: StubService;
const cleanups: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  stub = await startStubService();
});
afterEach(async () => {
  for (const each of cleanups.splice(0)) await each();
  await stub.close().catch(() => undefined);
});

const serveRemote = (url = stub.url) =>
  startStdioServer(['mcp', '--remote', url, '--log-level', 'trace'], { ACEQUIA_API_KEY: KEY });

/** The Idempotency-Keys of the writes that came. */
const keysSent = () => stub.requestsTo(EVENTS).map(({ headers }) => headers['idempotency-key']);

/** The exit code and the output. */
const runProgramOnce = (...args: string[]) =>
  runProgram(...args).then(
    ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
    ({ code, stdout, stderr }) => ({ code, output: stdout + stderr }),
  );

describe('the tools with a remote service', () => {
  it('send the key in its header alone, and answer with what it answered', async () => {
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
    expect((await client.listResourceTemplates()).resourceTemplates).toEqual([]);
    expect(stub.requestsTo('/v1/openapi.json')).toHaveLength(1);
  });

  it('are all of them if the document does not come, which is not waited for long', async () => {
    stub.on(GET_DOCUMENT, neverAnswers);
    const { client } = await serveRemote();
    expect(stub.requests).toEqual([]);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(operations.map(({ name }) => name));
  });

  it('accept unknown codes and fields against the schemas that they list', async () => {
    stub.on(
      POST_EVENT,
      jsonReaction({ ...STUB_LOGGED, event: { ...STUB_LOGGED.event, source: 'satellite', extra: 1 } }, 201),
    );
    const server = await serveRemote();
    await server.client.listTools();
    expect(bodyOf(await server.call('log_watering', WATERING)).event.source).toBe('satellite');
  });

  it('read a resource there', async () => {
    const { client } = await serveRemote();
    const [content] = (await client.readResource({ uri: 'acequia://company' })).contents;
    expect(JSON.parse((content as { text: string }).text)).toEqual(STUB_COMPANY);
  });

  it('complete names from its lists', async () => {
    const { client } = await serveRemote();
    const ref = { type: 'ref/resource', uri: 'acequia://modules/{module}' } as const;
    const { completion } = await client.complete({ ref, argument: { name: 'module', value: 'north' } });
    expect(completion.values).toEqual(['North 1', 'North 2']);
  });

  it('answer at once while it is down, and work when it is back', async () => {
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

  it('do not open a store', async () => {
    const data = await newFolder();
    const server = await startStdioServer(['--remote', stub.url], {
      ACEQUIA_API_KEY: KEY,
      XDG_DATA_HOME: data,
      HOME: data,
    });
    expect(bodyOf(await server.call('get_company')).name).toBe('Mas Rouge');
    expect(await readdir(data, { recursive: true })).toEqual([]);
  });
});

describe('a hostile service', () => {
  it.each([
    ['HTML', textReaction('<html><body>Sign in</body></html>', 200)],
    ['JSON cut short', textReaction('{"event": {"id"', 201, 'application/json')],
    ['a body that never ends', endlessBody('x'.repeat(100_000))],
  ])('that answers %s gives a clear error, and one write was sent', async (_, reaction) => {
    stub.on(POST_EVENT, reaction);
    const refusal = refusalOf(await (await serveRemote()).call('log_watering', { ...WATERING, idempotencyKey: 'k' }));
    expect(refusal).toMatchObject({ code: 'REMOTE_INVALID', status: 502 });
    expect(refusal.hint).toContain('idempotencyKey "k"');
    expect(keysSent()).toEqual(['k']);
  });

  it('that redirects does not get the key anywhere else', async () => {
    const elsewhere = await startStubService();
    cleanups.push(elsewhere.close);
    stub.on(POST_EVENT, (response) => response.writeHead(308, { location: elsewhere.url }).end());
    const refusal = refusalOf(await (await serveRemote()).call('log_watering', WATERING));
    expect(refusal.message).toContain(new URL(elsewhere.url).origin);
    expect(elsewhere.requests).toEqual([]);
    expect(keysSent()).toHaveLength(1);
  });

  it('that does not answer is given up before the client gives up', { timeout: 40_000 }, async () => {
    stub.on(POST_EVENT, neverAnswers);
    const refusal = refusalOf(await (await serveRemote()).call('log_watering', WATERING));
    expect(refusal).toMatchObject({ code: 'REMOTE_TIMEOUT', status: 504 });
    expect(refusal.hint).toContain(`idempotencyKey "${keysSent()[0]}"`);
    expect(keysSent()).toHaveLength(1);
  });

  it.each([
    ['resets after the request', resetConnection],
    ['answers 429', jsonReaction({ code: 'rate_limited' }, 429, { 'retry-after': '1' })],
    ['answers 503', jsonReaction({}, 503, { 'retry-after': '1' })],
  ])('that %s gets the same request again under the same key', async (_, reaction) => {
    stub.on(POST_EVENT, reaction, jsonReaction(STUB_LOGGED, 201));
    expect(bodyOf(await (await serveRemote()).call('log_watering', WATERING))).toMatchObject(STUB_LOGGED);
    const [first, second] = stub.requestsTo(EVENTS);
    expect(second!.headers['idempotency-key']).toBe(first!.headers['idempotency-key']);
    expect(first!.headers['idempotency-key']).toBeTruthy();
    expect(second!.body).toBe(first!.body);
  });

  it('that refuses is not asked again', async () => {
    stub.on(
      POST_EVENT,
      jsonReaction({ code: 'INVALID_DURATION', detail: 'No.', hint: 'Ask.', field: 'durationMin' }, 400),
    );
    const refusal = refusalOf(await (await serveRemote()).call('log_watering', WATERING));
    expect(refusal).toEqual({
      code: 'INVALID_DURATION',
      status: 400,
      message: 'No.',
      hint: 'Ask.',
      field: 'durationMin',
    });
    expect(keysSent()).toHaveLength(1);
  });
});

describe('--remote', () => {
  it('with --db, or with an invalid address, is wrong usage', async () => {
    expect(await runProgramOnce('mcp', '--remote', stub.url, '--db', 'x.db')).toMatchObject({ code: 2 });
    for (const address of ['ftp://example.org/v1', 'example.org', 'http://user:secret@example.org/v1'])
      expect((await runProgramOnce('mcp', '--remote', address)).code).toBe(2);
  });

  it('in the environment yields to --db on the command line', async () => {
    const server = await startStdioServer(['--db', await newBaseFarm()], { ACEQUIA_REMOTE_URL: stub.url });
    expect(bodyOf(await server.call('list_parcels')).data).toHaveLength(2);
    expect(stub.requests).toEqual([]);
  });
});

/** "acequia serve" on a store; resolves to its base address. */
async function serveStore(db: string): Promise<string> {
  const args = [BINARY, 'serve', '--port', '0', '--db', db, '--clock', CLOCK];
  const child: ChildProcess = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  cleanups.push(async () => {
    if (child.exitCode === null && child.kill()) await once(child, 'exit');
  });
  for await (const line of createInterface({ input: child.stdout! })) {
    const [, url] = /^Serving on (http\S+)$/.exec(line) ?? [];
    if (url) return url;
  }
  throw new Error('acequia serve ended');
}

describe('against acequia serve', () => {
  it('all tools are offered, and answer as on the store itself', async () => {
    const db = await newBaseFarm();
    const { key } = await createTestKey(db, '--surface', 'mcp');
    const far = await startStdioServer(['--remote', await serveStore(db)], { ACEQUIA_API_KEY: key });
    const near = await connectRaw(await newBaseFarm());
    const local = async (name: string, args: object) => (await near.answer(near.call(name, args))).result;
    expect((await far.client.listTools()).tools.map(({ name }) => name)).toEqual(operations.map(({ name }) => name));
    const calls: [string, object][] = [
      ['list_modules', {}],
      ['log_watering', { ...WATERING, idempotencyKey: 'entry' }],
      ['log_watering', { ...WATERING, idempotencyKey: 'entry' }],
      ['log_watering', { ...WATERING, durationMin: 50, idempotencyKey: 'entry' }],
      ['log_watering', { ...WATERING, module: 'West 3' }],
      ['list_waterings', { module: 'North 1' }],
      ['get_irrigation_setup', { module: 'North 2' }],
      ['get_module_health', { module: 'South 1' }],
      [
        'correct_watering',
        { eventId: 1, startedAt: 'today 6:30', inputMode: 'depth_mm', inputDepthMm: 4, clear: ['note'] },
      ],
      [
        'set_module_installation',
        { module: 'South 1', system: 'drip', flowMmPerH: 3, effectiveFrom: '2026-05-01 08:00' },
      ],
      ['recompute_doses', { module: 'South 1' }],
      ['set_soil_profile', { parcel: 'South', layers: [{ soilHorizonId: 6, depthTopCm: 0, depthBottomCm: 60 }] }],
      ['get_soil_profile', { parcel: 'South' }],
      ['list_soil_horizons', { lang: 'fr' }],
      ['get_moisture_series', { module: 'North 1', start: '1 June 2026 0:00', depths: true }],
      [
        'create_schedule',
        {
          parcel: 'North block',
          freq: 'weekly',
          weekdays: [1, 4],
          startTimes: ['06:00'],
          startsOn: '2026-07-01',
          timezone: 'Europe/Paris',
          inputMode: 'duration',
          durationMin: 30,
        },
      ],
      ['list_schedules', { parcel: 'North block' }],
      ['delete_annotation', { annotationId: '00000000-0000-4000-8000-000000000001' }],
      ['get_module', { module: '99' }],
      ['list_parcels', { limit: 1, detail: 'full' }],
    ];
    for (const [name, args] of calls) {
      const [there, here] = [await far.call(name, args as Record<string, unknown>), await local(name, args)];
      expect([name, there.isError, withoutIds(there)]).toEqual([name, here.isError, withoutIds(here)]);
    }
  });
});

/** An answer without what no two runs share: instants of writing, and the running clock in words. */
const withoutIds = ({ structuredContent, _meta }: { structuredContent?: unknown; _meta?: unknown }): unknown =>
  JSON.parse(
    JSON.stringify({ structuredContent, _meta }, (key, value) =>
      [
        'summary',
        'createdAt',
        'verifiedAt',
        'computedAt',
        'setAt',
        'timestamp_start',
        'end',
        'materializedUntil',
      ].includes(key)
        ? undefined
        : value,
    ),
  );
