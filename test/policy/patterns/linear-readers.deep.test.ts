import { describe, expect, it } from 'vitest';
import { growthFaults } from './growth.ts';
import { MORE_HOSTILE_SHAPES } from './hostile-shapes.ts';
import { READERS } from './readers.ts';

describe.each(Object.entries(READERS))('readers of %s', (_, readers) => {
  it.each(Object.entries(readers))('%s takes time in proportion to its text', (_name, read) => {
    expect(growthFaults(read, MORE_HOSTILE_SHAPES)).toEqual([]);
  });
});
