import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FigureConvention, readFigure } from '../../../src/domain/ingest/written-figures.ts';

describe('a figure', () => {
  it.each([
    ['1250', 1250],
    ['12.5', 12.5],
    ['12,5', 12.5],
    ['.4', 0.4],
    [',4', 0.4],
    ['-0,125', -0.125],
    ['0.125', 0.125],
    ['1.5e3', 1500],
    ['1.250,5', 1250.5],
    ['1,250.5', 1250.5],
    ['1 250,5', 1250.5],
    ["12'500", 12500],
  ])('of %s has one value', (text, value) => {
    expect(readFigure(text)).toMatchObject({ value });
  });

  it.each(['1.250', '1,250', '-98,050'])('of %s has two', (text) => {
    expect(readFigure(text)).toHaveProperty('asThousands');
  });

  it.each(['', '1.25,5', '1.250.5', '12 50', '0x10', 'Infinity', '1e999', '1-2', '12,'])(
    'is not %j',
    (text) => {
      expect(readFigure(text)).toBeNull();
    },
  );
});

const upTo = (max: number) => (value: number) => Math.abs(value) <= max;

const readAll = (cells: readonly string[], delimiter = ';', max = 15_000) => {
  const convention = new FigureConvention(delimiter);
  return cells.map((cell) => convention.read(cell, upTo(max)));
};

describe('the convention of a file', () => {
  it('that has decimal commas leaves "1.250" open, and the mirror image', () => {
    const either = { either: [1.25, 1250] };
    expect(readAll(['980,5', '1.250'])).toEqual([980.5, either]);
    expect(readAll(['980.5', '1,250'])).toEqual([980.5, either]);
  });

  it('that has thousands of one sign reads "1.250" by it', () => {
    expect(readAll(['1.012,7', '1.250'])).toEqual([1012.7, 1250]);
    expect(readAll(['1,012.7', '1,250', '1.250'])).toEqual([1012.7, 1250, 1.25]);
  });

  it('makes a contrary cell ambiguous', () => {
    expect(readAll(['12,5', '12.5'])).toEqual([12.5, { either: [12.5, 125] }]);
    expect(readAll(['12.5', '12,5'])).toEqual([12.5, { either: [12.5, 125] }]);
    expect(readAll(['12,5', '1,250.5'])).toEqual([12.5, { either: [1250.5, 1.2505] }]);
  });

  it('is not shown by whole numbers', () => {
    const either = { either: [1.25, 1250] };
    expect(readAll(['980', '1.250'])).toEqual([980, either]);
    expect(readAll(['980', '1.250'], ',')).toEqual([980, either]);
  });

  it('is shown by a value that nothing but decimals makes possible', () => {
    expect(readAll(['23.456', '1.250'], ';', 100)).toEqual([23.456, 1.25]);
    expect(readAll(['980.5', '98.050', '1.250'])).toEqual([980.5, 98.05, 1.25]);
  });

  it('is of points where commas separate the cells and nothing shows another', () => {
    expect(readAll(['1.250', '2.125'], ',')).toEqual([1.25, 2.125]);
    expect(readAll(['980,5', '1.250'], ',')).toEqual([980.5, { either: [1.25, 1250] }]);
  });
});

it('a figure is read the same by readSimple, whatever cells were before it', () => {
  const digits = fc.integer({ min: 0, max: 2_000_000 }).map(String);
  const figure = fc
    .tuple(fc.constantFrom('', '-', '+'), digits, fc.constantFrom('', '.', ','), digits)
    .map(([sign, whole, mark, rest]) => sign + whole + (mark === '' ? '' : mark + rest));
  const known = fc.constantFrom('1.250', '980,5', '12', '7.5', '1.250,5', '1,250.5', '1,250');
  fc.assert(
    fc.property(
      fc.array(fc.oneof(figure, known), { maxLength: 8 }),
      fc.constantFrom(';', ','),
      (cells, delimiter) => {
        const convention = new FigureConvention(delimiter);
        const isPossible = upTo(15_000);
        const quick = cells.map((cell) => {
          const value = convention.readSimple(cell);
          return Number.isNaN(value) ? convention.read(cell, isPossible) : value;
        });
        expect(quick).toEqual(readAll(cells, delimiter));
      },
    ),
  );
});
