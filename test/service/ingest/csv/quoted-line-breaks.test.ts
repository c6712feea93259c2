import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../property-runs.ts';
import { readCsv } from './csv-text.ts';
import { type CsvForm, writeCsv } from './written-csv.ts';

const HEADER = 'Time,Soil moisture 10 cm (%),Notes\n';
const SIX = 'humidity_10 2026-06-01T06:00 23.4';
const SEVEN = 'humidity_10 2026-06-01T07:00 23.3';

describe('a line break in a quoted cell', () => {
  it.each([
    [
      'the first row',
      `${HEADER}2026-06-01 06:00,23.4,"pump on\nvalve 2"\n2026-06-01 07:00,23.3,\n`,
    ],
    [
      'a later row',
      `${HEADER}2026-06-01 06:00,23.4,\n2026-06-01 07:00,23.3,"pump on\r\nvalve 2"\n`,
    ],
    [
      'the last row, without a line end',
      `${HEADER}2026-06-01 06:00,23.4,\n2026-06-01 07:00,23.3,"a\nb"`,
    ],
    [
      'the header',
      'Time,"Soil moisture\n10 cm (%)"\n2026-06-01 06:00,23.4\n2026-06-01 07:00,23.3\n',
    ],
    [
      'the header, and a blank line in it',
      '"Time","Soil moisture\r\n\r\n10 cm (%)"\r\n2026-06-01 06:00,23.4\r\n2026-06-01 07:00,23.3\r\n',
    ],
    [
      'the header below a title, above units',
      'North 1\nTime;"Soil moisture\n10 cm"\n;%\n2026-06-01 06:00;23,4\n2026-06-01 07:00;23,3\n',
    ],
    [
      'a row between escaped quotes and delimiters',
      `${HEADER}2026-06-01 06:00,23.4,"""a"", b\n2026-06-02 08:00,21,c""\nd"\n2026-06-01 07:00,23.3,\n`,
    ],
    [
      'a file whose lines end in CR',
      'Time,"Soil moisture\n10 cm (%)"\r2026-06-01 06:00,23.4\r2026-06-01 07:00,23.3\r',
    ],
  ])('is read in %s', async (_, csv) => {
    const { readings, rejections, rows } = await readCsv(csv);
    expect({ readings, rejections, rows }).toEqual({
      readings: [SIX, SEVEN],
      rejections: [],
      rows: 2,
    });
  });

  it('is followed for twenty lines, and then spoils its own line alone', async () => {
    const note = (lines: number) => `"${Array.from({ length: lines + 1 }, () => 'x').join('\n')}"`;
    const file = (lines: number) =>
      `${HEADER}2026-06-01 06:00,23.4,${note(lines)}\n2026-06-01 07:00,23.3,\n`;

    expect((await readCsv(file(20))).readings).toEqual([SIX, SEVEN]);
    const tooLong = await readCsv(file(21));
    expect(tooLong.readings).toEqual([SEVEN]);
    expect(tooLong.rejections[0]).toBe('2 unclosed_quote');
    expect(tooLong.rejections).toHaveLength(22);
  });

  it.each([
    ['that never closes', '"2026-06-01 05:00,21,x'],
    ['that closes in a row with too many cells', '"2026-06-01 05:00,21,x\nb",c,d,e'],
    ['that closes in a row with too few cells', '2026-06-01 05:00,"21\nx"'],
  ])('spoils no other row if the quote is a stray one %s', async (_, lines) => {
    const { readings, rejections, rows } = await readCsv(
      `${HEADER}2026-06-01 06:00,23.4,\n${lines}\n2026-06-01 07:00,23.3,\n`,
    );
    expect(readings).toEqual([SIX, SEVEN]);
    expect(rejections).toHaveLength(lines.split('\n').length);
    expect(rows).toBe(2 + rejections.length);
  });
});

describe('a first row', () => {
  it.each([
    ['with a month by name', 'Jun 1, 2026 06:00'],
    ['with a weekday', 'Mon 1/6/26 06:00'],
  ])('%s is not taken for a part of the header', async (_, time) => {
    const { rows } = await readCsv(
      `Time;Soil moisture 10 cm (%)\n${time};n/a\n2026-06-01 07:00;23.3\n`,
    );
    expect(rows).toBe(2);
  });

  it('is read between two headers', async () => {
    const { readings, rows, rejections } = await readCsv(
      'Time,Soil moisture 10 cm (%)\n2026-06-01 06:00,23.4\nTime,Soil moisture 10 cm (%)\n2026-06-01 07:00,23.3\n',
    );
    expect(readings).toEqual([SIX, SEVEN]);
    expect(rejections).toEqual(['3 unreadable_time']);
    expect(rows).toBe(3);
  });
});

const form: fc.Arbitrary<CsvForm> = fc.record({
  delimiter: fc.constantFrom(',', ';', '\t', '|'),
  lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
  encoding: fc.constantFrom('utf8', 'utf8-bom', 'utf16le', 'utf16be', 'latin1'),
  decimal: fc.constantFrom('.', ','),
  quotesAll: fc.boolean(),
});

const note = fc
  .array(fc.constantFrom('été', ' ', '"', '""', ',', ';', '|', '\t', '\n', '\r\n', '2026', 'ñ'), {
    maxLength: 12,
  })
  .map((parts) => (parts.length === 0 ? '' : `n${parts.join('')}`));

const row = fc.record({
  kind: fc.constantFrom('good', 'good', 'good', 'wrong value', 'blank'),
  tenths: fc.integer({ min: 20, max: 600 }),
  note,
});

interface WrittenFile {
  readonly cells: readonly (readonly string[])[];
  readonly readings: readonly string[];
  readonly rejected: number;
}

function writtenFile(
  rows: readonly { kind: string; tenths: number; note: string }[],
  { decimal }: CsvForm,
  hasBreakInHeader: boolean,
): WrittenFile {
  const name = hasBreakInHeader ? 'Soil moisture\n10 cm (%)' : 'Soil moisture 10 cm (%)';
  const instant = (index: number) => new Date(Date.UTC(2026, 4, 1, index)).toISOString();
  const good = rows.map(({ kind }) => kind === 'good');

  const cellsOf = ({ kind, tenths, note: text }: (typeof rows)[number], index: number) => {
    if (kind === 'blank') return ['', '', ''];
    const value = String(tenths / 10).replace('.', decimal);
    return [instant(index).slice(0, 16), kind === 'good' ? value : 'wet', text];
  };
  return {
    cells: [['Time', name, 'Notes'], ...rows.map(cellsOf)],
    readings: rows.flatMap(({ tenths }, index) =>
      good[index] ? [`humidity_10 ${instant(index).slice(0, 16)} ${tenths / 10}`] : [],
    ),
    rejected: rows.filter(({ kind }) => kind === 'wrong value').length,
  };
}

describe('a file of any form', () => {
  it('has each row read, rejected or blank, however its bytes arrive', async () => {
    await fc.assert(
      fc.asyncProperty(
        form,
        fc.array(row, { minLength: 1, maxLength: 12 }),
        fc.boolean(),
        fc.constantFrom(7, 4096),
        async (csvForm, rows, hasBreakInHeader, chunkLength) => {
          const file = writtenFile(rows, csvForm, hasBreakInHeader);
          const read = await readCsv(writeCsv(file.cells, csvForm), undefined, chunkLength);
          expect(read.readings).toEqual(file.readings);
          expect(read.rejections).toHaveLength(file.rejected);
          expect(read.rows).toBe(file.readings.length + file.rejected);
        },
      ),
      { numRuns: propertyRuns(2000) },
    );
  });
});
