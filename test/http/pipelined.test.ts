import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { ServiceShares } from '../../src/http/admission/service-shares.ts';
import { httpLimits } from '../../src/http/limits.ts';
import { jsonReply } from '../../src/http/reply.ts';
import { Router } from '../../src/http/router.ts';
import { serveApp } from '../../src/http/server.ts';
import { NOOP_OBSERVER } from '../../src/observe/observer.ts';
import { afterTest } from '../cleanup.ts';

const limits = httpLimits((setting) => setting.default);

async function served(pipelined: number): Promise<{ handled: number; text: string }> {
  const router = new Router(NOOP_OBSERVER, async () => 'reference', new ServiceShares(limits));
  let handled = 0;
  const handler = async () => {
    handled++;
    return jsonReply(200, { handled });
  };
  router.add('/a', { GET: { operation: null, handler } });
  const server = await serveApp(router.app, { host: '127.0.0.1', port: 0, limits });
  afterTest(async () => {
    server.closeAllConnections();
    await server.stop();
  });

  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  socket.on('error', () => undefined);
  const request = 'GET /a HTTP/1.1\r\nHost: a\r\n\r\n';
  const last = 'GET /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
  socket.write(request.repeat(pipelined - 1) + last);
  await once(socket, 'close');
  return { handled, text };
}

it('answers eight requests that arrive at once on a connection', async () => {
  const { handled, text } = await served(8);
  expect(handled).toBe(8);
  expect(text.match(/HTTP\/1\.1 200/g)).toHaveLength(8);
});

it('closes a connection on which more arrive at once, and handles no further ones', async () => {
  expect((await served(1_000)).handled).toBeLessThanOrEqual(8);
});
