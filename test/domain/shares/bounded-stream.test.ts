import { expect, it } from 'vitest';
import { BoundedStream } from '../../../src/domain/shares/bounded-stream.ts';

const bytes = (length: number): Uint8Array => new Uint8Array(length);

it('carries what is sent, and ends', async () => {
  const stream = new BoundedStream(100);
  stream.send(bytes(60));
  stream.send(bytes(40));
  stream.end();
  await stream.ended;
  expect((await new Response(stream.content as ReadableStream).arrayBuffer()).byteLength).toBe(100);
});

it('goes on while its reader reads', async () => {
  const stream = new BoundedStream(100);
  const reader = stream.content.getReader();
  for (let n = 0; n < 20; n++) {
    stream.send(bytes(90));
    expect((await reader.read()).value).toHaveLength(90);
  }
});

it('fails once too much of it is unread', async () => {
  const stream = new BoundedStream(100);
  const reader = stream.content.getReader();
  stream.send(bytes(60));
  stream.send(bytes(60));
  await stream.ended;
  await expect(reader.read()).rejects.toThrow('too slow');
  expect(() => stream.send(bytes(1))).not.toThrow();
});

it('ends when its reader goes', async () => {
  const stream = new BoundedStream(100);
  await stream.content.cancel();
  await stream.ended;
  expect(() => stream.end()).not.toThrow();
});
