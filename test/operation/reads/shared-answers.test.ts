import { expect, it } from 'vitest';
import { SharedAnswers } from '../../../src/operation/reads/shared-answers.ts';

it('keeps the answers that were used last, up to its length', async () => {
  const answers = new SharedAnswers<{ readonly json: string }>(30);
  const computed: string[] = [];
  const get = (key: string) =>
    answers.get(key, async () => {
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
  const get = () => answers.get('long', async () => ({ json: `answer ${++count}` }));
  expect([(await get()).json, (await get()).json]).toEqual(['answer 1', 'answer 2']);
});
