import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { ServiceShares } from '../../../src/http/admission/service-shares.ts';
import { receiveBatch } from '../../../src/http/body/batch-bytes.ts';
import { isCsvType, isJsonType } from '../../../src/http/body/content-type.ts';
import { collectBytes } from '../../../src/http/body/request-body.ts';
import { httpLimits } from '../../../src/http/http-limits.ts';

describe('a Content-Type', () => {
  it.each([
    'application/json',
    'Application/JSON; charset="UTF-8"',
    'application/json ; charset = utf8 ;',
    'application/json;',
  ])('is JSON in UTF-8: %s', (header) => expect(isJsonType(header)).toBe(true));

  it.each([
    'application/jsonl',
    'text/json',
    'application/json; charset=latin1',
    'application/json; version=2',
    'application/json charset=utf-8',
    '',
  ])('is not JSON in UTF-8: %s', (header) => expect(isJsonType(header)).toBe(false));

  it.each([
    'text/csv',
    'text/csv; header=present; charset=utf-8',
    'text/csv;charset="utf-8";header="present"',
  ])('is CSV in UTF-8: %s', (header) => expect(isCsvType(header)).toBe(true));

  it.each(['text/csv; header=absent', 'text/csv; charset=utf-16', 'text/plain'])(
    'is not CSV in UTF-8: %s',
    (header) => expect(isCsvType(header)).toBe(false),
  );
});

describe('a batch whose sender disconnects', () => {
  const MAX_BYTES = 1_048_576;
  const PART = gzipSync('a,b\n'.repeat(10_000)).subarray(0, 40);
  const { bodies } = new ServiceShares(httpLimits((setting) => setting.default));

  /** Sends the first part of a batch and returns the request as the server has it. */
  async function interruptedBatch(
    encoding: 'gzip' | 'identity',
  ): Promise<{ incoming: IncomingMessage; disconnect: () => void }> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const outgoing = request({
      port,
      host: '127.0.0.1',
      method: 'POST',
      headers: {
        'content-type': 'text/csv',
        'content-encoding': encoding,
        'content-length': 10_000,
      },
    }).on('error', () => undefined);
    outgoing.write(PART);
    const [incoming] = (await once(server, 'request')) as [IncomingMessage];
    incoming.on('error', () => undefined);
    server.close();
    return { incoming, disconnect: () => outgoing.destroy() };
  }

  const reading = (incoming: IncomingMessage) =>
    receiveBatch(
      incoming,
      { batchBytes: MAX_BYTES, requestSeconds: 30 },
      bodies.open({ company: 1, key: 'key:1' }),
    );

  it.each(['gzip', 'identity'] as const)(
    'is incomplete if that happens before it is read: %s',
    async (encoding) => {
      const { incoming, disconnect } = await interruptedBatch(encoding);
      disconnect();
      await new Promise((resolve) => incoming.once('close', resolve));
      await expect(reading(incoming)).rejects.toThrow('The body is incomplete.');
    },
  );

  it.each(['gzip', 'identity'] as const)(
    'is incomplete if that happens while it is read: %s',
    async (encoding) => {
      const { incoming, disconnect } = await interruptedBatch(encoding);
      const body = reading(incoming);
      setImmediate(disconnect);
      await expect(body).rejects.toThrow('The body is incomplete.');
    },
  );
});

it('reads one part of all large bodies in a turn of the event loop', async () => {
  const PARTS = 16;
  const { bodies } = new ServiceShares(httpLimits((setting) => setting.default));
  const limits = { maxBytes: 10_000_000, requestSeconds: 30 };
  const arriving = [1, 2].map((company) => {
    const parts = Array.from({ length: PARTS }, () => Buffer.alloc(65_536));
    const memory = bodies.open({ company, key: 'key:1' });
    return collectBytes(Readable.from(parts), limits, { memory });
  });

  let turns = 0;
  let isOver = false;
  const countTurns = (): void => {
    turns++;
    if (!isOver) setImmediate(countTurns);
  };
  countTurns();
  await Promise.all(arriving);
  isOver = true;
  expect(turns).toBeGreaterThanOrEqual(2 * (PARTS - 1));
});
