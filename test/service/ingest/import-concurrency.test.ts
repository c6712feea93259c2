import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { importReadings } from '../../../src/service/ingest/readings-import.ts';
import type { Store } from '../../../src/store/store.ts';
import { IMPORT_NOW, type ImportFarm, newImportFarm } from './import-farm.ts';

const BATCH = 10_000;

let farm: ImportFarm;
beforeEach(async () => {
  farm = await newImportFarm();
});
afterEach(() => farm.remove());

const rows = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, index) => {
    const time = new Date(Date.UTC(2026, 0, 1) + (from + index) * 60_000).toISOString();
    return `A1B2C3,humidity,10,${time},21\n`;
  }).join('');

const HEADER = 'module,type,depth,time,value\n';

function importPast(
  chunks: AsyncIterable<string>,
  beforeWrite: (count: number) => Promise<void>,
  onProgress?: (done: { readings: number }) => void,
) {
  let count = 0;
  const store: Pick<Store, 'read' | 'write'> = {
    read: (...query) => farm.store.read(...query),
    write: async (...query) => {
      await beforeWrite(++count);
      return farm.store.write(...query);
    },
  };
  const { companyId } = farm;
  return importReadings(chunks, {
    store: store as Store,
    companyId,
    zone: 'UTC',
    now: IMPORT_NOW,
    onProgress,
  });
}

describe('an import', () => {
  it('reads while a batch is being written, and writes one at a time', async () => {
    let isAskedForMore = (): void => undefined;
    const more = new Promise<void>((resolve) => {
      isAskedForMore = resolve;
    });
    async function* chunks() {
      yield HEADER + rows(0, BATCH + 10);
      isAskedForMore();
      yield rows(BATCH + 10, 3 * BATCH);
    }
    let running = 0;
    let most = 0;
    const report = await importPast(chunks(), async (count) => {
      most = Math.max(most, ++running);
      if (count === 1) await more;
      await pause(5);
      running--;
    });
    expect(report).toMatchObject({
      stored: 3 * BATCH,
      duplicates: 0,
      to: Date.UTC(2026, 0, 1) + (3 * BATCH - 1) * 60_000,
    });
    expect(most).toBe(1);
    expect(await farm.readings()).toHaveLength(3 * BATCH);
  });

  it('reports its progress once a batch is written, also while it waits for input', async () => {
    let resolveProgress = (): void => undefined;
    const reported = new Promise<void>((resolve) => {
      resolveProgress = resolve;
    });
    async function* chunks() {
      yield HEADER + rows(0, BATCH);
      await reported;
    }
    const done: number[] = [];
    await importPast(
      chunks(),
      () => pause(5),
      ({ readings }) => {
        done.push(readings);
        if (readings === BATCH) resolveProgress();
      },
    );
    expect(done).toContain(BATCH);
  });

  it('ends only after its last batch is written if the file breaks off', async () => {
    const order: string[] = [];
    async function* chunks() {
      yield HEADER + rows(0, BATCH + 10);
      throw new Error('the disk is gone');
    }
    const ended = importPast(chunks(), async () => {
      await pause(20);
      order.push('writes');
    });
    await expect(ended.finally(() => order.push('ends'))).rejects.toThrow('the disk is gone');
    expect(order).toEqual(['writes', 'ends']);
    expect(await farm.readings()).toHaveLength(BATCH);
  });

  it('ends with a failed batch, and keeps those before it', async () => {
    async function* chunks() {
      yield HEADER;
      for (let start = 0; start < 6 * BATCH; start += 1_000) yield rows(start, start + 1_000);
    }
    const written: number[] = [];
    const ended = importPast(chunks(), async (count) => {
      written.push(count);
      await pause(5);
      if (count === 2) throw new Error('no room');
    });
    await expect(ended).rejects.toThrow('no room');
    expect(written).toEqual([1, 2]);
    expect(await farm.readings()).toHaveLength(BATCH);
  });
});
