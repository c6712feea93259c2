import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { firstOf } from '../../../src/domain/items.ts';
import { ServiceShares } from '../../../src/http/admission/service-shares.ts';
import { receiveBytes } from '../../../src/http/body/request-body.ts';
import { refuseSmallParts } from '../../../src/http/body/small-parts.ts';
import { httpLimits } from '../../../src/http/http-limits.ts';
import { jsonReply } from '../../../src/http/reply.ts';
import { type RouteHandler, Router } from '../../../src/http/router.ts';
import { serveApp } from '../../../src/http/server.ts';
import { NOOP_OBSERVER } from '../../../src/observe/observer.ts';
import { afterTest } from '../../cleanup.ts';

const limits = httpLimits((setting) => setting.default);
/** Node reads so much of a connection at once. */
const READ_BYTES = 65_536;

/** `/read` reads the body of a request, and `/ignore` does not. */
async function serve() {
  const shares = new ServiceShares(limits);
  const router = new Router(NOOP_OBSERVER, async () => 'reference', shares);
  const sockets: Socket[] = [];
  let bodyBytes = 0;
  const handler =
    (isRead: boolean): RouteHandler =>
    async (_, { env: { incoming } }) => {
      sockets.push(incoming.socket);
      if (isRead) bodyBytes += (await receiveBytes(incoming, limits, 1_000_000)).length;
      return jsonReply(200, {});
    };
  for (const [path, isRead] of [
    ['/read', true],
    ['/ignore', false],
  ] as const) {
    const route = { operation: null, handler: handler(isRead) };
    router.add(path, { GET: route, POST: route });
  }
  const server = await serveApp(router.app, { host: '127.0.0.1', port: 0, limits, shares });
  afterTest(async () => {
    server.closeAllConnections();
    await server.stop();
  });
  const client = connect(Number(new URL(server.url).port), '127.0.0.1');
  const closed = new Promise((resolve) => client.once('close', resolve));
  client.on('error', () => undefined);
  afterTest(() => client.destroy());
  let received = '';
  client.on('data', (chunk) => {
    received += chunk;
  });
  return {
    client,
    closed,
    received: () => received,
    bytesRead: () => sockets.reduce((sum, { bytesRead }) => sum + bytesRead, 0),
    requests: () => sockets.length,
    bodyBytes: () => bodyBytes,
  };
}

const head = (start: string) =>
  `${start} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n`;
const POST = head('POST /read');

function sendWithoutEnd(client: Socket, text: string): void {
  const send = (): void => {
    while (!client.destroyed && client.write(text));
  };
  client.on('drain', send);
  send();
}

it.each([
  ['in parts of one byte', POST, '1\r\n1\r\n', '400'],
  ['with long sizes', POST, '0001\r\n1\r\n', '400'],
  ['with extensions', POST, `1;${'a'.repeat(200)}\r\n1\r\n`, '400'],
  ['that the handler does not read', head('POST /ignore'), '1\r\n1\r\n', '200'],
  ['of a GET', head('GET /ignore'), '1\r\n1\r\n', '200'],
  ['of a path that does not exist', head('POST /none'), '1\r\n1\r\n', '404'],
  ['of one request after another', POST, `${'1\r\n1\r\n'.repeat(1_500)}0\r\n\r\n${POST}`, '400'],
])(
  'a body without end %s is read no further, and its connection closed',
  async (_, start, chunk, status) => {
    const { client, closed, received, bytesRead, requests } = await serve();
    client.write(start);
    sendWithoutEnd(client, chunk.repeat(Math.ceil((4 * READ_BYTES) / chunk.length)));
    await closed;
    expect(received().slice(9, 12)).toBe(status);
    // An answer that does not wait for the body may have left before.
    if (status === '400') expect(received()).toMatch(/^connection: close\r$/im);
    expect(received().split('HTTP/1.1 ').length).toBeLessThanOrEqual(2);
    expect(bytesRead()).toBeLessThanOrEqual(8 * READ_BYTES);
    expect(requests()).toBeLessThanOrEqual(1);
  },
);

/** The parser of Node, which hands over each part to its function at `kOnBody`. */
interface ParserOfNode {
  readonly constructor: { readonly kOnBody: number };
  [callback: number]: (this: unknown, part: Buffer) => unknown;
}

it('no part is handed over beyond the limit, and those of later requests are', async () => {
  const counts: number[] = [];
  const counted = new WeakSet<object>();
  const server = createServer((incoming, outgoing) => {
    counts.unshift(0);
    const { parser } = incoming.socket as unknown as { readonly parser: ParserOfNode };
    const { kOnBody } = parser.constructor;
    const onBody = parser[kOnBody];
    if (!counted.has(parser)) {
      counted.add(parser);
      parser[kOnBody] = function (part) {
        counts[0] = firstOf(counts) + 1;
        return onBody?.call(this, part);
      };
    }
    refuseSmallParts(incoming, outgoing);
    incoming.resume().once('end', () => outgoing.end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterTest(() => server.close());
  const { port } = server.address() as AddressInfo;

  const send = async (parts: number): Promise<void> => {
    const client = connect(port, '127.0.0.1');
    client.resume().on('error', () => undefined);
    client.end(`${POST}${'1\r\n1\r\n'.repeat(parts)}0\r\n\r\n`);
    await new Promise((resolve) => client.once('close', resolve));
  };
  await send(10_000);
  await send(900);
  expect(counts).toEqual([900, 1_025]);
});

it('a body in many short lines is taken, and so is one of few tiny parts', async () => {
  const { client, received, bodyBytes } = await serve();
  const line = '1b\r\n{"device":"A1","value":21}\n\r\n';
  client.write(`${POST}${line.repeat(5_000)}0\r\n\r\n`);
  client.write(`${POST}${'1\r\n1\r\n'.repeat(1_000)}0\r\n\r\n`);
  await expect.poll(() => received().match(/HTTP\/1\.1 200/g)?.length).toBe(2);
  expect(bodyBytes()).toBe(27 * 5_000 + 1_000);
});

it('what follows an unknown expectation is not read', async () => {
  const { client, closed, received } = await serve();
  client.write(POST.replace('\r\n\r\n', '\r\nExpect: more\r\n\r\n'));
  sendWithoutEnd(client, '1\r\n1\r\n'.repeat(40_000));
  await closed;
  expect(received()).toMatch(/^HTTP\/1\.1 417 .*^connection: close\r$/ims);
});
