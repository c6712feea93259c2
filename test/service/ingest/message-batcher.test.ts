import { beforeAll, describe, expect, it } from 'vitest';
import { say } from '../../../src/domain/text/say.ts';
import { type AcequiaError, plainError, storeUnavailableError } from '../../../src/schema/error.ts';
import type { IngestResult } from '../../../src/schema/ingest/ingest-batch.ts';
import { firstBatch } from '../../../src/service/ingest/message-batch.ts';
import {
  MessageBatcher,
  type MessageBatcherOptions,
} from '../../../src/service/ingest/message-batcher.ts';
import { parsePayloadMap } from '../../../src/service/ingest/payload/payload-map.ts';
import { allPresets } from '../../../src/service/ingest/payload/presets.ts';

/** A message without a known field is read by all presets; parsing them first takes long. */
beforeAll(() => void allPresets());

const MAP = parsePayloadMap(
  JSON.stringify({
    readings: [
      { topic: '{module}', time: 'arrival', values: [{ path: 'v', type: 'humidity', depth: 10 }] },
    ],
  }),
);

type Rows = Parameters<MessageBatcherOptions['write']>[0];

const answer = (rows: Rows, refused: IngestResult['refused'] = []): IngestResult => ({
  readings: {
    written: rows.readings.length - refused.length,
    changed: 0,
    unchanged: 0,
    repeated: 0,
    refused: refused.length,
    storedUnassigned: 0,
  },
  weather: { written: 0, refused: 0 },
  rain: { written: 0, changed: 0, unchanged: 0, staleTotals: 0, refused: 0 },
  gateways: { changed: 0, unchanged: 0, refused: 0 },
  modules: [],
  reasons: [],
  refused,
  skippedColumns: [],
});

const tooLarge = () => plainError({ code: 'payload_too_large', status: 413, message: 'too large' });

function recordingBatcher(write: (rows: Rows) => Promise<IngestResult>) {
  const events: string[] = [];
  const batcher = new MessageBatcher({
    map: MAP,
    clock: () => Date.UTC(2026, 6, 1),
    write: async (rows) => {
      events.push(`write ${rows.readings.length}`);
      return write(rows);
    },
    onDeadLetter: ({ topic, reason }) => void events.push(`dead letter ${topic}: ${reason}`),
    onRetry: (error) => void events.push(`retry ${(error as Error).message}`),
    onPermanentFailure: (error) => void events.push(`refused ${(error as AcequiaError).code}`),
  });
  const receive = (topic: string, payload: unknown = { v: 1 }) =>
    batcher.enqueue({
      topic,
      payload: Buffer.from(JSON.stringify(payload)),
      isRetained: false,
      acknowledge: () => void events.push(`acknowledge ${topic}`),
    });
  return { batcher, receive, events };
}

describe('messages', () => {
  it('are acknowledged in order once they are written, dead letters too', async () => {
    const { batcher, receive, events } = recordingBatcher(async (rows) => answer(rows));
    await Promise.all([receive('a'), receive('b', {}), receive('c')]);
    await batcher.close();
    expect(events).toEqual([
      'dead letter b: no path of the map has a value; readings[0].values[0].path, "v", is the first',
      ...['write 2', 'acknowledge a', 'acknowledge b', 'acknowledge c'],
    ]);
    expect(batcher.counts).toMatchObject({ messages: 3, written: 2, deadLetters: 1 });
  });

  it('have the totals of rain counted that were below an earlier one', async () => {
    const rain = { written: 0, changed: 0, unchanged: 0, staleTotals: 2, refused: 0 };
    const { batcher, receive } = recordingBatcher(async (rows) => ({ ...answer(rows), rain }));
    await receive('a');
    await batcher.close();
    expect(batcher.counts).toMatchObject({ staleTotals: 2 });
  });

  it('are written in batches of three hundred', async () => {
    const { batcher, receive, events } = recordingBatcher(async (rows) => answer(rows));
    await Promise.all(Array.from({ length: 700 }, (_, n) => receive(`m${n}`)));
    await batcher.close();
    expect(events.filter((each) => each.startsWith('write'))).toEqual([
      'write 300',
      'write 300',
      'write 100',
    ]);
    expect(events.filter((each) => each.startsWith('acknowledge'))).toEqual(
      Array.from({ length: 700 }, (_, n) => `acknowledge m${n}`),
    );
  });

  it('are written while one is always being read', async () => {
    const { batcher, receive, events } = recordingBatcher(async (rows) => answer(rows));
    const isWritten = () => events.some((each) => each.startsWith('write'));
    const fields = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`f${n}`, n]));
    const long = { v: 1, others: Array(20).fill(fields) };
    let count = 0;
    for (; count < 299 && !isWritten(); count++) await receive(`m${count}`, long);
    await batcher.close();
    expect(count).toBeLessThan(299);
  });

  it.each([
    ['readings', 20_000],
    ['rain', 20_000],
    ['weather', 20_000],
    ['devices', 10_000],
    ['unread', 1_000],
  ] as const)('are of one batch with as many %s as a service accepts', (list, most) => {
    const lists = { readings: [], rain: [], weather: [], gateways: [], devices: [], unread: [] };
    const item = { device: 'd', sender: 'd', reason: 'r' };
    const message = { topic: 'a', payload: Buffer.of(), isRetained: false, acknowledge: () => {} };
    const pendingOf = (counts: readonly number[]) =>
      counts.map((count) => ({ ...lists, [list]: Array(count).fill(item), message }));
    expect(firstBatch(pendingOf([most - 1, 1, 1]))).toHaveLength(2);
    expect(firstBatch(pendingOf([most + 1, 1]))).toHaveLength(1);
  });

  it('are reported by topic if one of their rows is rejected', async () => {
    const { batcher, receive, events } = recordingBatcher(async (rows) =>
      answer(rows, [{ location: 'readings[1]', reason: 'unknown module', row: '{}' }]),
    );
    await Promise.all([receive('a'), receive('b'), receive('c')]);
    await batcher.close();
    expect(events).toContain('dead letter b: unknown module');
    expect(batcher.counts).toMatchObject({ written: 2, deadLetters: 1 });
  });

  it('wait while they cannot be written', async () => {
    let isBack = false;
    const { batcher, receive, events } = recordingBatcher(async (rows) => {
      if (isBack) return answer(rows);
      isBack = true;
      throw storeUnavailableError(say`away`, say`wait`);
    });
    await receive('a');
    await expect.poll(() => events).toContain('acknowledge a');
    await batcher.close();
    expect(events).toEqual(['write 1', 'retry away', 'write 1', 'acknowledge a']);
  });

  it('are not accepted after a permanent failure', async () => {
    const { batcher, receive, events } = recordingBatcher(async () => {
      throw plainError({ code: 'insufficient_scope', status: 403, message: 'no' });
    });
    await receive('a');
    await expect.poll(() => events).toHaveLength(2);
    await receive('b');
    await batcher.close();
    expect(events).toEqual(['write 1', 'refused insufficient_scope']);
  });

  it('that are being read during a permanent failure are not written', async () => {
    let isRead: Promise<void> | undefined;
    const { batcher, receive, events } = recordingBatcher(async () => {
      isRead ??= receive('b');
      throw plainError({ code: 'insufficient_scope', status: 403, message: 'no' });
    });
    await receive('a');
    await expect.poll(() => events).toContain('refused insufficient_scope');
    await isRead;
    await batcher.close();
    expect(events).toEqual(['write 1', 'refused insufficient_scope']);
  });

  it('are written in halves if a batch is too large, and one that is too large alone is a dead letter', async () => {
    const { batcher, receive, events } = recordingBatcher(async (rows) => {
      if (rows.readings.length > 2 || JSON.stringify(rows).includes('large')) throw tooLarge();
      return answer(rows);
    });
    await Promise.all(['a', 'b', 'large', 'c', 'd'].map((topic) => receive(topic)));
    await batcher.close();
    expect(events).toEqual([
      ...['write 5', 'write 3', 'write 2', 'acknowledge a', 'acknowledge b', 'write 1'],
      'dead letter large: this message alone is larger than the service accepts',
      ...['acknowledge large', 'write 2', 'acknowledge c', 'acknowledge d'],
    ]);
    expect(batcher.counts).toMatchObject({ messages: 5, written: 4, deadLetters: 1 });
  });

  it.each([401, 403, 404])(
    'wait for a service that worked before and then answers %i',
    async (status) => {
      let calls = 0;
      const { batcher, receive, events } = recordingBatcher(async (rows) => {
        calls++;
        if (calls === 2) throw plainError({ code: 'refused', status, message: 'not now' });
        return answer(rows);
      });
      await receive('a');
      await expect.poll(() => events).toContain('acknowledge a');
      await receive('b');
      await expect.poll(() => events).toContain('acknowledge b');
      await batcher.close();
      expect(events).toEqual([
        'write 1',
        'acknowledge a',
        'write 1',
        'retry not now',
        'write 1',
        'acknowledge b',
      ]);
    },
  );

  it('are not acknowledged if the batcher closes before they are written', async () => {
    const { batcher, receive, events } = recordingBatcher(async () => {
      throw storeUnavailableError(say`away`, say`wait`);
    });
    await receive('a');
    await expect.poll(() => events).toContain('retry away');
    await batcher.close();
    expect(events.filter((each) => each.startsWith('acknowledge'))).toEqual([]);
  });

  it('wait beyond five thousand until some are written', async () => {
    let finishWrite = (): void => undefined;
    const writeFinished = new Promise<void>((resolve) => {
      finishWrite = resolve;
    });
    const { batcher, receive } = recordingBatcher(async (rows) => {
      await writeFinished;
      return answer(rows);
    });
    for (let n = 0; n < 4_999; n++) await receive(`m${n}`);
    let isAccepted = false;
    const last = receive('last').then(() => {
      isAccepted = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(isAccepted).toBe(false);
    finishWrite();
    await last;
    await batcher.close();
    expect(batcher.counts.messages).toBe(5_000);
  });
});
