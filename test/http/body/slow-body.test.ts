import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { sharesOf } from '../../../src/http/admission/request-shares.ts';
import { ServiceShares } from '../../../src/http/admission/service-shares.ts';
import { receiveBatch } from '../../../src/http/body/batch-bytes.ts';
import { HTTP_LIMITS, type HttpLimits, httpLimits } from '../../../src/http/http-limits.ts';
import { jsonReply } from '../../../src/http/reply.ts';
import { Router } from '../../../src/http/router.ts';
import { serveApp } from '../../../src/http/server.ts';
import { NOOP_OBSERVER } from '../../../src/observe/observer.ts';
import { afterTest } from '../../cleanup.ts';

const limits: HttpLimits = {
  ...httpLimits((setting) => setting.default),
  headerSeconds: 1,
  requestSeconds: 1,
  batchBytes: HTTP_LIMITS.batchBytes.max,
};

/** A service whose keys take a while to identify, before it reads the body. */
async function serveSlowAdmission(
  admit: () => Promise<unknown>,
  admissionSeconds?: number,
): Promise<URL> {
  const router = new Router(NOOP_OBSERVER, async () => 'reference', new ServiceShares(limits));
  const handler = async (
    _: object,
    { env }: { env: { incoming: Parameters<typeof receiveBatch>[0] } },
  ) => {
    await admit();
    const memory = sharesOf(env.incoming).bodyMemory();
    const { bytes } = await receiveBatch(env.incoming, limits, memory);
    return jsonReply(200, { bytes: bytes.length });
  };
  router.add('/upload', { POST: { operation: null, handler } });
  const server = await serveApp(router.app, {
    host: '127.0.0.1',
    port: 0,
    limits,
    admissionSeconds,
  });
  afterTest(async () => {
    server.closeAllConnections();
    await server.stop();
  });
  return new URL('/upload', server.url);
}

const headersOf = ({ host }: URL, length: number, more = ''): string =>
  `POST /upload HTTP/1.1\r\nHost: ${host}\r\nContent-Type: text/csv\r\nContent-Length: ${length}\r\n${more}\r\n`;

interface RawUpload {
  readonly socket: Socket;
  /** All that the server sent until it closed the connection. */
  readonly received: Promise<string>;
}

async function openUpload(url: URL, length: number, more?: string): Promise<RawUpload> {
  const socket = connect({ host: url.hostname, port: Number(url.port) });
  await once(socket, 'connect');
  afterTest(() => socket.destroy());
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  socket.on('error', () => undefined);
  // The events module would reject if the service resets the connection.
  const received = new Promise<string>((resolve) => socket.once('close', () => resolve(text)));
  socket.write(headersOf(url, length, more));
  return { socket, received };
}

async function drip({ socket }: RawUpload, bytes: Uint8Array): Promise<void> {
  for (const byte of bytes) {
    if (socket.destroyed || !socket.writable) return;
    socket.write(Uint8Array.of(byte));
    await pause(50);
  }
}

it('a body is accepted that waited longer than its own time until the service read it', async () => {
  const url = await serveSlowAdmission(() => pause(3_000));
  // More than the buffers of both sockets, so that the client cannot finish before the service
  // reads.
  const body = 'a,b\n'.repeat(5_000_000);
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'text/csv' },
    body,
  });
  expect([response.status, await response.json()]).toEqual([200, { bytes: body.length }]);
});

it.each([
  ['plain', '', new Uint8Array(5_000).fill(97)],
  ['compressed', 'Content-Encoding: gzip\r\n', gzipSync(Buffer.alloc(2_000_000, 'a,b\n'))],
])(
  'a %s body that arrives byte by byte is ended, others being served meanwhile',
  async (_, more, bytes) => {
    const url = await serveSlowAdmission(async () => undefined);
    const upload = await openUpload(url, bytes.length, more);
    void drip(upload, bytes);
    let served = 0;
    const ended = upload.received.then(() => true);
    while (!(await Promise.race([ended, pause(100, false)]))) {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'text/csv' },
        body: 'a,b\n',
      });
      expect(response.status).toBe(200);
      served += 1;
    }
    expect(served).toBeGreaterThan(1);
    expect(await upload.received).toContain('"code":"request_timeout"');
  },
);

it('a client that sends no body while its key waits is ended after all', async () => {
  const url = await serveSlowAdmission(() => pause(100_000, undefined, { ref: false }), 1);
  const upload = await openUpload(url, 5_000);
  expect(await upload.received).toContain('"code":"request_timeout"');
});

it('a body whose sender hangs up while its key is identified is read in full', async () => {
  const router = new Router(NOOP_OBSERVER, async () => 'reference', new ServiceShares(limits));
  const received = new Promise<number>((resolve, reject) => {
    const handler = async (
      _: object,
      { env }: { env: { incoming: Parameters<typeof receiveBatch>[0] } },
    ) => {
      await pause(100);
      const memory = sharesOf(env.incoming).bodyMemory();
      const { bytes } = await receiveBatch(env.incoming, limits, memory).catch((error) => {
        reject(error);
        throw error;
      });
      resolve(bytes.length);
      return jsonReply(200, { bytes: bytes.length });
    };
    router.add('/upload', { POST: { operation: null, handler } });
  });
  const server = await serveApp(router.app, { host: '127.0.0.1', port: 0, limits });
  afterTest(async () => {
    server.closeAllConnections();
    await server.stop();
  });
  const url = new URL('/upload', server.url);
  const socket = connect(Number(url.port), '127.0.0.1');
  const body = '["a"]';
  socket.write(
    `POST /upload HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  socket.end(() => socket.destroy());
  expect(await received).toBe(body.length);
});
