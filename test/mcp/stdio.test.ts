import { PassThrough, Writable } from 'node:stream';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { expect, it } from 'vitest';
import { RAW_ARGUMENTS } from '../../src/mcp/protocol.ts';
import { StdioTransport } from '../../src/mcp/stdio/stdio.ts';

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
  /** The transport delivers in slices of time, so after one turn or after several. */
  const untilDelivered = async (count: number) => {
    while (delivered.length < count) await turn();
  };
  return { input, output, transport, delivered, untilDelivered, errors, idle: () => idle };
}

const turn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
const line = (message: unknown): string => `${JSON.stringify(message)}\n`;
const call = (id: number, args: unknown) =>
  line({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name: 'log_watering', arguments: args },
  });
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
  input.write(
    line({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'get_company' } }),
  );
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
  input.write(
    line({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }),
  );
  input.end();
  await turn();
  expect(idle()).toBe(1);
});

it('is idle once its client stops reading', async () => {
  const gone = new Writable({
    write: (_chunk, _encoding, done) =>
      done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })),
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

const OVERSIZED = 'x'.repeat(10 * 1024 * 1024);

it.each([
  ['before', `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"${OVERSIZED}"}}`],
  ['after', `{"method":"tools/call","params":{"name":"${OVERSIZED}"},"jsonrpc":"2.0","id":7}`],
])(
  'refuses an oversized message with its id %s the parameters, and delivers the next',
  async (_, oversized) => {
    const output = new PassThrough();
    const { input, delivered, errors } = await openTransport(output);
    for (let at = 0; at < oversized.length; at += 65_536)
      input.write(oversized.slice(at, at + 65_536));
    input.write(`\r\n${call(8, {})}`);
    await turn();
    expect([errors.length, delivered.length]).toEqual([1, 1]);
    expect(JSON.parse(String(output.read()))).toMatchObject({
      id: 7,
      error: { code: -32600, message: expect.stringMatching(/bytes.*Nothing was done/) },
    });
  },
);

it.each([
  ['lists', '[]'.repeat(10_001).replaceAll('][', '],[')],
  ['levels', '['.repeat(10_001) + ']'.repeat(10_001)],
])('refuses a message with too many %s with its id, and delivers the next', async (_, values) => {
  const output = new PassThrough();
  const { input, delivered, errors } = await openTransport(output);
  input.write(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"a":[${values}]}}\n`);
  input.write(call(8, {}));
  await turn();
  expect([errors.length, delivered.length]).toEqual([1, 1]);
  expect(JSON.parse(String(output.read()))).toMatchObject({
    id: 7,
    error: { code: -32600, message: expect.stringMatching(/10000 values.*Nothing was done/) },
  });
});

it('reads lines in whatever pieces they arrive', async () => {
  const { input, delivered } = await openTransport();
  const sent = Buffer.from(call(1, { note: 'pêches é€😀' }) + call(2, {}));
  for (const byte of sent) input.write(Buffer.of(byte));
  await turn();
  expect(delivered.map(({ id, params }) => [id, params?.arguments])).toEqual([
    [1, { note: 'pêches é€😀' }],
    [2, {}],
  ]);
});

it('stops reading while the client does not read, and goes on after', async () => {
  const output = new PassThrough({ highWaterMark: 1_000 });
  const { input, transport, delivered } = await openTransport(output);
  const receive = transport.onmessage;
  transport.onmessage = (message) => {
    receive?.(message);
    void transport.send({
      ...answer((message as { id: number }).id),
      result: { text: 'x'.repeat(500) },
    });
  };
  for (let id = 1; id <= 200; id++) {
    input.write(call(id, {}));
    await turn();
  }
  expect(delivered.length).toBeLessThan(10);
  output.resume();
  while (delivered.length < 200) await turn();
  expect(delivered.at(-1)).toMatchObject({ id: 200 });
});

const calls = (count: number): string =>
  Array.from({ length: count }, (_, index) => call(index + 1, {})).join('');

it('reads on when some of 256 open requests are answered, and answers all before it ends', async () => {
  const { input, output, transport, delivered, untilDelivered, idle } = await openTransport();
  (output as PassThrough).resume();
  input.end(calls(1_000));
  await untilDelivered(256);
  expect(delivered).toHaveLength(256);
  for (let id = 1; id <= 1_000; id++) {
    expect(idle()).toBe(0);
    await untilDelivered(id);
    await transport.send(answer(id));
  }
  await turn();
  expect(delivered.map(({ id }) => id)).toEqual(
    Array.from({ length: 1_000 }, (_, index) => index + 1),
  );
  expect(idle()).toBe(1);
});

it('begins no request that waits when it is ended', async () => {
  const { input, output, transport, delivered, untilDelivered, idle } = await openTransport();
  (output as PassThrough).resume();
  input.write(calls(300));
  await untilDelivered(256);
  transport.end();
  for (let id = 1; id <= 256; id++) await transport.send(answer(id));
  await turn();
  expect([delivered.length, idle()]).toEqual([256, 1]);
});

it('reads the answers of a person while 256 requests are open, and refuses further requests', async () => {
  const output = new PassThrough();
  const { input, transport, delivered, untilDelivered } = await openTransport(output);
  input.write(calls(300));
  await untilDelivered(256);
  void transport.send({ jsonrpc: '2.0', id: 'form', method: 'elicitation/create', params: {} });
  input.write(line({ jsonrpc: '2.0', id: 'form', result: { action: 'decline' } }));
  await turn();
  expect(delivered.slice(256)).toEqual([expect.objectContaining({ id: 'form' })]);
  const [, ...refusals] = String(output.read()).trim().split('\n');
  expect(refusals).toHaveLength(44);
  expect(JSON.parse(refusals[0]!)).toMatchObject({
    id: 257,
    error: { message: expect.stringContaining('again') },
  });
});

it('sends no progress to a client that does not read', async () => {
  const output = new PassThrough({ highWaterMark: 100 });
  const { transport } = await openTransport(output);
  const progress = {
    jsonrpc: '2.0',
    method: 'notifications/progress',
    params: { progressToken: 1, progress: 1 },
  };
  for (let i = 0; i < 100; i++) void transport.send(progress as JSONRPCMessage);
  expect(output.readableLength + output.writableLength).toBeLessThan(500);
});

it.each(['constructor', '__proto__'])('delivers a call with an argument %s', async (name) => {
  const { input, delivered } = await openTransport();
  input.write(
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{"${name}":1}}}\n`,
  );
  await turn();
  expect(delivered).toHaveLength(1);
});

it('delivers a chunk of many messages in several turns of the event loop, all of them before it ends', async () => {
  const { input, delivered, idle } = await openTransport();
  const count = 20_000;
  const notification = line({ jsonrpc: '2.0', method: 'notifications/progress', params: {} });
  input.end(notification.repeat(count));

  let turns = 0;
  for (; idle() === 0; turns++) await new Promise((resolve) => setImmediate(resolve));
  expect(delivered).toHaveLength(count);
  expect(turns).toBeGreaterThan(3);
});
