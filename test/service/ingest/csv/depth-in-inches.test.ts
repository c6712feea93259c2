import { expect, it } from 'vitest';
import { atKnownDepth } from '../../../../src/service/ingest/csv/column-meanings.ts';
import { columnMeaning } from '../../../../src/service/ingest/csv/column-names.ts';

const depthOf = (name: string, known: readonly string[]): number | null => {
  const column = { index: 0, name, mappedBy: null, isUnitCertain: true };
  const { meaning } = atKnownDepth({ ...column, meaning: columnMeaning(name) }, known);
  return meaning?.kind === 'sensor' ? meaning.depth : null;
};

const DEPTHS = Array.from({ length: 60 }, (_, index) => index + 1).flatMap((inches) =>
  [2.5, 2.54].map((cm) => [inches, Math.round(inches * cm)] as const),
);

it.each(DEPTHS)(
  'reads %i in at the sensor at %i cm, of 2.5 or 2.54 cm an inch',
  (inches, depth) => {
    expect(depthOf(`Watermark 1 (${inches} in)`, ['tensio', `tensio_${depth}`])).toBe(depth);
  },
);

it.each([
  ['the nearest of several', '12 in', ['tensio_30', 'tensio_31'], 30],
  ['no sensor that lies elsewhere', '12 in', ['tensio_25', 'tensio_35'], 30.48],
  ['no sensor of another type', '12 in', ['humidity_30'], 30.48],
  ['inches that are whole centimetres', '50 in', ['tensio_125'], 125],
  ['centimetres as they are', '127 cm', ['tensio_125'], 127],
])('takes %s', (_, depth, known, expected) => {
  expect(depthOf(`Watermark (${depth})`, known)).toBe(expected);
});
