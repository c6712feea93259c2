import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { parseJsonOrKeep } from '../../../src/operation/arguments/tool-readers.ts';

const nested = (levels: number, inner = '1'): string =>
  '['.repeat(levels) + inner + ']'.repeat(levels);

describe('JSON in a text', () => {
  it('is refused with more than 32 levels, whole or not, before it is parsed', () => {
    expect(parseJsonOrKeep(nested(32))).toEqual(JSON.parse(nested(32)));
    const parse = vi.spyOn(JSON, 'parse');
    onTestFinished(() => void parse.mockRestore());
    for (const text of [nested(33), '['.repeat(900_000), '[{"a":'.repeat(17)])
      expect(() => parseJsonOrKeep(text)).toThrow('nest deeper than 32 levels');
    expect(parse).not.toHaveBeenCalled();
  });

  it('has no levels in texts, nor where they end', () => {
    const text = JSON.stringify(['['.repeat(100), '"\\"['.repeat(50), ...Array(100).fill([])]);
    expect(parseJsonOrKeep(text)).toEqual(JSON.parse(text));
    expect(parseJsonOrKeep('"[[')).toBe('"[[');
  });
});
