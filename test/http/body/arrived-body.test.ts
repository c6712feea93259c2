import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, it } from 'vitest';
import { ServiceShares } from '../../../src/http/admission/service-shares.ts';
import { keepArrivedBody } from '../../../src/http/body/arrived-body.ts';
import { collectBytes } from '../../../src/http/body/request-body.ts';
import { afterTest } from '../../cleanup.ts';

const LIMITS = { maxBytes: 1_000, requestSeconds: 10 };

const newMemory = () =>
  new ServiceShares({ burst: 1, batchBytes: 1_000 }).bodies.open({ company: 1, key: 'key:1' });

/** The request of a client that hangs up after these bytes of a body of ten, once it has closed. */
async function requestOfClosedClient(sentBytes: number): Promise<IncomingMessage> {
  const server = createServer().listen(0, '127.0.0.1');
  afterTest(() => void server.close());
  await once(server, 'listening');

  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const body = '0123456789'.slice(0, sentBytes);
  client.end(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n${body}`);

  const [incoming] = (await once(server, 'request')) as [IncomingMessage];
  keepArrivedBody(incoming);
  await new Promise((resolve) => incoming.socket.once('close', resolve));
  return incoming;
}

it('a complete body can be read after the connection has closed', async () => {
  const incoming = await requestOfClosedClient(10);
  expect(String(await collectBytes(incoming, LIMITS, { memory: newMemory() }))).toBe('0123456789');
});

it('an incomplete one is refused', async () => {
  const incoming = await requestOfClosedClient(9);
  await expect(collectBytes(incoming, LIMITS, { memory: newMemory() })).rejects.toMatchObject({
    code: 'invalid_body',
  });
});
