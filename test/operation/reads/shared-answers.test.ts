import { expect, it } from 'vitest';
import { SharedAnswers } from '../../../src/operation/reads/shared-answers.ts';

it('keeps the answers that were used last, up to its length', async () => {
  const answers = new SharedAnswers<{ readonly json: string }>(30);
  const computed: string[] = [];
  const get = (key: string) =>
    answers.get(key, undefined, async () => {
      computed.push(key);
      return { json: 'ten chars!' };
    });

  for (const key of ['a', 'b', 'c', 'a', 'd']) await get(key);
  expect(computed).toEqual(['a', 'b', 'c', 'd']);

  await get('a');
  await get('b');
  expect(computed).toEqual(['a', 'b', 'c', 'd', 'b']);
});

it('does not keep an answer that is longer than all of its memory', async () => {
  const answers = new SharedAnswers<{ readonly json: string }>(5);
  let count = 0;
  const get = () => answers.get('long', undefined, async () => ({ json: `answer ${++count}` }));
  expect([(await get()).json, (await get()).json]).toEqual(['answer 1', 'answer 2']);
});

it('cancels an answer once all who asked for it have gone', async () => {
  const answers = new SharedAnswers<{ readonly json: string }>(100);
  const computations: AbortSignal[] = [];
  const compute = (signal: AbortSignal) => {
    computations.push(signal);
    return new Promise<never>((_, reject) =>
      signal.addEventListener('abort', () => reject(new Error('cancelled'))),
    );
  };
  const [first, second] = [new AbortController(), new AbortController()];
  const asked = [first, second].map(({ signal }) => answers.get('key', signal, compute));

  first.abort();
  await expect(asked[0]).rejects.toThrow('cancelled');
  expect(computations.map(({ aborted }) => aborted)).toEqual([false]);

  second.abort();
  await expect(asked[1]).rejects.toThrow('cancelled');
  expect(computations.map(({ aborted }) => aborted)).toEqual([true]);

  void answers.get('key', undefined, compute);
  expect(computations).toHaveLength(2);
});
