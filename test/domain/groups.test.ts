import fc from 'fast-check';
import { expect, it } from 'vitest';
import { chunksOf, groupBy } from '../../src/domain/groups.ts';

it('groups rows by their key, in their order', () => {
  expect([...groupBy([3, 1, 4, 1, 5, 9, 2, 6], (each) => each % 3)]).toEqual([
    [0, [3, 9, 6]],
    [1, [1, 4, 1]],
    [2, [5, 2]],
  ]);
});

it('cuts rows into chunks, of which only the last may be shorter', () => {
  fc.assert(
    fc.property(fc.array(fc.integer()), fc.integer({ min: 1, max: 9 }), (rows, size) => {
      const chunks = chunksOf(rows, size);
      expect(chunks.flat()).toEqual(rows);
      for (const chunk of chunks.slice(0, -1)) expect(chunk).toHaveLength(size);
      expect(chunks.at(-1)?.length).not.toBe(0);
    }),
  );
});
