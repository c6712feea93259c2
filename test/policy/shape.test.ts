import { describe, expect, it } from 'vitest';
import { countShape } from '../../scripts/shape.mjs';

const shape = countShape();

describe('the form of the sources', () => {
  it('has lines of at most 100 columns, but for one in a hundred', () => {
    expect(shape.shareOfWideLines).toBeLessThanOrEqual(0.01);
  });

  it('divides most functions of 15 lines and more into paragraphs', () => {
    expect(shape.shareWithParagraphs).toBeGreaterThanOrEqual(0.6);
  });

  it('has few non-null assertions and conditional spreads, and no nested ternaries', () => {
    expect(shape.nonNullAssertionsPer1000Lines).toBeLessThanOrEqual(2.5);
    expect(shape.conditionalSpreads).toBeLessThanOrEqual(60);
    expect(shape.nestedTernaries).toEqual([]);
  });

  it('has few long and few complex functions', () => {
    expect(shape.longestFunction).toBeLessThanOrEqual(120);
    expect(shape.longFunctions.length, shape.longFunctions.join('\n')).toBeLessThanOrEqual(12);
    expect(shape.complexFunctions.length, shape.complexFunctions.join('\n')).toBeLessThanOrEqual(8);
  });
});

describe('counting the form of sources', () => {
  const countOf = (...lines: string[]) =>
    countShape([{ path: 'sample.ts', text: `${lines.join('\n')}\n` }]);

  it('finds wide lines, non-null assertions, conditional spreads and nested ternaries', () => {
    const { shareOfWideLines, nonNullAssertionsPer1000Lines, ...found } = countOf(
      'const list = [...(a ? [b!] : [])];',
      'const object = { ...(a ? { b } : {}) };',
      'const both = { ...a, ...[b] };',
      `const text = '${'x'.repeat(100)}'; // é, which is two bytes long`,
      'const nested = a ? b : c ? d : e;',
    );

    expect(shareOfWideLines).toBe(1 / 5);
    expect(nonNullAssertionsPer1000Lines).toBe(1000 / 5);
    expect(found).toMatchObject({ conditionalSpreads: 2, nestedTernaries: ['sample.ts:5'] });
  });

  it('measures functions from their first to their last line', () => {
    const body = (lines: number) => Array.from({ length: lines }, () => '  a();');
    const found = countOf(
      ...['function short() {', ...body(58), '}'],
      ...['class Longer {', 'method() {', ...body(59), '}', '}'],
      ...['const divided = () => {', ...body(10), '', ...body(10), '};'],
    );

    expect(found.longFunctions).toEqual(['sample.ts:62 61']);
    expect(found.longestFunction).toBe(61);
    expect(found.shareWithParagraphs).toBe(1 / 3);
  });

  it('counts the paths of each function without those of functions inside it', () => {
    const branches = Array.from({ length: 8 }, () => 'if (a && b) c();');
    const found = countOf(
      ...['function outer() {', ...branches.slice(0, 7), 'const inner = () => {'],
      ...[...branches, '};', '}'],
    );

    expect(found.complexFunctions).toEqual(['sample.ts:9 17']);
  });
});
