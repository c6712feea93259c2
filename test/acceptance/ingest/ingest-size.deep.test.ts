import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { withSecondStore } from '../../stores/stores.ts';
import type { RestService } from '../rest-service.ts';
import { CSV_HEADERS, GZIP_HEADERS, reading, startIngestService } from './ingest-service.ts';

const MAX_BATCH_BYTES = 16 * 1024 * 1024;

describe('the size of a batch', () => {
  /** Peak memory of the service, KiB. */
  const peakOf = ({ child }: Pick<RestService, 'child'>): number =>
    Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))![1]);

  const csvOf = (bytes: number): Buffer<ArrayBuffer> => {
    const text = 'module,type,depth,time,value\nA1,humidity,10,2026-07-01T07:00,22.5\n';
    return Buffer.concat([Buffer.from(text), Buffer.alloc(bytes - text.length, '\n')]);
  };

  it('is at most 16 MiB, compressed or not', async () => {
    const service = await startIngestService();
    const [largest, larger] = [csvOf(MAX_BATCH_BYTES), csvOf(MAX_BATCH_BYTES + 1)];
    expect(await service.post(largest, CSV_HEADERS)).toMatchObject({
      status: 200,
      body: { readings: { written: 1 } },
    });
    expect(
      await service.post(gzipSync(largest), { ...CSV_HEADERS, ...GZIP_HEADERS }),
    ).toMatchObject({
      status: 200,
      body: { readings: { unchanged: 1 } },
    });
    for (const refused of [
      await service.post(larger, CSV_HEADERS),
      await service.post(gzipSync(larger), { ...CSV_HEADERS, ...GZIP_HEADERS }),
    ])
      expect(refused).toMatchObject({ status: 413, body: { code: 'payload_too_large' } });
  });

  it('has an option, which does not apply to other bodies', async () => {
    const service = await startIngestService('--max-batch', '2000');
    expect((await service.post(csvOf(2001), CSV_HEADERS)).status).toBe(413);
    expect((await service.post(csvOf(2000), CSV_HEADERS)).status).toBe(200);
    const key = await service.newKey();
    const body = { moduleId: 1, threshold: 20, pad: 'x'.repeat(2 * 1024 * 1024) };
    expect((await service.request('POST', '/alerts', { key, body })).status).toBe(413);
  });

  it.each([
    ['readings', 'readings'],
    ['gateways', 'gateways'],
  ])('is refused by the number of its %s before they are parsed', async (name, field) => {
    const service = await startIngestService();
    const count = 8_000_000;
    // 16 KB compressed.
    const packed = gzipSync(`{"${name}":[${'0,'.repeat(count - 1)}0]}`);
    const before = peakOf(service);
    const { status, body } = await service.post(packed, GZIP_HEADERS);
    expect([status, body.code, body.field]).toEqual([400, 'invalid_body', field]);
    expect(body.detail).toContain(`${name} is not valid: it has more than`);
    // Its bytes twice; the parsed list alone would need more.
    expect(peakOf(service) - before).toBeLessThan(128 * 1024);
  });

  it('stops inflating a decompression bomb', async () => {
    const service = await startIngestService();
    // 4 GiB from 4 MB.
    const part = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    const bomb = Buffer.concat(Array.from({ length: 64 }, () => part));
    const before = peakOf(service);
    expect(await service.post(bomb, GZIP_HEADERS)).toMatchObject({
      status: 413,
      body: { code: 'payload_too_large' },
    });
    expect(peakOf(service) - before).toBeLessThan(128 * 1024);
    expect((await service.send({ readings: [reading(20)] })).body.readings.written).toBe(1);
  });

  it('does not end the service or block other writers by many simultaneous batches of bad rows', async () => {
    const service = await startIngestService();
    const writer = await service.newKey();
    const row = `{"a":[${Array(22).fill('{}').join()}]}`;
    // 50 KB on the way.
    const packed = gzipSync(`{"readings":[${Array(200_000).fill(row).join()}]}`);
    const before = peakOf(service);
    let isOver = false;
    const attack = Promise.all(
      Array.from({ length: 14 }, () => service.post(packed, GZIP_HEADERS)),
    ).finally(() => {
      isOver = true;
    });
    let written = 0;
    await withSecondStore(service.db, async (store) => {
      while (!isOver) {
        const body = { startedAt: '2026-07-01T06:00', inputMode: 'duration', durationMin: 30 };
        const path = '/modules/1/irrigation/events';
        expect((await service.request('POST', path, { key: writer, body })).status).toBe(201);
        await store.write(1, async () => undefined);
        written++;
      }
    });
    const statuses = (await attack).map(({ status }) => status);
    // They wait for each other, for as long as batches may wait.
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(2);
    expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
    expect(written).toBeGreaterThan(14);
    // Four batches of 16 MiB, twice while their chunks are joined, and the validated rows of one.
    expect(peakOf(service) - before).toBeLessThan(512 * 1024);
  });
});
