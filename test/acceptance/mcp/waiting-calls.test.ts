import { request as httpRequest, type IncomingMessage } from 'node:http';
import { DatabaseSync } from '@photostructure/sqlite';
import { beforeAll, describe, expect, it } from 'vitest';
import { newBaseFarm, WATERING } from '../../base-farm.ts';
import { afterFile, afterTest } from '../../cleanup.ts';
import { importFarmFile } from '../../imported-data.ts';
import { bodyOf, refusalOf, serverArguments } from '../mcp-session.ts';
import { CLOCK, type Json } from '../program.ts';
import {
  cancelRequest,
  initializeRaw,
  isAnswered,
  type RawServer,
  startRawServer,
} from '../raw-server.ts';
import { countWaterings } from '../rest/raw-requests.ts';
import { serveStoreForTest, sharedRestService } from '../rest-service.ts';
import {
  connectOverHttp,
  mcpUrl,
  postMcp,
  rpcRequest,
  sseMessages,
  toolCallRequest,
} from './http/mcp-http-client.ts';

function holdWrites(place = db()): { release(): void } {
  const other = new DatabaseSync(place);
  afterTest(() => other.close());
  other.exec('begin immediate');
  return { release: () => other.exec('rollback') };
}

const callWithProgress = (raw: RawServer, name: string, args: object): number =>
  raw.send('tools/call', { name, arguments: args, _meta: { progressToken: `of ${name}` } });

const progressOf = (messages: readonly Json[]): Json[] =>
  messages.filter(({ method }) => method === 'notifications/progress').map(({ params }) => params);

const expectRising = (values: readonly number[]): void =>
  expect(values).toEqual([...new Set(values)].sort((a, b) => a - b));

const service = sharedRestService('--log-level', 'info');
const db = (): string => service().db;
let raw: RawServer;
let url: URL;
let headers: Record<string, string>;
/** Of two companies. */
const headersOf = async (company: string): Promise<Record<string, string>> => ({
  'x-api-key': await service().newKey('--company', company),
  'content-type': 'application/json',
});
const startRaw = (after?: typeof afterFile): RawServer =>
  startRawServer(serverArguments(db(), {}), {
    after,
    env: { ACEQUIA_API_KEY: headers['x-api-key']! },
  });
beforeAll(async () => {
  await importFarmFile(db(), {
    company: { name: 'Mas Bleu', timezone: 'Europe/Paris' },
    users: [{ email: 'bo@example.org', name: 'Bo', role: 'OWNER' }],
  });
  url = mcpUrl(service().base);
  headers = await headersOf('Mas Rouge');
  raw = await initializeRaw(startRaw(afterFile));
  await raw.answer(raw.call('get_company', {}));
});

/** How many waterings were written since. */
async function countNewWaterings(): Promise<() => Promise<number>> {
  const before = await countWaterings(db());
  return async () => (await countWaterings(db())) - before;
}

const NEWER_META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

describe('a call over standard input that waits for the store', () => {
  it('reports progress before its answer, if the client requested it', async () => {
    const before = raw.lines.length;
    const messages = () => raw.messages.slice(before);
    const { release } = holdWrites();
    const silent = raw.call('log_watering', WATERING);
    const id = callWithProgress(raw, 'set_module_placement', {
      module: 'North 1',
      emitterDistanceCm: 10,
    });
    await expect.poll(() => progressOf(messages()).length).toBeGreaterThan(1);
    release();
    bodyOf((await raw.answer(silent)).result);
    bodyOf((await raw.answer(id)).result);
    const progress = progressOf(messages());
    expect(new Set(progress.map(({ progressToken }) => progressToken))).toEqual(
      new Set(['of set_module_placement']),
    );
    expectRising(progress.map(({ progress: value }) => value));
    const lastProgress = messages().findLastIndex(
      ({ method }) => method === 'notifications/progress',
    );
    expect(lastProgress).toBeLessThan(messages().findIndex((message) => message.id === id));
  });

  it('writes nothing and has no answer once it is cancelled, and the next call with its key is written', async () => {
    const newWaterings = await countNewWaterings();
    const { release } = holdWrites();
    const args = { ...WATERING, idempotencyKey: 'cancelled' };
    const ids = [
      raw.call('log_watering', args),
      raw.call('log_watering', { ...WATERING, durationMin: 50 }),
    ];
    await raw.answer(raw.send('ping'));
    for (const id of ids) cancelRequest(raw, id);
    // An answered ping shows that earlier input has been read.
    await raw.answer(raw.send('ping'));
    release();
    const { result } = await raw.answer(raw.call('log_watering', args));
    expect([bodyOf(result).event.durationMin, result._meta]).toEqual([45, undefined]);
    expect(await newWaterings()).toBe(1);
    expect(ids.filter((id) => isAnswered(raw, id))).toEqual([]);
  });

  it('writes nothing once a client of revision 2026-07-28 cancels it', async () => {
    const newWaterings = await countNewWaterings();
    const raw = startRaw();
    const send = (name: string, args: object) =>
      raw.send('tools/call', {
        name,
        arguments: args,
        _meta: { ...NEWER_META, progressToken: name },
      });
    await raw.answer(send('get_company', {}));
    const { release } = holdWrites();
    const id = send('log_watering', WATERING);
    await expect.poll(() => progressOf(raw.messages).length).toBeGreaterThan(0);
    raw.notify('notifications/cancelled', { requestId: id, _meta: NEWER_META });
    await raw.answer(send('get_company', {}));
    release();
    bodyOf(
      (await raw.answer(send('set_module_placement', { module: 'North 1', emitterDistanceCm: 10 })))
        .result,
    );
    expect([await newWaterings(), isAnswered(raw, id)]).toEqual([0, false]);
    raw.child.stdin.end();
    expect(await raw.ended).toMatchObject({ code: 0, stderr: '' });
  });

  it('is not affected by the cancellation of an answered or unknown request', async () => {
    cancelRequest(raw, 2);
    cancelRequest(raw, 4711);
    expect(
      refusalOf((await raw.answer(raw.call('get_module', { module: 'none' }))).result).status,
    ).toBe(404);
  });
});

describe('a call over HTTP that waits for the store', () => {
  const WITH_PROGRESS = { _meta: { progressToken: 'mine' } };
  const LOG = toolCallRequest('log_watering', { ...WATERING, idempotencyKey: 'k' }, WITH_PROGRESS);

  async function firstEvent(url: URL, headers: Record<string, string>, body: object = LOG) {
    const accept = 'application/json, text/event-stream';
    const request = httpRequest(url, {
      method: 'POST',
      headers: { ...headers, accept },
      agent: false,
    });
    request.on('error', () => undefined);
    const response = new Promise<IncomingMessage>((resolve) => request.on('response', resolve));
    request.end(JSON.stringify(body));
    const incoming = await response;
    let text = '';
    incoming.setEncoding('utf8').on('error', () => undefined);
    const whole = new Promise<string>((resolve) => incoming.once('end', () => resolve(text)));
    await new Promise<void>((resolve) =>
      incoming.on('data', (part: string) => {
        text += part;
        resolve();
      }),
    );
    return { request, incoming, text, whole };
  }

  it('streams its progress as events, then its answer', async () => {
    const { release } = holdWrites();
    const { incoming, whole } = await firstEvent(url, headers);
    release();
    expect([incoming.statusCode, incoming.headers]).toMatchObject([
      200,
      { 'content-type': 'text/event-stream', 'cache-control': 'no-store' },
    ]);
    const messages = sseMessages(await whole);
    expect(messages.at(-1)).toMatchObject({
      id: 1,
      result: { structuredContent: { event: { durationMin: 45 } } },
    });
    const progress = progressOf(messages);
    expect(progress).toHaveLength(messages.length - 1);
    expectRising(progress.map(({ progress: value }) => value));
  });

  const NEWER_HEADERS = {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': 'log_watering',
  };
  it.each([
    ['an earlier revision', {}, {}],
    ['revision 2026-07-28', NEWER_HEADERS, NEWER_META],
  ])('writes nothing once its client has disconnected (%s)', async (_, more, meta) => {
    const newWaterings = await countNewWaterings();
    const { release } = holdWrites();
    const _meta = { ...WITH_PROGRESS._meta, ...meta };
    const body = toolCallRequest('log_watering', WATERING, { _meta });
    const { request, text } = await firstEvent(url, { ...headers, ...more }, body);
    expect(text).toContain('notifications/progress');
    request.destroy();
    // Once these are answered, the service has noticed the closed connection.
    for (let count = 0; count < 3; count++)
      await postMcp(url, { headers, body: rpcRequest('ping') });
    release();
    const placement = toolCallRequest('set_module_placement', {
      module: 'North 1',
      emitterDistanceCm: 10,
    });
    expect((await postMcp(url, { headers, body: placement })).body.result.isError).toBeUndefined();
    expect(await newWaterings()).toBe(0);
    expect(service().stderr()).not.toContain('unexpected failure');
  });

  const cancel = (url: URL, headers: Record<string, string>, requestId: unknown) =>
    postMcp(url, {
      headers,
      body: {
        jsonrpc: '2.0',
        method: 'notifications/cancelled',
        params: { requestId, reason: 'No longer needed' },
      },
    });

  const logCall = (id: number | string, more: object) => ({
    ...toolCallRequest('log_watering', { ...WATERING, ...more }, WITH_PROGRESS),
    id,
  });

  it('writes nothing once another request cancels it, in progress or before its turn', async () => {
    const newWaterings = await countNewWaterings();
    const { release } = holdWrites();
    const idempotency = { idempotencyKey: 'cancelled over HTTP' };
    const { text } = await firstEvent(url, headers, logCall(7, idempotency));
    expect(text).toContain('notifications/progress');
    await firstEvent(url, headers, logCall('eight', { durationMin: 50 }));
    // Two calls of a key are in progress at most.
    const waiting = postMcp(url, { headers, body: logCall(9, { durationMin: 55 }) });
    // Once these are answered, the service has read the earlier request.
    for (let count = 0; count < 3; count++) await cancel(url, headers, 'unknown');
    for (const id of [9, 7, 'eight'])
      expect(await cancel(url, headers, id)).toMatchObject({ status: 202, text: '' });
    expect(await waiting).toMatchObject({
      status: 200,
      headers: { 'content-type': 'text/event-stream' },
      text: '',
    });
    release();
    const { body } = await postMcp(url, {
      headers,
      body: toolCallRequest('log_watering', { ...WATERING, ...idempotency }),
    });
    expect([bodyOf(body.result).event.durationMin, body.result._meta]).toEqual([45, undefined]);
    expect(await newWaterings()).toBe(1);
  });

  it('is cancelled only with its own key and id, and only where that is one call', async () => {
    const one = await headersOf('Mas Rouge');
    const another = await headersOf('Mas Rouge');
    const stranger = await headersOf('Mas Bleu');
    const { release } = holdWrites();
    const body = logCall(7, {});
    const answering = [headers, headers, one].map((each) => postMcp(url, { headers: each, body }));
    // Its call began last.
    const { whole } = await firstEvent(url, another, logCall(8, {}));
    for (const id of ['7', 8, 0, null, {}]) await cancel(url, one, id);
    for (const others of [another, stranger]) await cancel(url, others, 7);
    // Of two calls with one id, the wrong one could be cancelled.
    await cancel(url, headers, 7);
    release();
    for (const text of [...(await Promise.all(answering)).map((each) => each.text), await whole])
      expect(sseMessages(text).at(-1).result.structuredContent.event.durationMin).toBe(45);
  });

  it('is written whole or not at all whenever it is cancelled', async () => {
    const newWaterings = await countNewWaterings();
    const calls = Array.from({ length: 10 }, (_, n) =>
      logCall(n, { idempotencyKey: `k${n}`, durationMin: 10 + n }),
    );
    let answered = 0;
    for (const [n, body] of calls.entries()) {
      const answering = postMcp(url, { headers, body });
      await new Promise((resolve) => setTimeout(resolve, n));
      await cancel(url, headers, n);
      const { body: answer } = await answering;
      if (answer !== null) answered++;
    }
    expect(await newWaterings()).toBeGreaterThanOrEqual(answered);
    for (const [n, body] of calls.entries()) {
      const { body: answer } = await postMcp(url, { headers, body });
      expect(bodyOf(answer.result).event.durationMin).toBe(10 + n);
    }
    expect(await newWaterings()).toBe(calls.length);
  });

  it('is cancelled by a client of the SDK, whose other calls go on', async () => {
    const newWaterings = await countNewWaterings();
    const { client, call } = await connectOverHttp(url, { 'x-api-key': headers['x-api-key']! });
    const { release } = holdWrites();
    const abort = new AbortController();
    const params = { name: 'log_watering', arguments: WATERING };
    const onprogress = () => abort.abort('No longer needed');
    const cancelled = client.callTool(params, undefined, { signal: abort.signal, onprogress });
    await expect(cancelled).rejects.toThrow('No longer needed');
    bodyOf(await call('list_waterings'));
    expect(await newWaterings()).toBe(0);
    release();
    expect(
      bodyOf(await call('log_watering', { ...WATERING, durationMin: 50 })).event.durationMin,
    ).toBe(50);
    expect(await newWaterings()).toBe(1);
  });

  it('is answered before the service ends at SIGTERM', async () => {
    const stopping = await serveStoreForTest(await newBaseFarm(), '--clock', CLOCK);
    const key = await stopping.newKey();
    const { release } = holdWrites(stopping.db);
    const { whole } = await firstEvent(mcpUrl(stopping.base), { ...headers, 'x-api-key': key });
    stopping.child.kill('SIGTERM');
    release();
    expect(sseMessages(await whole).at(-1).result.structuredContent.event).toMatchObject({
      waterMm: 2.4,
    });
    expect(await stopping.ended).toMatchObject({ code: 0, signal: null });
  });
});
