import { describe, expect, it } from 'vitest';
import { itemAt } from '../../../src/domain/items.ts';
import { ShortTextPattern } from '../../../src/schema/short-text-pattern.ts';
import { isDeepRun } from '../../property-runs.ts';
import findings from './findings.generated.json' with { type: 'json' };
import { excessiveGrowth, growthFaults } from './growth.ts';
import { HOSTILE_SHAPES, type HostileShape, shapeOf } from './hostile-shapes.ts';
import { PRESET_READERS } from './preset-readers.ts';
import { READERS } from './readers.ts';

type Finding = Exclude<(typeof findings)[keyof typeof findings], string>;

const unsafe: readonly Finding[] = Object.values(findings).filter(
  (finding) => typeof finding !== 'string',
);

function patternOf({ pattern }: Finding): RegExp {
  const end = pattern.lastIndexOf('/');
  return new RegExp(pattern.slice(1, end), pattern.slice(end + 1));
}

/** The attack of recheck, with as many repetitions as fit. */
function witnessOf({ witness }: Finding): HostileShape | null {
  if (witness === null) return null;
  const pumps = witness.filter(({ isRepeated }) => isRepeated).length;
  return {
    name: JSON.stringify(witness.map(({ text }) => text)),
    text: (length) =>
      witness
        .map(({ text, isRepeated }) =>
          isRepeated ? text.repeat(Math.ceil(length / pumps / text.length)) : text,
        )
        .join(''),
  };
}

describe.each(Object.entries(READERS))('readers of %s', (_, readers) => {
  it.each(Object.entries(readers))('%s takes time in proportion to its text', (_name, read) => {
    expect(growthFaults(read, HOSTILE_SHAPES)).toEqual([]);
  });
});

describe('the readers of presets', () => {
  it.each(Object.entries(PRESET_READERS))(
    'take time in proportion to a text in a payload of %s',
    (_, readers) => {
      const faults = readers.flatMap(({ place, read }, index) =>
        growthFaults(read, [itemAt(HOSTILE_SHAPES, index % HOSTILE_SHAPES.length)]).map(
          (fault) => `${place}, ${fault}`,
        ),
      );
      expect(faults).toEqual([]);
    },
  );
});

describe('a pattern that may backtrack', () => {
  it.each(unsafe.map((finding) => [finding.pattern, finding] as const))(
    'takes no longer for a longer witness: %s',
    (_, finding) => {
      const pattern = new ShortTextPattern(patternOf(finding));
      const shapes = [witnessOf(finding) ?? [], shapeOf('', ' ', 'x'), shapeOf('1', ' 1', '!')];
      for (const shape of shapes.flat())
        expect(excessiveGrowth((text) => pattern.exec(text), shape)).toBeNull();
    },
  );
});

describe('the measure of growth', () => {
  const quadratic = (text: string): number => {
    let sum = 0;
    for (const _ of text) for (const other of text) sum += other.length;
    return sum;
  };

  const examples: [name: string, read: (text: string) => unknown, shape: HostileShape][] = [
    ['a loop in a loop', quadratic, shapeOf('', 'a', '')],
    ['a run that starts anywhere', (text) => /\d+$/.test(text), shapeOf('', '0', 'x')],
  ];

  // To measure one that is quadratic takes as long as fifty others.
  it.each(isDeepRun ? examples : examples.slice(0, 1))('finds %s', (_, read, shape) => {
    expect(excessiveGrowth(read, shape)).toBeGreaterThan(6);
  });

  it('passes what reads its text once', () => {
    const read = (text: string): number => text.split(' ').map((word) => word.length).length;
    expect(excessiveGrowth(read, shapeOf('', 'a ', ''))).toBeNull();
  });
});
