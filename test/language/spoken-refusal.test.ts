import { describe, expect, it } from 'vitest';
import { spokenRefusal } from '../../src/language/spoken-refusal.ts';

describe('a refusal read aloud', () => {
  it.each([
    ['startTimes.0 "24:00" is not valid.', 'startTimes', 'The start time 1 "24:00" is not valid.'],
    ['depthWeights.2 "x" is not valid.', 'depthWeights', 'The weight 3 "x" is not valid.'],
    ['layers.1.depthTopCm is missing.', 'layers', 'The top of a layer, in layer 2, is missing.'],
    [
      'soilLines.0.depthCm 300 is not valid.',
      'soilLines',
      'The depth, in soil line 1, 300 is not valid.',
    ],
    ['days.11 is not valid.', 'days', 'The day 12 is not valid.'],
  ])('has no index: %s', (message, field, spoken) => {
    expect(spokenRefusal({ message, field }, null)).toBe(spoken);
  });
});
