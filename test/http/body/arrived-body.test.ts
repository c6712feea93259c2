import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { ServiceShares } from '../../../src/http/admission/service-shares.ts';
import { keepArrivedBody } from '../../../src/http/body/arrived-body.ts';
import { collectBytes } from '../../../src/http/body/request-body.ts';
import { httpLimits } from '../../../src/http/http-limits.ts';
import { Router } from '../../../src/http/router.ts';
import { serveApp } from '../../../src/http/server.ts';
import { NOOP_OBSERVER } from '../../../src/observe/observer.ts';
import { afterTest } from '../../cleanup.ts';

const HTTP = httpLimits((setting) => setting.default);
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

/** Consoles drop the first slash of the path. Their connections are read through another stream. */
it('a request without its slash, whose body never comes, is answered, and its connection closed', async () => {
  const shares = new ServiceShares(HTTP);
  const router = new Router(NOOP_OBSERVER, async () => 'reference', shares);
  const server = await serveApp(router.app, { host: '127.0.0.1', port: 0, limits: HTTP, shares });
  afterTest(async () => {
    server.closeAllConnections();
    await server.stop();
  });
  const client = connect(Number(new URL(server.url).port), '127.0.0.1');
  let answer = '';
  client.on('data', (part) => {
    answer += String(part);
  });
  client.write('GET v1/ingest/x HTTP/1.1\r\nHost: a\r\nContent-Length: 5000\r\n\r\n');
  await once(client, 'close');
  expect(answer).toContain('404 Not Found');
  // What would throw later, on a connection that has closed, fails the run.
  await pause(700);
});
