import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { batchSlots, keyQueue } from '../../../src/http/admission/key-queue.ts';

const keyBusy = expect.objectContaining({ code: 'rate_limited', status: 429, retryAfterS: 5 });

function recorder(maxWaiting: number, maxWaitMs?: number) {
  const run = keyQueue(maxWaiting, maxWaitMs);
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    started,
    end: async (name: string) => {
      ends.get(name)!();
      await nextTurn();
    },
    begin: (name: string) =>
      run(name[0]!, () => {
        started.push(name);
        return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
      }),
  };
}

it('processes two requests of a key at a time, and the others in order', async () => {
  const { begin, started, end } = recorder(10);
  const done = ['a1', 'a2', 'a3', 'a4', 'a5', 'b1'].map((name) => begin(name));
  expect(started).toEqual(['a1', 'a2', 'b1']);
  await end('a2');
  expect(started.slice(3)).toEqual(['a3']);
  for (const name of ['b1', 'a1', 'a3', 'a4', 'a5']) await end(name);
  expect(await Promise.all(done)).toEqual(['a1', 'a2', 'a3', 'a4', 'a5', 'b1']);
});

it('continues after a failed request', async () => {
  const run = keyQueue(10);
  const failing = Array.from({ length: 5 }, () => run('a', () => Promise.reject(new Error('no'))));
  expect((await Promise.allSettled(failing)).map(({ status }) => status)).toEqual(
    Array(5).fill('rejected'),
  );
  expect(await run('a', async () => 'yes')).toBe('yes');
});

it('refuses requests that would wait behind too many or have waited too long, and says when to retry', async () => {
  const { begin, started, end } = recorder(1, 20);
  for (const name of ['a1', 'a2']) void begin(name);
  const waiting = begin('a3');
  await expect(begin('a4')).rejects.toEqual(keyBusy);
  await expect(waiting).rejects.toEqual(keyBusy);
  await pause(1);
  await end('a1');
  void begin('a5');
  expect(started).toEqual(['a1', 'a2', 'a5']);
});

const slots = () => batchSlots({ batchBytes: 100 });

const serverBusy = expect.objectContaining({ code: 'server_busy', status: 503, retryAfterS: 2 });

it('keeps two of the largest batches of one key, and four of all keys', () => {
  const openSlot = slots();
  const first = openSlot('key:1');
  first.reserveMemory(100);
  openSlot('key:1').reserveMemory(100);
  expect(() => openSlot('key:1').reserveMemory(1)).toThrow(serverBusy);
  openSlot('key:2').reserveMemory(200);
  expect(() => openSlot('key:3').reserveMemory(1)).toThrow(serverBusy);
  first.release();
  openSlot('key:3').reserveMemory(100);
});

it('runs one batch of a key at a time, and four of all keys', async () => {
  const openSlot = slots();
  const running: string[] = [];
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const run = (key: string) =>
    openSlot(key).run(async () => {
      running.push(key);
      started.push(key);
      await new Promise<void>((resolve) => ends.push(resolve));
      running.splice(running.indexOf(key), 1);
    });
  const all = ['a', 'a', 'b', 'c', 'd', 'e', 'a'].map(run);
  await nextTurn();
  expect(running).toEqual(['a', 'b', 'c', 'd']);
  for (let n = 0; n < 7; n++) {
    ends[n]!();
    await nextTurn();
    expect(new Set(running).size).toBe(running.length);
    expect(running.length).toBeLessThanOrEqual(4);
  }
  await Promise.all(all);
  expect(started.sort()).toEqual(['a', 'a', 'a', 'b', 'c', 'd', 'e']);
});

it('lets the next batch run after one that fails', async () => {
  const openSlot = slots();
  await expect(openSlot('a').run(() => Promise.reject(new Error('broken')))).rejects.toThrow(
    'broken',
  );
  expect(await openSlot('a').run(async () => 7)).toBe(7);
});
