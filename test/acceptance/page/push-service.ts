import { createECDH, randomBytes } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { afterTest } from '../../cleanup.ts';

/** Of web-push, which sends with it. */
const { decrypt } = createRequire(createRequire(import.meta.url).resolve('web-push'))(
  'http_ece',
) as {
  decrypt(body: Buffer, options: object): Buffer;
};

export interface PushedMessage {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Stands for the push service of a browser. */
export async function startPushService(
  answer: (message: PushedMessage) => { status: number; location?: string },
) {
  const received: PushedMessage[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const message = { path: request.url!, headers: request.headers, body: Buffer.concat(chunks) };
      received.push(message);
      const { status, location } = answer(message);
      response.writeHead(status, location === undefined ? {} : { location }).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterTest(() => void server.close());
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

/** The keys of a browser, which alone can read what is sent to it. */
export function newPushDevice(origin: string, path = '/push/1') {
  const keys = createECDH('prime256v1');
  keys.generateKeys();
  const authSecret = randomBytes(16);
  return {
    subscription: {
      endpoint: `${origin}${path}`,
      keys: { p256dh: keys.getPublicKey('base64url'), auth: authSecret.toString('base64url') },
      lang: 'fr',
    },
    read: ({ body }: PushedMessage) =>
      JSON.parse(decrypt(body, { version: 'aes128gcm', privateKey: keys, authSecret }).toString()),
  };
}
