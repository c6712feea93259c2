import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { staticReply } from '../../src/http/router.ts';

const TEXT = 'Olives '.repeat(1_000);
const handler = staticReply(TEXT, 'text/plain');

async function replyTo(acceptedEncoding?: string) {
  const headers: Record<string, string> = {};
  const header = (name: string) => (name === 'accept-encoding' ? acceptedEncoding : undefined);
  const { content } = await handler(headers, { req: { header } } as never, {} as never);
  return { content: content as Uint8Array, headers };
}

it('compresses a text once for all replies', async () => {
  const [first, second] = [await replyTo('gzip'), await replyTo('br, gzip')];
  expect(second.content).toBe(first.content);
  expect(gunzipSync(first.content).toString()).toBe(TEXT);
  expect(first.headers).toMatchObject({ 'Content-Encoding': 'gzip', Vary: 'Accept-Encoding' });
});

it('encodes it once for clients that accept no compression', async () => {
  const [first, second] = [await replyTo(), await replyTo('gzip;q=0')];
  expect(second.content).toBe(first.content);
  expect(Buffer.from(first.content).toString()).toBe(TEXT);
  expect(first.headers).toMatchObject({ Vary: 'Accept-Encoding' });
  expect(first.headers).not.toHaveProperty('Content-Encoding');
});
