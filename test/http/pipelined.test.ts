import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { sharesOf } from '../../src/http/admission/request-shares.ts';
import { ServiceShares } from '../../src/http/admission/service-shares.ts';
import { httpLimits } from '../../src/http/http-limits.ts';
import { jsonReply } from '../../src/http/reply.ts';
import { type RouteHandler, Router } from '../../src/http/router.ts';
import { serveApp } from '../../src/http/server.ts';
import { NOOP_OBSERVER } from '../../src/observe/observer.ts';
import { afterTest } from '../cleanup.ts';

const limits = httpLimits((setting) => setting.default);

const REQUEST = 'GET /a HTTP/1.1\r\nHost: a\r\n\r\n';
const LAST = 'GET /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
const WRITE = 'POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\na';

/** A service that counts its requests. */
async function serveCounting(requestMs: number) {
  const shares = new ServiceShares(limits);
  const router = new Router(NOOP_OBSERVER, async () => 'reference', shares);
  const counts = { handled: 0, inProgress: 0, most: 0 };
  const handler: RouteHandler = async (_, { env }) => {
    sharesOf(env.incoming).admit();
    counts.handled++;
    counts.inProgress++;
    counts.most = Math.max(counts.most, counts.inProgress);
    await pause(requestMs);
    counts.inProgress--;
    return jsonReply(200, {});
  };
  const route = { operation: null, handler };
  router.add('/a', { GET: route, POST: route });
  const server = await serveApp(router.app, { host: '127.0.0.1', port: 0, limits, shares });
  afterTest(async () => {
    server.closeAllConnections();
    await server.stop();
  });
  return { shares, counts, port: Number(new URL(server.url).port) };
}

async function served(text: string) {
  const service = await serveCounting(5);
  const socket = connect(service.port, '127.0.0.1');
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk;
  });
  socket.on('error', () => undefined);
  socket.write(text);
  await once(socket, 'close');
  return { ...service.counts, received };
}

it('answers eight requests that arrive at once on a connection, one after another', async () => {
  const { handled, most, received } = await served(REQUEST.repeat(7) + LAST);
  expect({ handled, most }).toEqual({ handled: 8, most: 1 });
  expect(received.match(/HTTP\/1\.1 200/g)).toHaveLength(8);
});

it('closes a connection on which more arrive at once, and handles no further ones', async () => {
  expect((await served(REQUEST.repeat(1_000))).handled).toBeLessThanOrEqual(8);
});

it('finishes the writes of a connection that closes, and keeps no share for what it does not read', async () => {
  const { shares, counts, port } = await serveCounting(100);
  const socket = connect(port, '127.0.0.1');
  socket.write(REQUEST + WRITE.repeat(3) + REQUEST);
  await expect.poll(() => counts.handled, { interval: 5 }).toBe(1);
  socket.destroy();
  await expect.poll(() => shares.unknownRequests.held).toBe(0);
  expect(counts.handled).toBe(4);
});
