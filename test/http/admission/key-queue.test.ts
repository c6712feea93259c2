import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { KeyQueue } from '../../../src/http/admission/key-queue.ts';

const keyBusy = expect.objectContaining({ code: 'rate_limited', status: 429, retryAfterS: 5 });

function recorder(maxWaiting: number, maxWaitMs?: number) {
  const queue = new KeyQueue(maxWaiting, maxWaitMs);
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    started,
    end: async (name: string) => {
      ends.get(name)!();
      await nextTurn();
    },
    begin: (name: string) =>
      queue.run(name[0]!, () => {
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
  const queue = new KeyQueue(10);
  const failing = Array.from({ length: 5 }, () =>
    queue.run('a', () => Promise.reject(new Error('no'))),
  );
  expect((await Promise.allSettled(failing)).map(({ status }) => status)).toEqual(
    Array(5).fill('rejected'),
  );
  expect(await queue.run('a', async () => 'yes')).toBe('yes');
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
