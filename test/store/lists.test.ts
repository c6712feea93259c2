import fc from 'fast-check';
import { expect, it } from 'vitest';
import { lengthOf, numbersOf, putList } from '../../src/store/lists.ts';

/** As a server sends them: eight bytes each, the highest first. */
function sent(numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(8 * numbers.length);
  for (const [place, number] of numbers.entries()) bytes.writeDoubleBE(number, 8 * place);
  return bytes;
}

it('gives every number of a list back to the last bit', () => {
  fc.assert(
    fc.property(fc.array(fc.double()), (numbers) => {
      expect(Array.from(numbersOf(sent(numbers)))).toEqual(numbers);
      expect(lengthOf(sent(numbers))).toBe(numbers.length);
    }),
  );
});

it('writes a list where it is told to, and leaves the list as it was', () => {
  const into = Float64Array.of(1, 2, 3, 4);
  const list = sent([20.5, -30]);
  putList(list, into.subarray(1), 1);
  expect([...into]).toEqual([1, 2, 20.5, -30]);
  expect(list).toEqual(sent([20.5, -30]));
});
