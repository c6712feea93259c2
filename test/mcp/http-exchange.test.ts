import { once } from 'node:events';
import { type JSONRPCRequest, Server } from '@modelcontextprotocol/server';
import { describe, expect, it, vi } from 'vitest';
import { exchangeOverHttp } from '../../src/mcp/http/http-exchange.ts';

const REQUEST: JSONRPCRequest = { jsonrpc: '2.0', id: 7, method: 'tools/list' };
const EVENTS = { json: true, events: true };
const JSON_ALONE = { json: true, events: false };
const READ = { finishesWithoutClient: false };

const progress = (n: number) => ({
  method: 'notifications/progress' as const,
  params: { progressToken: 'mine', progress: n },
});

interface During {
  notify(n: number): Promise<void>;
  readonly signal: AbortSignal;
}

function serverOf(answer: (during: During) => Promise<void>): Server {
  const server = new Server({ name: 'exchange', version: '1' }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', async (_, { mcpReq: { notify, signal } }) => {
    await answer({ notify: (n) => notify(progress(n)), signal });
    return { tools: [] };
  });
  return server;
}

const never = new AbortController().signal;
const ANSWER = { jsonrpc: '2.0', id: 7, result: { tools: [] } };
const whole = (content: unknown): Promise<string> => new Response(content as string).text();

describe('an exchange', () => {
  it('is one JSON text if the answer is the first message', async () => {
    const { status, type, content, finished } = await exchangeOverHttp(
      serverOf(async () => undefined),
      REQUEST,
      { ...READ, accepts: EVENTS, signal: never, cancelled: never },
    );
    expect([status, type, finished]).toEqual([200, 'application/json', undefined]);
    expect(JSON.parse(String(content))).toEqual(ANSWER);
  });

  it('becomes an event stream with the first notification and ends with the answer', async () => {
    const notifying = serverOf(async ({ notify }) => {
      await notify(1);
      await notify(2);
    });
    const { type, content, finished } = await exchangeOverHttp(notifying, REQUEST, {
      ...READ,
      accepts: EVENTS,
      signal: never,
      cancelled: never,
    });
    expect(type).toBe('text/event-stream');
    const events = (await whole(content)).split('\n\n').map((event) => event.split('\ndata: ')[1]);
    expect(events.pop()).toBeUndefined();
    expect(events.map((data) => JSON.parse(data!))).toEqual([
      { jsonrpc: '2.0', ...progress(1) },
      { jsonrpc: '2.0', ...progress(2) },
      ANSWER,
    ]);
    await finished;
  });

  it('drops notifications that its client does not accept', async () => {
    const notifying = serverOf(({ notify }) => notify(1));
    const { type, content } = await exchangeOverHttp(notifying, REQUEST, {
      ...READ,
      accepts: JSON_ALONE,
      signal: never,
      cancelled: never,
    });
    expect(type).toBe('application/json');
    expect(JSON.parse(String(content))).toEqual(ANSWER);
  });

  it('ends and cancels the work when its client disconnects', async () => {
    const client = new AbortController();
    let isCancelled = false;
    const working = serverOf(async ({ signal }) => {
      const aborted = once(signal, 'abort');
      client.abort();
      await aborted;
      isCancelled = true;
    });
    const { status, content } = await exchangeOverHttp(working, REQUEST, {
      ...READ,
      accepts: EVENTS,
      signal: client.signal,
      cancelled: never,
    });
    expect([status, content]).toEqual([499, null]);
    await vi.waitFor(() => expect(isCancelled).toBe(true));
  });

  it('of a write is finished although its client disconnects before or meanwhile', async () => {
    const early = { signal: AbortSignal.abort(), abort: () => undefined };
    const client = new AbortController();
    const meanwhile = { signal: client.signal, abort: () => client.abort() };

    for (const { signal, abort } of [early, meanwhile]) {
      let isFinished = false;
      const writing = serverOf(async ({ notify, signal: cancelled }) => {
        abort();
        await notify(1);
        isFinished = !cancelled.aborted;
      });
      const write = { finishesWithoutClient: true, accepts: EVENTS, cancelled: never };
      const { status, finished } = await exchangeOverHttp(writing, REQUEST, { ...write, signal });
      await finished;
      expect([status, isFinished]).toEqual([499, true]);
    }
  });

  it('is not started for a client that has disconnected', async () => {
    let isStarted = false;
    const working = serverOf(async () => {
      isStarted = true;
    });
    const { status } = await exchangeOverHttp(working, REQUEST, {
      ...READ,
      accepts: EVENTS,
      signal: AbortSignal.abort(),
      cancelled: never,
    });
    expect([status, isStarted]).toEqual([499, false]);
  });

  it.each([
    ['an event stream that ends', EVENTS, 'text/event-stream', /^$/],
    [
      'an error, where only JSON is accepted',
      JSON_ALONE,
      'application/json',
      /"The request was cancelled."/,
    ],
  ])('of a cancelled request is %s', async (_, accepts, expectedType, text) => {
    const cancellation = new AbortController();
    let isCancelled = false;
    const working = serverOf(async ({ signal }) => {
      cancellation.abort();
      isCancelled = signal.aborted;
    });
    const answered = await exchangeOverHttp(working, REQUEST, {
      ...READ,
      accepts,
      signal: never,
      cancelled: cancellation.signal,
    });
    expect([answered.status, answered.type]).toEqual([200, expectedType]);
    expect(await whole(answered.content)).toMatch(text);
    await vi.waitFor(() => expect(isCancelled).toBe(true));
    await answered.finished;
  });

  it('is not started for a request that was cancelled while it waited', async () => {
    let isStarted = false;
    const working = serverOf(async () => {
      isStarted = true;
    });
    const { content } = await exchangeOverHttp(working, REQUEST, {
      ...READ,
      accepts: EVENTS,
      signal: never,
      cancelled: AbortSignal.abort(),
    });
    expect([await whole(content), isStarted]).toEqual(['', false]);
  });
});
