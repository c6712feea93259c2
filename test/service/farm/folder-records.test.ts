import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ColumnKind } from '../../../src/schema/tables/column.ts';
import { flag, instant, integer, json, real, text } from '../../../src/schema/tables/column.ts';
import { formatCell, readCell } from '../../../src/service/farm/folder/folder-cells.ts';
import { type CsvRecord, csvRecords } from '../../../src/service/farm/folder/folder-records.ts';
import { propertyRuns } from '../../property-runs.ts';

const VALUES: Record<ColumnKind, fc.Arbitrary<string | number | null>> = {
  integer: fc.maxSafeInteger(),
  real: fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
  text: fc.string({ unit: fc.constantFrom(...'a,"\n\r=é😀 ') }),
  instant: fc.oneof(fc.maxSafeInteger(), fc.integer({ min: -1e13, max: 1e13 })),
  flag: fc.constantFrom(0, 1),
  json: fc.json(),
};
const COLUMNS = { integer, real, text, instant, flag, json };

const anyCell = fc
  .constantFrom(...(Object.keys(VALUES) as ColumnKind[]))
  .chain((kind) => fc.record({ kind: fc.constant(kind), value: fc.option(VALUES[kind]) }));

async function* pieces(whole: string, lengths: readonly number[]): AsyncGenerator<string> {
  let start = 0;
  for (let index = 0; start < whole.length; index++) {
    const end = start + lengths[index % lengths.length]!;
    yield whole.slice(start, end);
    start = end;
  }
}

async function recordsOf(whole: string, lengths: readonly number[] = [whole.length]) {
  const records: CsvRecord[] = [];
  for await (const some of csvRecords(pieces(whole, lengths))) records.push(...some);
  return records;
}

it('cells come back as they were, of whatever pieces the file is read', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(anyCell, { minLength: 1, maxLength: 4 }), { maxLength: 6 }),
      fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 }),
      async (rows, lengths) => {
        const lines = rows.map((row) =>
          row.map(({ value, kind }) => formatCell(value, kind)).join(','),
        );
        const records = await recordsOf(lines.map((line) => `${line}\n`).join(''), lengths);
        const read = records.map(({ cells }, row) =>
          cells.map((cell, index) =>
            readCell(cell, COLUMNS[rows[row]![index]!.kind].orNull.properties),
          ),
        );
        // Negative zero is zero in both databases.
        expect(read).toEqual(
          rows.map((row) => row.map(({ value }) => ({ value: value === 0 ? 0 : value }))),
        );
        expect(records.map(({ line }) => line)).toEqual(
          lines.map(
            (_, index) =>
              `${lines.slice(0, index).join('\n')}${'\n'.repeat(Math.min(index, 1))}`.split('\n')
                .length,
          ),
        );
      },
    ),
    { numRuns: propertyRuns(2_000) },
  ));

it('an empty text is not null', async () => {
  const [record] = await recordsOf(',""\n');
  expect(record!.cells).toEqual([null, '']);
});

it.each([
  ['a file that ends within a row', 'a,b\n1,2', /^the file ends within a row$/, 2],
  ['a file that ends within a cell', 'a\n"b\n', /^the file ends within a row$/, 2],
  ['text after a quotation mark', 'a\n"b"c\n', /^a quotation mark stands within a cell$/, 2],
  ['a quotation mark in a plain cell', 'a\nb"c\n', /^a quotation mark stands within a cell$/, 2],
])('%s is refused with its line', async (_, whole, message, line) => {
  const error: unknown = await recordsOf(whole).catch((thrown) => thrown);
  expect(error).toMatchObject({
    name: 'MalformedRecord',
    message: expect.stringMatching(message),
    line,
  });
});
