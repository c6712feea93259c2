import fc from 'fast-check';
import { expect, it } from 'vitest';
import { atKnownDepth } from '../../../../src/service/ingest/csv/column-meanings.ts';
import { columnMeaning } from '../../../../src/service/ingest/csv/column-names.ts';

const depthOf = (name: string, known: readonly string[]): number | null => {
  const column = { index: 0, name, mappedBy: null, isUnitCertain: true };
  const { meaning } = atKnownDepth({ ...column, meaning: columnMeaning(name) }, known);
  return meaning?.kind === 'sensor' ? meaning.depth : null;
};

it('reads inches at the depth in cm of the sensor, counted as 2.5 or 2.54 cm each', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 60 }), fc.constantFrom(2.5, 2.54), (inches, cm) => {
      const depth = Math.round(inches * cm);
      expect(depthOf(`Watermark 1 (${inches} in)`, ['tensio', `tensio_${depth}`])).toBe(depth);
    }),
  );
});

it.each([
  ['the nearest of several', '12 in', ['tensio_30', 'tensio_31'], 30],
  ['no sensor that lies elsewhere', '12 in', ['tensio_25', 'tensio_35'], 30.48],
  ['no sensor of another type', '12 in', ['humidity_30'], 30.48],
  ['centimetres as they are', '127 cm', ['tensio_125'], 127],
])('takes %s', (_, depth, known, expected) => {
  expect(depthOf(`Watermark (${depth})`, known)).toBe(expected);
});
