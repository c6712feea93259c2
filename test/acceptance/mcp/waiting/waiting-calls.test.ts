import { beforeAll, describe, expect, it } from 'vitest';
import { newBaseFarm, WATERING } from '../../../base-farm.ts';
import { afterFile } from '../../../cleanup.ts';
import { bodyOf, refusalOf, serverArguments } from '../../mcp-session.ts';
import { CLOCK, type Json } from '../../program.ts';
import {
  cancelRequest,
  initializeRaw,
  isAnswered,
  type RawServer,
  startRawServer,
} from '../../raw-server.ts';
import { serveStoreForTest } from '../../rest-service.ts';
import {
  type McpHttpResponse,
  mcpUrl,
  postMcp,
  rpcRequest,
  sseMessages,
  toolCallRequest,
} from '../http/mcp-http-client.ts';
import {
  firstEvent,
  holdWrites as holdWritesOf,
  logCall,
  progressOf,
  serviceOfTwoCompanies,
} from './held-store.ts';

const {
  service,
  headers: headersOfKey,
  headersOf,
  url,
  holdWrites,
  countNewWaterings,
} = serviceOfTwoCompanies();
let headers: Record<string, string>;
let raw: RawServer;
beforeAll(async () => {
  headers = headersOfKey();
  const env = { ACEQUIA_API_KEY: headers['x-api-key']! };
  const server = startRawServer(serverArguments(service().db, {}), { after: afterFile, env });
  raw = await initializeRaw(server);
  await raw.answer(raw.call('get_company', {}));
});

const callWithProgress = (name: string, args: object): number =>
  raw.send('tools/call', { name, arguments: args, _meta: { progressToken: `of ${name}` } });

const expectRising = (values: readonly number[]): void =>
  expect(values).toEqual([...new Set(values)].sort((a, b) => a - b));

describe('a call over standard input that waits for the store', () => {
  it('reports progress before its answer, if the client requested it', async () => {
    const before = raw.lines.length;
    const messages = () => raw.messages.slice(before);
    const { release } = holdWrites();
    const silent = raw.call('log_watering', WATERING);
    const id = callWithProgress('set_module_placement', {
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

  it('is not affected by the cancellation of an answered or unknown request', async () => {
    cancelRequest(raw, 2);
    cancelRequest(raw, 4711);
    expect(
      refusalOf((await raw.answer(raw.call('get_module', { module: 'none' }))).result).status,
    ).toBe(404);
  });
});

describe('a call over HTTP that waits for the store', () => {
  it('streams its progress as events, then its answer', async () => {
    const { release } = holdWrites();
    const body = logCall(1, { idempotencyKey: 'k' });
    const { incoming, whole } = await firstEvent(url(), headers, body);
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

  it('is written although its client has disconnected', async () => {
    const newWaterings = await countNewWaterings();
    const { release } = holdWrites();
    const { request, text } = await firstEvent(url(), headers, logCall(1, {}));
    expect(text).toContain('notifications/progress');
    request.destroy();
    // Once these are answered, the service has noticed the closed connection.
    for (let count = 0; count < 3; count++)
      await postMcp(url(), { headers, body: rpcRequest('ping') });
    release();
    const placement = toolCallRequest('set_module_placement', {
      module: 'North 1',
      emitterDistanceCm: 10,
    });
    expect(
      (await postMcp(url(), { headers, body: placement })).body.result.isError,
    ).toBeUndefined();
    expect(await newWaterings()).toBe(1);
    expect(service().stderr()).not.toContain('unexpected failure');
  });

  /** A slow one is streamed after its progress. Undefined of a cancelled call. */
  const answerIn = ({ body, text }: McpHttpResponse): Json | undefined =>
    body ?? sseMessages(text).find(({ result }) => result !== undefined);

  const cancel = (headers: Record<string, string>, requestId: unknown) =>
    postMcp(url(), {
      headers,
      body: {
        jsonrpc: '2.0',
        method: 'notifications/cancelled',
        params: { requestId, reason: 'No longer needed' },
      },
    });

  it('writes nothing once another request cancels it, in progress or before its turn', async () => {
    const newWaterings = await countNewWaterings();
    const { release } = holdWrites();
    const idempotency = { idempotencyKey: 'cancelled over HTTP' };
    const { text } = await firstEvent(url(), headers, logCall(7, idempotency));
    expect(text).toContain('notifications/progress');
    await firstEvent(url(), headers, logCall('eight', { durationMin: 50 }));
    // Two calls of a key are in progress at most.
    const waiting = postMcp(url(), { headers, body: logCall(9, { durationMin: 55 }) });
    // Once these are answered, the service has read the earlier request.
    for (let count = 0; count < 3; count++) await cancel(headers, 'unknown');
    for (const id of [9, 7, 'eight'])
      expect(await cancel(headers, id)).toMatchObject({ status: 202, text: '' });
    expect(await waiting).toMatchObject({
      status: 200,
      headers: { 'content-type': 'text/event-stream' },
      text: '',
    });
    release();
    const { body } = await postMcp(url(), {
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
    const answering = [headers, headers, one].map((each) =>
      postMcp(url(), { headers: each, body }),
    );
    // Its call began last.
    const { whole } = await firstEvent(url(), another, logCall(8, {}));
    for (const id of ['7', 8, 0, null, {}]) await cancel(one, id);
    for (const others of [another, stranger]) await cancel(others, 7);
    // Of two calls with one id, the wrong one could be cancelled.
    await cancel(headers, 7);
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
      const answering = postMcp(url(), { headers, body });
      await new Promise((resolve) => setTimeout(resolve, n));
      await cancel(headers, n);
      if (answerIn(await answering) !== undefined) answered++;
    }
    expect(await newWaterings()).toBeGreaterThanOrEqual(answered);
    for (const [n, body] of calls.entries()) {
      const answer = answerIn(await postMcp(url(), { headers, body }));
      expect(bodyOf(answer.result).event.durationMin).toBe(10 + n);
    }
    expect(await newWaterings()).toBe(calls.length);
  });

  it('is answered before the service ends at SIGTERM', async () => {
    const stopping = await serveStoreForTest(await newBaseFarm(), '--clock', CLOCK);
    const key = await stopping.newKey();
    const { release } = holdWritesOf(stopping.db);
    const ofKey = { ...headers, 'x-api-key': key };
    const { whole } = await firstEvent(mcpUrl(stopping.base), ofKey, logCall(1, {}));
    stopping.child.kill('SIGTERM');
    release();
    expect(sseMessages(await whole).at(-1).result.structuredContent.event).toMatchObject({
      waterMm: 2.4,
    });
    expect(await stopping.ended).toMatchObject({ code: 0, signal: null });
  });
});
