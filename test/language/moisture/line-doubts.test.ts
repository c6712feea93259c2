import { expect, it } from 'vitest';
import type { LineDoubt } from '../../../src/domain/moisture/line-limits.ts';
import { describeLineDoubt } from '../../../src/language/moisture/line-doubts.ts';
import { renderText } from '../render-text.ts';

it.each<[string, LineDoubt]>([
  [
    'The field capacity is drawn at 45.125 %, but past waterings suggest 28.1 %',
    { line: 'fieldCapacity', height: 45.125, expected: 28.14, basis: 'suggestion' },
  ],
  [
    'The wilting point is drawn at 45 %, but its texture class has 28 %',
    { line: 'wiltingPoint', height: 45, expected: 28, basis: 'soil_profile' },
  ],
  [
    'The field capacity is drawn at 60 %, but soil that drains holds at most 46 % there',
    { line: 'fieldCapacity', height: 60, expected: 46, basis: 'saturation' },
  ],
  [
    'The wilting point is drawn at 12 %, but that was drawn where the probe stood before',
    { line: 'wiltingPoint', height: 12, expected: 12, basis: 'moved' },
  ],
])('a doubtful line, in every unit system: %s', (words, doubt) => {
  expect(renderText(describeLineDoubt(doubt))).toBe(words);
  expect(renderText(describeLineDoubt(doubt), 'us')).toBe(words);
});
