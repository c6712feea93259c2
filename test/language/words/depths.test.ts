import { describe, expect, it } from 'vitest';
import { failure, ok } from '../../../src/domain/result.ts';
import { parseDepths } from '../../../src/language/words/depths.ts';

describe('depths of sensors', () => {
  // 2.54 cm in an inch, 30.48 cm in a foot.
  it.each<[string, number[]]>([
    ['10, 20, 30', [10, 20, 30]],
    ['10 20 30 cm', [10, 20, 30]],
    ['at 10 and 30 cm', [10, 30]],
    ['4, 8 and 12 in', [10, 20, 30]],
    ['4" 8" 12"', [10, 20, 30]],
    ['12in', [30]],
    ['1 and 2 ft', [30, 61]],
    ['12 y 24 pulgadas', [30, 61]],
    ['4 in 2 ft', [10, 61]],
    ['7.5', [7.5]],
  ])('%j are %j cm', (text, depths) => expect(parseDepths(text)).toEqual(ok(depths)));

  it.each([
    ['10, deep', 'deep'],
    ['knee 12 in', 'knee'],
    ['4000 in', '4000'],
  ])('%j has the unknown word %j', (text, unknownWord) =>
    expect(parseDepths(text)).toEqual(failure(unknownWord)),
  );
});
