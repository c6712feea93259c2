import fc from 'fast-check';
import { expect, it } from 'vitest';
import { truncatedJson } from '../../src/language/text.ts';

it('begins as the whole JSON does', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), fc.integer({ min: 1, max: 80 }), (value, most) => {
      expect(truncatedJson(value, most).slice(0, most)).toBe(JSON.stringify(value).slice(0, most));
    }),
  );
});

it.each([
  ['a long list', [...Array(100_000).keys()]],
  ['a long text', 'a'.repeat(100_000)],
  ['a list of lists', Array.from({ length: 1_000 }, () => Array(1_000).fill(0))],
])('does not write out %s', (_, value) => {
  expect(truncatedJson(value, 60).length).toBeLessThan(1_000);
});
