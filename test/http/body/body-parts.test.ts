import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ServiceShares } from '../../../src/http/admission/service-shares.ts';
import { BodyParts } from '../../../src/http/body/body-parts.ts';
import { collectBytes } from '../../../src/http/body/request-body.ts';
import { httpLimits } from '../../../src/http/limits.ts';
import { afterTest } from '../../cleanup.ts';

const { bodies } = new ServiceShares(httpLimits((setting) => setting.default));
const LIMITS = { maxBytes: 1_000_000, requestSeconds: 60 };

it('the parts of a body make the whole, whatever their sizes', () => {
  const parts = fc.array(fc.uint8Array({ maxLength: 3_000 }).map(Buffer.from), { maxLength: 40 });
  fc.assert(
    fc.property(parts, (sent) => {
      const body = new BodyParts();
      for (const part of sent) body.add(part);
      expect(body.toBuffer().equals(Buffer.concat(sent))).toBe(true);
    }),
  );
});

/** What the service makes of a body in chunks, and whether it closes the connection then. */
async function received(chunk: string, count: number) {
  const server = createServer().listen(0, '127.0.0.1');
  afterTest(() => server.close());
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  afterTest(() => socket.destroy());
  socket.on('error', () => undefined);
  socket.resume();
  const closed = once(socket, 'close');

  socket.write('POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n');
  const line = `${chunk.length.toString(16)}\r\n${chunk}\r\n`;
  socket.write(line.repeat(count));
  const [incoming] = (await once(server, 'request')) as [IncomingMessage];
  const taker = { company: 1, key: 'a' };
  const reading = collectBytes(incoming, LIMITS, { memory: bodies.open(taker) });
  if (chunk.length * count < LIMITS.maxBytes) socket.write('0\r\n\r\n');
  return { bytes: await reading.then(String, ({ code }) => code as string), closed };
}

it('a body in parts of one byte is refused, and its connection is closed', async () => {
  const { bytes, closed } = await received('1', 20_000);
  expect(bytes).toBe('invalid_body');
  const isClosed = closed.then(() => 'closed');
  expect(await Promise.race([isClosed, pause(10_000, 'open', { ref: false })])).toBe('closed');
});

it('a body in short lines is taken', async () => {
  const line = '{"device":"A1","value":21}\n';
  const { bytes } = await received(line, 5_000);
  expect(bytes).toBe(line.repeat(5_000));
});
