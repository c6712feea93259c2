import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { formatReadingsReport } from '../../../../src/cli/store-commands/import-summary.ts';
import { HOUR } from '../../../time.ts';
import { type ImportFarm, newImportFarm } from '../import-farm.ts';

let farm: ImportFarm;
beforeEach(async () => {
  farm = await newImportFarm();
});
afterEach(() => farm.remove());

/** Rows of a logger that stays at an offset, an hour apart, with the value of its clock hour. */
function loggerFile(from: string, hours: number, offsetHours: number): string[] {
  const start = Date.parse(from);
  return Array.from({ length: hours }, (_, hour) => {
    const clock = new Date(start + (hour + offsetHours) * HOUR).toISOString();
    return `${clock.slice(0, 16).replace('T', ' ')},${10 + (hour % 10)}`;
  });
}

const HEADER = 'time,humidity_10';
const text = (rows: readonly string[]): string => [HEADER, ...rows, ''].join('\n');
const NORTH = { module: 'North 1' };
/** Around the change of clocks in Paris on 29 March 2026 at 01:00Z. */
const SPRING = loggerFile('2026-03-28T22:00Z', 6, 1);
/** Around that of 25 October 2025 at 01:00Z. */
const AUTUMN = loggerFile('2025-10-25T22:00Z', 6, 1);

const inUtc = async (): Promise<string[]> =>
  (await farm.readings()).map((reading) => reading.split(' ')[1]!.slice(0, 16));

describe('a file whose clock stays the same when those of the zone go forward', () => {
  const stored = ['2026-03-28T22:00', '2026-03-28T23:00', '2026-03-29T00:00'];
  const all = [...stored, '2026-03-29T01:00', '2026-03-29T02:00', '2026-03-29T03:00'];

  it('is stored up to the row that proves it, and says how to go on', async () => {
    const report = await farm.importText(text(SPRING), NORTH);
    expect(await inUtc()).toEqual(stored);
    expect(report).toMatchObject({ rows: 6, stored: 3, rejectedRows: 3 });
    const printed = formatReadingsReport('north 1.csv', report, NORTH, 'en');
    expect(printed).toContain('stopped at line 5: Europe/Paris has no 2026-03-29 02:00');
    const command = "acequia import --module 'North 1'";
    expect(printed).toContain(`${command} --timezone +01:00 --from-line 5 'north 1.csv'\n`);
    expect(printed).toContain(`${command} --from-line 6 'north 1.csv'\n`);

    const rest = { ...NORTH, timezone: '+01:00', fromLine: 5 };
    expect(await farm.importText(text(SPRING), rest)).toMatchObject({ stored: 3, rejectedRows: 0 });
    expect(await inUtc()).toEqual(all);
  });

  it('stops in the long form, and where the zone is named', async () => {
    const rows = SPRING.map((row) => `North 1,humidity,10,${row}`).join('\n');
    const long = `module,type,depth,time,value\n${rows}\n`;
    await farm.importText(long, { timezone: 'Europe/Paris' });
    expect(await inUtc()).toEqual(stored);
  });

  it('is refused newest first, where rows before would be wrong', async () => {
    const newestFirst = text(SPRING.toReversed());
    await expect(farm.importText(newestFirst, NORTH)).rejects.toMatchObject({
      field: '--timezone',
      message: expect.stringContaining('Line 4 has the time "2026-03-29 02:00"'),
      hint: expect.stringContaining('+01:00 if it shows winter time all year, +02:00 if it shows'),
    });
    expect(await inUtc()).toEqual([]);
    await farm.importText(newestFirst, { ...NORTH, timezone: '+01:00' });
    expect(await inUtc()).toEqual(all);
  });
});

describe('a file that does not repeat the hour in which clocks go back', () => {
  it.each([
    ['oldest first', AUTUMN],
    ['newest first', AUTUMN.toReversed()],
  ])('is refused with both readings, %s', async (_, rows) => {
    await expect(farm.importText(text(rows), NORTH)).rejects.toMatchObject({
      field: '--timezone',
      message: expect.stringContaining('rows of 2025-10-26 do not repeat the hour'),
      hint: expect.stringContaining('Europe/Paris if it is set back and that hour is missing'),
    });
    expect(await inUtc()).toEqual([]);

    await farm.importText(text(rows), { ...NORTH, timezone: '+01:00' });
    expect((await inUtc())[2]).toBe('2025-10-26T00:00');
  });

  it('is read where the zone is named, or where rows are rarer than the hour', async () => {
    await farm.importText(text(AUTUMN), { ...NORTH, timezone: 'Europe/Paris' });
    const twoHourly = AUTUMN.filter((_, index) => index % 2 === 1);
    await farm.importText(text(twoHourly), NORTH);
    expect(await inUtc()).toHaveLength(6);
  });
});

it('reads offsets of quarter hours, of the option and of the header', async () => {
  const row = '2026-06-01 06:00,21';
  await farm.importText(text([row]), { ...NORTH, timezone: '+05:30' });
  await farm.importText(`"Date Time, GMT-03:30","humidity_10"\n${row}\n`, NORTH);
  expect(await inUtc()).toEqual(['2026-06-01T00:30', '2026-06-01T09:30']);
});

describe('dates of which a spreadsheet swapped some', () => {
  const iso = ['2025-05-01 06:00,21', '2025-06-01 06:00,22', '2025-12-01 06:00,23'];
  const left = '01/13/2025 6:00 AM,24';
  const many = Array.from(
    { length: 60 },
    (_, hour) => `2025-05-0${1 + (hour % 9)} 0${hour % 9}:00,2`,
  );

  it.each([
    ['among the first rows', [...iso, left], 'Lines 2 and 5'],
    ['after the first rows', [...many, left], 'Lines 2 and 62'],
    ['of a file that begins with the others', [left, ...iso], 'Lines 2 and 3'],
    [
      'in two orders',
      ['13/01/2025 06:00,1', '05/06/2025 06:00,2', '01/14/2025 06:00,3'],
      'Lines 2 and 4',
    ],
  ])('are refused %s', async (_, rows, lines) => {
    await expect(farm.importText(text(rows), NORTH)).rejects.toMatchObject({
      message: expect.stringContaining(lines),
      hint: expect.stringContaining('do not open it in a spreadsheet'),
    });
    expect(await farm.readings()).toEqual([]);
  });

  it('name both days', async () => {
    await expect(farm.importText(text([...iso, left]), NORTH)).rejects.toThrow(
      '(2025-05-01 / 2025-01-05)',
    );
  });

  it.each([
    ['with a day above 12 in the other form', [...iso, '2025-12-13 06:00,1', '13/12/2025 07:00,2']],
    ['with times as machines write them', ['2025-05-01T06:00,1', '13/12/2025 07:00,2']],
    ['with both up to 12 in each form', [...iso, '05/04/2025 06:00,1', '13/12/2025 07:00,2']],
  ])('are none in a file %s', async (_, rows) => {
    await farm.importText(text(rows), { ...NORTH, dates: 'dmy' });
    expect(await farm.readings()).toHaveLength(rows.length);
  });
});
