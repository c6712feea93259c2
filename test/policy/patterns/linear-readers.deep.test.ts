import { describe, expect, it } from 'vitest';
import { growthFaults } from './growth.ts';
import { MORE_HOSTILE_SHAPES } from './hostile-shapes.ts';
import { PRESET_READERS } from './preset-readers.ts';
import { READERS } from './readers.ts';

describe.each(Object.entries(READERS))('readers of %s', (_, readers) => {
  it.each(Object.entries(readers))('%s takes time in proportion to its text', (_name, read) => {
    expect(growthFaults(read, MORE_HOSTILE_SHAPES)).toEqual([]);
  });
});

/** Each place gets one shape in nine, and nine places of a payload get them all. */
const PARTS = 9;

describe.each(Object.entries(PRESET_READERS))('the reader of the preset %s', (_, readers) => {
  it.each([...readers.entries()])('takes time in proportion to a text in place %i', (...args) => {
    const [index, { place, read }] = args;
    const shapes = MORE_HOSTILE_SHAPES.filter((_, shape) => shape % PARTS === index % PARTS);
    expect(growthFaults(read, shapes), place).toEqual([]);
  });
});
