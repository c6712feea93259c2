import { expect, it } from 'vitest';
import { summarizeCsvImport } from '../../../src/language/ingest/csv-import-summary.ts';
import type { CsvImportResult } from '../../../src/schema/ingest/csv-import.ts';
import { FARM_NOW, HOUR, iso } from '../../farm.ts';
import { renderText } from '../render-text.ts';

const MODULE = {
  id: 1,
  name: 'Oak',
  sensors: ['moisture 20 cm', 'temperature 20 cm'],
  readings: 4,
  from: iso(FARM_NOW - HOUR),
  to: iso(FARM_NOW),
};
const RESULT = {
  dryRun: false,
  timezone: 'Etc/GMT-1',
  dates: 'iso',
  columns: [{ name: 'Date', meaning: 'date' }],
  rows: 4,
  readings: { written: 1, changed: 2, unchanged: 3, repeated: 0, refused: 0 },
  modules: [MODULE],
  reasons: [],
} as unknown as CsvImportResult;

const COUNTS = '1 new reading, 2 changed, 3 already there.';
// 12:00 in Paris is 11:00 an hour east of Greenwich.
const OAK = 'Oak (moisture 20 cm and temperature 20 cm), today 10:00 to 11:00 (UTC+1)';

it.each<[string, Partial<CsvImportResult>]>([
  [`Stored: ${COUNTS} ${OAK}.`, {}],
  [
    `Nothing is stored yet; this is how the file was understood. To store: ${COUNTS} ${OAK}.`,
    { dryRun: true },
  ],
  ['The file has no reading that can be stored.', { modules: [] }],
  [
    `Stored: ${COUNTS} ${Array(5).fill(OAK).join('; ')}; and 2 more modules.`,
    { modules: Array(7).fill(MODULE) },
  ],
  [
    `The file is an export of Acme. Stored: ${COUNTS} ${OAK}. Columns not read: Comment and "Row, 2".`,
    {
      columns: [
        { name: 'Date', meaning: 'date', export: 'Acme' },
        { name: 'Comment', meaning: null },
        { name: 'Row, 2', meaning: null },
      ],
    },
  ],
  [
    `Stored: ${COUNTS} ${OAK}. Stopped at line 101: UTC+1 has no 2026-03-29 02:00 (clocks go forward), so the clock of the file may stay the same all year. The rows before it are right in both cases. Ask the person; if so, import the header and the lines from 101 on with timezone "+01:00", else those after 101.`,
    {
      readings: {
        ...RESULT.readings,
        stopped: { line: 101, time: '2026-03-29 02:00', offset: '+01:00' },
      },
    },
  ],
  [
    `Stored: ${COUNTS} ${OAK}. 3 rows were rejected, at least in part: depth is not a number of cm (2); "odd, that".`,
    {
      readings: { ...RESULT.readings, refused: 3 },
      reasons: [
        { code: 'invalid_depth', reason: 'x', count: 2 },
        { reason: '"odd, that"', count: 1 },
      ] as CsvImportResult['reasons'],
    },
  ],
  [
    `Stored: ${COUNTS} ${OAK}. 1 row was rejected, at least in part: depth is not a number of cm; depth is not a number of cm; depth is not a number of cm; depth is not a number of cm; depth is not a number of cm; ….`,
    {
      readings: { ...RESULT.readings, refused: 1 },
      reasons: Array(6).fill({ code: 'invalid_depth', reason: 'x', count: 1 }),
    },
  ],
])('an import is %j', (sentence, changes) =>
  expect(renderText(summarizeCsvImport({ ...RESULT, ...changes }))).toBe(sentence),
);

// -60 and 80 °C are -76 and 176 °F.
it.each([
  ['metric', 'value is not a temperature from -60 to 80 °C'],
  ['us', 'value is not a temperature from -76 to 176 °F (-60 to 80 °C)'],
] as const)('a value out of range is rejected in %s units: %s', (units, reason) => {
  const result: CsvImportResult = {
    ...RESULT,
    readings: { ...RESULT.readings, refused: 1 },
    reasons: [{ code: 'temperature_out_of_range', reason: 'x', count: 1 }],
  };
  expect(renderText(summarizeCsvImport(result), units)).toContain(`in part: ${reason}.`);
});
