import { PassThrough, Writable } from 'node:stream';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { expect, it } from 'vitest';
import { RAW_ARGUMENTS } from '../../src/mcp/raw-arguments.ts';
import { StdioTransport } from '../../src/mcp/stdio.ts';

type Message = Record<string, unknown> & { params?: Record<string, unknown> };

async function openTransport(output: Writable = new PassThrough()) {
  const input = new PassThrough();
  const transport = new StdioTransport(input, output);
  const delivered: Message[] = [];
  const errors: Error[] = [];
  let idle = 0;
  transport.onmessage = (message) => delivered.push(message as unknown as Message);
  transport.onerror = (error) => errors.push(error);
  transport.onidle = () => void idle++;
  await transport.start();
  return { input, output, transport, delivered, errors, idle: () => idle };
}

const turn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
const line = (message: unknown): string => `${JSON.stringify(message)}\n`;
const call = (id: number, args: unknown) =>
  line({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'log_watering', arguments: args } });
const answer = (id: number) => ({ jsonrpc: '2.0', id, result: {} }) as JSONRPCMessage;

it.each([
  ['JSON text', '{"module":"North 1"}'],
  ['an array', [1]],
  ['a number', 5],
  ['null', null],
])('sets aside arguments that are %s, so that the call arrives', async (_, sent) => {
  const { input, delivered } = await openTransport();
  input.write(call(1, sent));
  await turn();
  expect(delivered[0]?.params).toMatchObject({ arguments: {}, _meta: { [RAW_ARGUMENTS]: sent } });
});

it('leaves an object or absent arguments unchanged', async () => {
  const { input, delivered } = await openTransport();
  input.write(call(1, { module: '1' }));
  input.write(line({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'get_company' } }));
  await turn();
  expect(delivered.map(({ params }) => params)).toEqual([
    { name: 'log_watering', arguments: { module: '1' } },
    { name: 'get_company' },
  ]);
});

it('reports a malformed line and delivers the next', async () => {
  const { input, delivered, errors } = await openTransport();
  input.write(`what?\n${call(1, {})}`);
  await turn();
  expect([errors.length, delivered.length]).toEqual([1, 1]);
});

it('is idle after the end of input only once every request is answered', async () => {
  const { input, transport, idle } = await openTransport();
  input.write(call(1, {}) + call(2, {}));
  input.end();
  await turn();
  expect(idle()).toBe(0);
  await transport.send(answer(2));
  expect(idle()).toBe(0);
  await transport.send(answer(1));
  expect(idle()).toBe(1);
});

it('is idle at once when nothing is open, and reports it once', async () => {
  const { input, transport, idle } = await openTransport();
  input.end();
  await turn();
  transport.end();
  await turn();
  expect(idle()).toBe(1);
});

it('expects no answer to a notification or a cancelled call', async () => {
  const { input, idle } = await openTransport();
  input.write(line({ jsonrpc: '2.0', method: 'notifications/initialized' }));
  input.write(call(1, {}));
  input.write(line({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }));
  input.end();
  await turn();
  expect(idle()).toBe(1);
});

it('is idle once its client stops reading', async () => {
  const gone = new Writable({
    write: (_chunk, _encoding, done) => done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })),
  });
  const { input, transport, idle } = await openTransport(gone);
  input.write(call(1, {}) + call(2, {}));
  await turn();
  void transport.send(answer(1));
  await turn();
  await turn();
  expect(idle()).toBe(1);
});

it('writes one message per line', async () => {
  const output = new PassThrough();
  const { transport } = await openTransport(output);
  await transport.send({ jsonrpc: '2.0', id: 1, result: { text: 'one\ntwo' } } as JSONRPCMessage);
  expect(String(output.read())).toBe('{"jsonrpc":"2.0","id":1,"result":{"text":"one\\ntwo"}}\n');
});
