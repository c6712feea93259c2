import fc from 'fast-check';
import { expect, it } from 'vitest';
import { packedLength, unpackDoubles, unpackInto } from '../../src/store/lists.ts';

/** As a server sends them: eight bytes each, the highest first. */
function bigEndianDoubles(numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(8 * numbers.length);
  for (const [place, number] of numbers.entries()) bytes.writeDoubleBE(number, 8 * place);
  return bytes;
}

it('gives every number of a list back to the last bit', () => {
  fc.assert(
    fc.property(fc.array(fc.double()), (numbers) => {
      expect(Array.from(unpackDoubles(bigEndianDoubles(numbers)))).toEqual(numbers);
      expect(packedLength(bigEndianDoubles(numbers))).toBe(numbers.length);
    }),
  );
});

it('writes a list where it is told to, and leaves the list as it was', () => {
  const into = Float64Array.of(1, 2, 3, 4);
  const list = bigEndianDoubles([20.5, -30]);
  unpackInto(list, into.subarray(1), 1);
  expect([...into]).toEqual([1, 2, 20.5, -30]);
  expect(list).toEqual(bigEndianDoubles([20.5, -30]));
});
