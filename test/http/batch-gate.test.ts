import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { batchGate } from '../../src/http/batch-gate.ts';

const gate = () => batchGate({ batchBytes: 100 });

const busy = expect.objectContaining({ code: 'server_busy', status: 503 });

it('holds two of the largest batches of one key, and four of all keys', () => {
  const enter = gate();
  const headers = {};
  const first = enter('key:1', headers);
  first.hold(100);
  enter('key:1', headers).hold(100);
  expect(headers).toEqual({});
  expect(() => enter('key:1', headers).hold(1)).toThrow(busy);
  expect(headers).toEqual({ 'Retry-After': '2' });
  enter('key:2', {}).hold(200);
  expect(() => enter('key:3', {}).hold(1)).toThrow(busy);
  first.release();
  enter('key:3', {}).hold(100);
});

it('runs one batch of a key at a time, and four of all keys', async () => {
  const enter = gate();
  const running: string[] = [];
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const run = (key: string) =>
    enter(key, {}).run(async () => {
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
  const enter = gate();
  await expect(enter('a', {}).run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await enter('a', {}).run(async () => 7)).toBe(7);
});
