import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { HostBridge, type PageWindow } from '../../../src/page/host/bridge.ts';

type Listener = (event: MessageEvent) => void;

const HOST = 'https://host.example';
const sent = vi.fn();
const parent = { postMessage: sent } as unknown as Window;
const handlers = {
  onNotification: vi.fn(),
  onRequest: vi.fn((method: string) => (method === 'ping' ? {} : undefined)),
};
let listeners: Listener[];
let bridge: HostBridge;

beforeEach(() => {
  vi.clearAllMocks();
  listeners = [];
  const view = {
    parent,
    addEventListener: (_: string, listener: Listener) => void listeners.push(listener),
    removeEventListener: (_: string, listener: Listener) => {
      listeners = listeners.filter((each) => each !== listener);
    },
  } as unknown as PageWindow;
  bridge = new HostBridge(view, handlers);
});
afterEach(() => bridge.close());

function post(
  data: unknown,
  { source = parent, origin = HOST }: { source?: unknown; origin?: string } = {},
): void {
  for (const listener of listeners) listener({ source, origin, data } as MessageEvent);
}

const begin = (): Promise<unknown> => {
  const answer = bridge.request('ui/initialize', {}, 1000);
  post({ jsonrpc: '2.0', id: 1, result: { ready: true } });
  return answer;
};

const THEME = {
  jsonrpc: '2.0',
  method: 'ui/notifications/host-context-changed',
  params: { theme: 'dark' },
};

it('sends to the window around the page, whose origin it learns from the answer', async () => {
  expect(await begin()).toEqual({ ready: true });
  bridge.notify('ui/notifications/initialized', {});
  expect(sent.mock.calls).toEqual([
    [{ jsonrpc: '2.0', id: 1, method: 'ui/initialize', params: {} }, '*'],
    [{ jsonrpc: '2.0', method: 'ui/notifications/initialized', params: {} }, HOST],
  ]);
});

it('posts to any origin if the window has none', async () => {
  const answer = bridge.request('ui/initialize', {}, 1000);
  post({ jsonrpc: '2.0', id: 1, result: {} }, { origin: 'null' });
  await answer;
  bridge.notify('ui/notifications/initialized', {});
  expect(sent.mock.lastCall?.[1]).toBe('*');
});

it('receives notifications, and answers requests', async () => {
  await begin();
  post(THEME);
  expect(handlers.onNotification).toHaveBeenCalledExactlyOnceWith(THEME.method, { theme: 'dark' });
  post({ jsonrpc: '2.0', id: 'a', method: 'ping' });
  expect(sent.mock.lastCall?.[0]).toEqual({ jsonrpc: '2.0', id: 'a', result: {} });
  post({ jsonrpc: '2.0', id: 'b', method: 'tools/list' });
  expect(sent.mock.lastCall?.[0]).toMatchObject({ id: 'b', error: { code: -32601 } });
});

describe('a message that is not of the host', () => {
  it.each([
    ['of another window', THEME, { source: {} }],
    ['of another page in the window of the host', THEME, { origin: 'https://evil.example' }],
    ['without the version of JSON-RPC', { ...THEME, jsonrpc: undefined }, {}],
    ['that is text', JSON.stringify(THEME), {}],
    ['that is a list', [THEME], {}],
    ['that is nothing', null, {}],
  ])('%s changes nothing', async (_, data, from) => {
    await begin();
    post(data, from);
    expect(handlers.onNotification).not.toHaveBeenCalled();
  });

  it('answers no request', async () => {
    const answer = bridge.request('tools/call', {}, 1000);
    post({ jsonrpc: '2.0', id: 1, result: 'forged' }, { source: {} });
    post({ jsonrpc: '2.0', id: 2, result: 'other' });
    post({ jsonrpc: '2.0', id: 1, result: 'true' });
    expect(await answer).toBe('true');
  });

  it('is not received before the host has answered', () => {
    post(THEME);
    expect(handlers.onNotification).not.toHaveBeenCalled();
  });
});

it('rejects with the refusal of the host, and with null without an answer in time', async () => {
  await begin();
  const refused = bridge.request('tools/call', {}, 1000);
  post({ jsonrpc: '2.0', id: 2, error: { code: -32000, message: 'The person declined.' } });
  await expect(refused).rejects.toEqual({ code: -32000, message: 'The person declined.' });
  await expect(bridge.request('tools/call', {}, 5)).rejects.toBeNull();
});

it('cancels a request that is no longer needed, and ignores its late answer', async () => {
  await begin();
  const controller = new AbortController();
  const waiting = bridge.request('tools/call', {}, 1000, controller.signal);
  controller.abort();
  await expect(waiting).rejects.toBeNull();
  expect(sent.mock.lastCall?.[0]).toMatchObject({
    method: 'notifications/cancelled',
    params: { requestId: 2 },
  });
  post({ jsonrpc: '2.0', id: 2, result: 'late' });
  await expect(bridge.request('tools/call', {}, 1000, controller.signal)).rejects.toBeNull();
});

it('receives nothing once it is closed, and rejects waiting requests', async () => {
  await begin();
  const waiting = bridge.request('tools/call', {}, 1000);
  bridge.close();
  await expect(waiting).rejects.toBeNull();
  expect(listeners).toEqual([]);
});
