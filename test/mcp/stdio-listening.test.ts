import { expect, it } from 'vitest';
import { type ResourceWatcher, Subscriptions } from '../../src/mcp/listening/subscriptions.ts';
import { type JSONRPCMessage, ProtocolError, type Transport } from '../../src/mcp/protocol.ts';
import { CheckedListeningTransport } from '../../src/mcp/stdio/stdio-listening.ts';

const URI = 'acequia://alerts/firing';

const listen = (id: string, ...uris: string[]) => ({
  jsonrpc: '2.0' as const,
  id,
  method: 'subscriptions/listen',
  params: { notifications: { resourceSubscriptions: uris } },
});
const cancel = (requestId: string) => ({
  jsonrpc: '2.0' as const,
  method: 'notifications/cancelled',
  params: { requestId },
});

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function connection(admit: () => Promise<void> = async () => undefined) {
  const sent: JSONRPCMessage[] = [];
  const delivered: JSONRPCMessage[] = [];
  const watchers = new Set<ResourceWatcher>();
  const wire: Transport = {
    start: async () => undefined,
    close: async () => undefined,
    send: async (m) => void sent.push(m),
  };
  const subscriptions = new Subscriptions({
    uri: URI,
    async watch(watcher) {
      await admit();
      watchers.add(watcher);
      return () => void watchers.delete(watcher);
    },
  });
  const checked = new CheckedListeningTransport(wire, subscriptions);
  checked.onmessage = (message) => void delivered.push(message);
  await checked.start();
  const receive = async (...messages: JSONRPCMessage[]): Promise<void> => {
    for (const message of messages) wire.onmessage?.(message);
    await settled();
  };
  return { checked, sent, delivered, watchers, receive };
}

it('watches while a subscription is open', async () => {
  const { watchers, receive } = await connection();
  await receive(listen('one', URI), listen('other', URI));
  expect(watchers.size).toBe(1);
  await receive(cancel('one'));
  expect(watchers.size).toBe(1);
  await receive(cancel('other'), cancel('other'));
  expect(watchers.size).toBe(0);
});

it('answers a caller who may not list alerts with the refusal', async () => {
  const refusal = new ProtocolError(-32602, 'insufficient_scope: readings:read is needed', {
    status: 403,
  });
  const { sent, delivered, receive } = await connection(() => Promise.reject(refusal));
  await receive(listen('one', URI));
  const { code, message } = refusal;
  await expect.poll(() => sent).toMatchObject([{ id: 'one', error: { code, message } }]);
  expect(delivered).toEqual([]);
});

it('passes on only the resource that can be subscribed to, and everything else as it is', async () => {
  const { delivered, watchers, receive } = await connection();
  const ping = { jsonrpc: '2.0' as const, id: 1, method: 'ping' };
  await receive(listen('other', 'acequia://company'), ping);
  expect(delivered).toEqual([listen('other'), ping]);
  expect(watchers.size).toBe(0);
  await receive(listen('both', 'acequia://company', URI));
  expect(delivered.at(-1)).toEqual(listen('both', URI));
});

it('does not begin what was cancelled meanwhile', async () => {
  const { delivered, watchers, receive } = await connection();
  await receive(listen('one', URI), cancel('one'));
  expect(delivered).toEqual([cancel('one')]);
  expect(watchers.size).toBe(0);
});

it('stops watching for a subscription that the SDK refuses', async () => {
  const { checked, sent, watchers, receive } = await connection();
  await receive(listen('one', URI));
  expect(watchers.size).toBe(1);
  const refused = { jsonrpc: '2.0' as const, id: 'one', error: { code: -32602, message: 'no' } };
  await checked.send(refused);
  expect(sent).toEqual([refused]);
  expect(watchers.size).toBe(0);
});

it('ends every subscription once the caller may no longer listen', async () => {
  const { delivered, sent, watchers, receive } = await connection();
  await receive(listen('one', URI), listen('other', URI));
  for (const watcher of watchers) watcher.onRefused();
  expect(sent).toMatchObject(
    ['one', 'other'].map((id) => ({ id, result: { resultType: 'complete' } })),
  );
  expect(delivered.slice(2)).toEqual([cancel('one'), cancel('other')]);
  expect(watchers.size).toBe(0);
});
