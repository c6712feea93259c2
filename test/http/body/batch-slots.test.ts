import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { BatchSlots } from '../../../src/http/body/batch-slots.ts';

const newSlots = () => new BatchSlots({ batchBytes: 100 });

const serverBusy = expect.objectContaining({ code: 'server_busy', status: 503, retryAfterS: 2 });

it('keeps two of the largest batches of one key, and four of all keys', () => {
  const slots = newSlots();
  const first = slots.open('key:1');
  first.reserveMemory(100);
  slots.open('key:1').reserveMemory(100);
  expect(() => slots.open('key:1').reserveMemory(1)).toThrow(serverBusy);
  slots.open('key:2').reserveMemory(200);
  expect(() => slots.open('key:3').reserveMemory(1)).toThrow(serverBusy);
  first.release();
  slots.open('key:3').reserveMemory(100);
});

it('runs one batch of a key at a time, and four of all keys', async () => {
  const slots = newSlots();
  const running: string[] = [];
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const run = (key: string) =>
    slots.open(key).run(async () => {
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
  const slots = newSlots();
  await expect(slots.open('a').run(() => Promise.reject(new Error('broken')))).rejects.toThrow(
    'broken',
  );
  expect(await slots.open('a').run(async () => 7)).toBe(7);
});
