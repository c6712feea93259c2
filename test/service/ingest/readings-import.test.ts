import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ImportReadingsOptions } from '../../../src/service/ingest/readings-import.ts';
import { type ImportFarm, newImportFarm } from './import-farm.ts';

let farm: ImportFarm;
beforeEach(async () => {
  farm = await newImportFarm();
});
afterEach(() => farm.remove());

const LONG = 'module,type,depth,time,value\n';
const WIDE = 'time,humidity_10,humidity_20,temperature\n';
const north = { module: 'North 1' };

const reasonsOf = async (text: string, options?: Partial<ImportReadingsOptions>) =>
  (await farm.importText(text, options)).reasons.map(({ reason, count }) => `${count} ${reason}`);

describe('a long file', () => {
  it('stores each row under its sensor, with local times in the zone', async () => {
    const report = await farm.importText(
      `${LONG}A1B2C3,humidity,10,2026-01-10T06:00,21.5\nNorth 1,humidity,20,2026-01-10 07:00:00,22\nA1B2C3,temperature,,2026-07-01T06:00:30.250,-0.5\n`,
    );
    expect(await farm.readings()).toEqual([
      'humidity_10 2026-01-10T05:00:00.000Z 21.5',
      'humidity_20 2026-01-10T06:00:00.000Z 22',
      'temperature 2026-07-01T04:00:30.250Z -0.5',
    ]);
    expect(report).toMatchObject({
      rows: 3,
      stored: 3,
      duplicates: 0,
      rejectedRows: 0,
      sensors: 3,
    });
    expect(report.from).toBe(Date.UTC(2026, 0, 10, 5));
    expect(report.to).toBe(Date.UTC(2026, 6, 1, 4, 0, 30, 250));
  });

  it('respects the offset of a time', async () => {
    await farm.importText(
      `${LONG}A1B2C3,humidity,10,2026-01-10T06:00Z,1\nA1B2C3,humidity,10,2026-01-10T06:00:00.5+05:30,2\nA1B2C3,humidity,10,2026-01-10T06:00-0300,3\nA1B2C3,humidity,10,2026-01-10T06:00:00.000-02:00,4\n`,
    );
    expect(await farm.readings()).toEqual([
      'humidity_10 2026-01-10T00:30:00.500Z 2',
      'humidity_10 2026-01-10T06:00:00.000Z 1',
      'humidity_10 2026-01-10T08:00:00.000Z 4',
      'humidity_10 2026-01-10T09:00:00.000Z 3',
    ]);
  });

  it('accepts columns in any order and case, other columns and delimiters, CRLF and a byte order mark', async () => {
    await farm.importText(
      '\uFEFFTime;Note; VALUE ;Depth;Type;Module\r\n2026-01-10T06:00Z;"a;b";5;10.0;Humidity;"North 1"\r\n\r\n;;;;;\r\n',
    );
    expect(await farm.readings()).toEqual(['humidity_10 2026-01-10T06:00:00.000Z 5']);
  });

  it('accepts lines that end in CR', async () => {
    await farm.importText(`${LONG}A1B2C3,humidity,10,2026-01-10T06:00Z,5\n`.replaceAll('\n', '\r'));
    expect(await farm.readings()).toHaveLength(1);
  });

  it('finds a module by name without case and accents', async () => {
    await farm.importText(`${LONG}SONDE ETE,humidity,10,2026-01-10T06:00Z,5\n`);
    expect(await farm.readings()).toEqual(['humidity_10@2 2026-01-10T06:00:00.000Z 5']);
  });

  it('rejects single rows with a reason', async () => {
    const bad = [
      'South 9,humidity,10,2026-01-10T06:00Z,5',
      'North 1,rain,,2026-01-10T06:00Z,5',
      'North 1,humidity,70,2026-01-10T06:00Z,5',
      'North 1,humidity,ten,2026-01-10T06:00Z,5',
      'North 1,humidity,10,2026-01-10T06:00Z,',
      'North 1,humidity,10,2026-01-10T06:00Z,NaN',
      'North 1,humidity,10,2026-01-10T06:00Z,Infinity',
      'North 1,humidity,10,2026-01-10T06:00Z,1e999',
      'North 1,humidity,10,2026-01-10T06:00Z,"1,234"',
      'North 1,humidity,10,2026-01-10T06:00Z,12 kPa',
      'North 1,humidity,10,2026-01-10T06:00Z,0x10',
      'North 1,humidity,10,2026-02-30T06:00,5',
      'North 1,humidity,10,2026-01-10T24:00,5',
      'North 1,humidity,10,2026-01-10,5',
      'North 1,humidity,10,10/01/2026 06:00,5',
      'North 1,humidity,10,,5',
      'North 1,humidity,10,1969-12-31T06:00Z,5',
      'North 1,humidity,10,2026-07-02T12:00:00.001Z,5',
      'North 1,humidity,10,2026-01-10T06:00Z',
      'North 1,humidity,10,2026-01-10T06:00Z,12,5',
      'North "1,humidity,10,"2026-01-10T06:00Z,5',
      // Rows after a skipped hour are rejected too.
      'North 1,humidity,10,2026-03-29T02:30,5',
    ];
    const good = (second: number) =>
      `North 1,humidity,10,2026-01-01T00:00:${String(second).padStart(2, '0')}Z,1`;
    const report = await farm.importText(
      LONG + bad.map((line, index) => `${line}\n${good(index)}\n`).join(''),
    );
    expect(report.stored).toBe(bad.length - 1);
    expect(report.rejectedRows).toBe(bad.length + 1);
    expect(Object.fromEntries(report.reasons.map(({ reason, count }) => [reason, count]))).toEqual({
      unknown_module: 1,
      unknown_type: 1,
      no_such_sensor: 1,
      invalid_depth: 1,
      no_value: 1,
      infinite_value: 3,
      not_a_number: 2,
      two_readings: 1,
      unreadable_time: 4,
      no_time: 1,
      time_before_1970: 1,
      time_ahead: 1,
      skipped_hour: 1,
      after_stop: 1,
      too_few_cells: 1,
      too_many_cells: 1,
      unclosed_quote: 1,
    });
    expect(report.firstRejects[0]).toEqual({
      line: 2,
      rejections: [{ reason: 'unknown_module' }],
      text: bad[0],
    });
    expect(report.firstRejects[1]!.line).toBe(4);
  });

  it('reports every reason of a row', async () => {
    const report = await farm.importText(`${LONG}South 9,humidity,10,yesterday,wet\n`);
    expect(report.firstRejects[0]!.rejections.map(({ reason }) => reason)).toEqual([
      'unknown_module',
      'unreadable_time',
      'not_a_number',
    ]);
  });

  it('loses one row to an unclosed quote', async () => {
    const rows = Array.from(
      { length: 50 },
      (_, i) => `A1B2C3,humidity,10,2026-01-10T06:${String(i).padStart(2, '0')}Z,21`,
    );
    const report = await farm.importText(
      LONG + rows.with(10, '"A1B2C3,humidity,10,2026-01-10T06:10Z,21').join('\n'),
    );
    expect(report).toMatchObject({ stored: 49, rejectedRows: 1 });
  });

  it('distinguishes the passes of a repeated hour for each sensor', async () => {
    // Europe/Paris, 2025-10-26: 02:00 local is 00:00Z and again 01:00Z.
    const rows = ['01:30', '02:00', '02:30', '02:00', '02:30', '03:00'].flatMap((time, index) =>
      [10, 20].map((depth) => `A1B2C3,humidity,${depth},2025-10-26T${time},${index}`),
    );
    const report = await farm.importText(LONG + rows.join('\n'));
    const expected = ['23:30', '00:00', '00:30', '01:00', '01:30', '02:00'].map(
      (time, index) => `2025-10-${index === 0 ? 25 : 26}T${time}:00.000Z ${index}`,
    );
    expect(await farm.readings()).toEqual([
      ...expected.map((each) => `humidity_10 ${each}`),
      ...expected.map((each) => `humidity_20 ${each}`),
    ]);
    expect(report).toMatchObject({ stored: 12, duplicates: 0 });
  });

  it.each([
    [
      'two passes, where the hours around have one row each',
      ['01:00,1', '02:00,2', '02:00,2', '03:00,3'],
      2,
      0,
    ],
    ['newest first', ['03:00,3', '02:00,2', '02:00,2', '01:00,1'], 2, 0],
    [
      'a repeat, where the hour after has two rows',
      ['01:00,1', '02:00,2', '02:00,2', '03:00,3', '03:00,3'],
      1,
      2,
    ],
    [
      'a repeat, where the hour before has two rows',
      ['01:00,1', '01:00,1', '02:00,2', '02:00,2', '03:00,3'],
      1,
      2,
    ],
  ])('reads two equal rows of a repeated hour as %s', async (_, rows, passes, duplicates) => {
    const long = rows.map((row) => `A1B2C3,humidity,10,2025-10-26T${row}\n`).join('');
    const wide = `time,humidity_20\n${rows.map((row) => `2025-10-26 ${row}\n`).join('')}`;
    expect(await farm.importText(LONG + long)).toMatchObject({ duplicates, rejectedRows: 0 });
    expect(await farm.importText(wide, { module: 'North 1' })).toMatchObject({
      duplicates,
      rejectedRows: 0,
    });
    const at = ['2025-10-26T00:00:00.000Z 2', '2025-10-26T01:00:00.000Z 2'].slice(0, passes);
    const edges = ['2025-10-25T23:00:00.000Z 1', '2025-10-26T02:00:00.000Z 3'];
    const stored = [edges[0]!, ...at, edges[1]!];
    expect(await farm.readings()).toEqual(
      [10, 20].flatMap((cm) => stored.map((each) => `humidity_${cm} ${each}`)),
    );
  });

  it('counts a rejected row in the order of a repeated hour', async () => {
    const rows = ['01:00,1', '02:00,broken', '02:00,2', '03:00,3'].map(
      (row) => `A1B2C3,humidity,10,2025-10-26T${row}`,
    );
    await farm.importText(LONG + rows.join('\n'));
    expect(await farm.readings()).toContain('humidity_10 2025-10-26T01:00:00.000Z 2');
  });

  it('respects offsets within a repeated hour', async () => {
    const rows = ['02:00+02:00,1', '02:00+01:00,2'].map(
      (row) => `A1B2C3,humidity,10,2025-10-26T${row}`,
    );
    await farm.importText(LONG + rows.join('\n'));
    expect(await farm.readings()).toEqual([
      'humidity_10 2025-10-26T00:00:00.000Z 1',
      'humidity_10 2025-10-26T01:00:00.000Z 2',
    ]);
  });
});

describe('a repeated reading', () => {
  const row = (minute: number, value: number | string) =>
    `A1B2C3,humidity,10,${new Date(Date.UTC(2026, 0, 1) + minute * 60_000).toISOString()},${value}`;

  it('is stored once, with the last value in the file', async () => {
    const report = await farm.importText(
      `${LONG}${row(0, 1)}\n${row(1, 5)}\n${row(0, 2)}\n${row(0, 3)}\n`,
    );
    expect(await farm.readings()).toEqual([
      'humidity_10 2026-01-01T00:00:00.000Z 3',
      'humidity_10 2026-01-01T00:01:00.000Z 5',
    ]);
    expect(report).toMatchObject({ rows: 4, stored: 2, duplicates: 2 });
  });

  it('is counted across batches when two exports overlap', async () => {
    // A batch has 10,000 rows.
    const first = Array.from({ length: 9_000 }, (_, minute) => row(minute, 1));
    const second = Array.from({ length: 9_000 }, (_, minute) => row(minute + 6_000, 2));
    const report = await farm.importText(LONG + [...first, ...second].join('\n'));
    expect(report).toMatchObject({ rows: 18_000, stored: 15_000, duplicates: 3000 });
    const readings = await farm.readings();
    expect(readings).toHaveLength(15_000);
    expect(readings[6_000]!.endsWith(' 2')).toBe(true);
  });

  it('is not counted when a file in order of time is imported again', async () => {
    const text =
      LONG + Array.from({ length: 12_000 }, (_, minute) => row(minute, minute % 50)).join('\n');
    const first = await farm.importText(text);
    const readings = await farm.readings();
    expect(await farm.importText(text)).toEqual(first);
    expect(await farm.readings()).toEqual(readings);
  });
});

describe('a wide file', () => {
  it('reads every sensor column, an empty cell as no reading', async () => {
    const report = await farm.importText(
      `${WIDE}2026-01-10T06:00Z,1,2,3\n2026-01-10T07:00Z,4,,6\n`,
      north,
    );
    expect(await farm.readings()).toEqual([
      'humidity_10 2026-01-10T06:00:00.000Z 1',
      'humidity_10 2026-01-10T07:00:00.000Z 4',
      'humidity_20 2026-01-10T06:00:00.000Z 2',
      'temperature 2026-01-10T06:00:00.000Z 3',
      'temperature 2026-01-10T07:00:00.000Z 6',
    ]);
    expect(report).toMatchObject({ rows: 2, stored: 5, rejectedRows: 0 });
  });

  it('stores the valid cells of a row with an invalid one', async () => {
    const report = await farm.importText(`${WIDE}2026-01-10T06:00Z,1,wet,3\n`, north);
    expect(await farm.readings()).toHaveLength(2);
    expect(report.firstRejects).toEqual([
      {
        line: 2,
        rejections: [{ reason: 'not_a_number', column: 'humidity_20' }],
        text: '2026-01-10T06:00Z,1,wet,3',
      },
    ]);
  });

  it('reports the skipped columns with the reason', async () => {
    const report = await farm.importText(
      'time,humidity_10,Rain,humidity_70,humidity_x\n2026-01-10T06:00Z,1,2,3,4\n',
      north,
    );
    expect(report.skippedColumns).toEqual([
      { name: 'Rain', why: 'unknown_column', nearest: 'temperature' },
      { name: 'humidity_x', why: 'unknown_column', nearest: 'humidity_10' },
      { name: 'humidity_70', why: 'no_such_sensor', nearest: 'humidity_20' },
    ]);
    expect(report.stored).toBe(1);
  });

  it('finds its module by uid, name or id; #2 is always an id', async () => {
    for (const module of ['D4E5F6', 'Sonde été', 'sonde ete', '2', '#2'])
      await farm.importText(`${WIDE}2026-01-10T06:00Z,1,,\n`, { module });
    expect(await farm.readings()).toEqual(['humidity_10@2 2026-01-10T06:00:00.000Z 1']);
  });

  it('refuses an unknown module, and lists the known ones', async () => {
    await expect(
      farm.importText(`${WIDE}2026-01-10T06:00Z,1,,\n`, { module: 'Nord 1' }),
    ).rejects.toMatchObject({
      code: 'not_found',
      message: 'No module is called "Nord 1".',
      hint: 'There are "North 1" (#1), "Sonde été" (#2).',
    });
  });

  it('stores both passes of a repeated hour, newest first, though only skipped columns differ', async () => {
    // Hourly, newest first, local time of Europe/Athens, where 2023-10-29 03:00 occurs twice
    // (00:00Z and 01:00Z) and 2024-03-31 03:00 never; some rows are duplicated.
    const header = 'time,humidity_10,humidity_20,rain,air_temperature\n';
    const rows = [
      ['2024-03-31 04:00:00', 15.4, 5.57, 0, 9.57],
      ['2024-03-31 02:00:00', 15.42, 5.57, 0, 10.23],
      ['2024-03-31 01:00:00', 15.41, 5.57, 0, 10.18],
      ['2024-03-31 01:00:00', 15.41, 5.57, 0, 10.18],
      ['2023-10-29 05:00:00', 6.96, 3.08, 0, 18.43],
      ['2023-10-29 04:00:00', 6.97, 3.07, 0, 18.9],
      ['2023-10-29 03:00:00', 6.98, 3.08, 0, 18.1],
      ['2023-10-29 03:00:00', 6.98, 3.08, 0, 18.8],
      ['2023-10-29 02:00:00', 6.99, 3.08, 0, 18.18],
      ['2023-10-29 02:00:00', 6.99, 3.08, 0, 18.18],
    ];
    const report = await farm.importText(header + rows.map((row) => row.join(',')).join('\n'), {
      ...north,
      zone: 'Europe/Athens',
    });
    // Two sensors; ten rows, two of them duplicates.
    expect(report).toMatchObject({ rows: 10, stored: 16, duplicates: 4, rejectedRows: 0 });
    expect((await farm.readings()).filter((each) => each.startsWith('humidity_10'))).toEqual([
      'humidity_10 2023-10-28T23:00:00.000Z 6.99',
      'humidity_10 2023-10-29T00:00:00.000Z 6.98',
      'humidity_10 2023-10-29T01:00:00.000Z 6.98',
      'humidity_10 2023-10-29T02:00:00.000Z 6.97',
      'humidity_10 2023-10-29T03:00:00.000Z 6.96',
      'humidity_10 2024-03-30T23:00:00.000Z 15.41',
      'humidity_10 2024-03-31T00:00:00.000Z 15.42',
      'humidity_10 2024-03-31T01:00:00.000Z 15.4',
    ]);
  });
});

describe('an invalid file', () => {
  it.each([
    ['is empty', '', 'The file is empty.', undefined],
    ['has no header', 'A1B2C3,humidity,10,2026-01-10T06:00Z,5\n', /no column "time"/, undefined],
    ['lacks a column', 'module,type,time,value\n', /lacks "depth"/, undefined],
    ['names a column twice', 'time,humidity_10,Humidity_10\n', /"Humidity_10" twice/, 'North 1'],
    [
      'names a sensor twice',
      'time,tensio_10,tension_10.0\n',
      /"tension_10.0" names the sensor of another/,
      'North 1',
    ],
    ['names no sensor', 'time,rain\n', /No column names a sensor/, 'North 1'],
    ['is wide without a module', WIDE, /does not say whose/, undefined],
    ['is long with a module', LONG, /names a module in every row/, 'North 1'],
    ['is a spreadsheet', 'PK\u0003\u0004\u0000', /is not text/, undefined],
    ['is one endless line', 'x'.repeat(1_100_000), /longer than/, undefined],
  ])('is refused when it %s', async (_, text, message, module) => {
    await expect(farm.importText(text, { module })).rejects.toMatchObject({
      name: 'AcequiaError',
      message: expect.stringMatching(message),
    });
    expect(await farm.readings()).toEqual([]);
  });
});

describe('rejected rows', () => {
  const rejectsOf = async (
    text: string,
    options?: Partial<ImportReadingsOptions>,
  ): Promise<string> => {
    const rejects: string[] = [];
    await farm.importText(text, { ...options, rejects: async (piece) => void rejects.push(piece) });
    return rejects.join('');
  };

  it('are written unchanged, with line and reason appended', async () => {
    expect(
      await rejectsOf(
        `${LONG}A1B2C3,humidity,10,2026-01-10T06:00Z,5\n"South, 9",humidity,10,2026-01-10T06:00Z,5\nA1B2C3,humidity\n`,
      ),
    ).toBe(
      'module,type,depth,time,value,reject_line,reject_reason\n' +
        '"South, 9",humidity,10,2026-01-10T06:00Z,5,3,unknown module\n' +
        'A1B2C3,humidity,,,,4,fewer cells than the header\n',
    );
  });

  it('can be corrected and imported with the two added columns', async () => {
    const rejects = await rejectsOf(`${WIDE}2026-01-10T06:00Z,1,wet,3\n`, north);
    const report = await farm.importText(rejects.replace('wet', '2'), north);
    expect(report).toMatchObject({ stored: 3, rejectedRows: 0, skippedColumns: [] });
  });

  it('have the two columns once, however often they are rejected', async () => {
    const firstRejects = await rejectsOf(`${WIDE}2026-01-10T06:00Z,1,wet,3\n`, north);
    expect(await rejectsOf(firstRejects, north)).toBe(firstRejects);
  });
});

describe('an import that is stopped', () => {
  it('leaves whole batches, and a second run imports the rest', async () => {
    const rows = Array.from({ length: 21_000 }, (_, minute) => {
      const time = new Date(Date.UTC(2026, 0, 1) + minute * 60_000).toISOString();
      return `A1B2C3,humidity,10,${time},21`;
    });
    const stopping = new AbortController();
    const stopped = await farm.importText(LONG + rows.join('\n'), {
      signal: stopping.signal,
      onProgress: ({ readings }) => readings > 0 && stopping.abort(),
    });
    expect(stopped.isStopped).toBe(true);
    expect(stopped.stored).toBe((await farm.readings()).length);
    expect(stopped.stored % 10_000).toBe(0);
    expect(stopped.stored).toBeGreaterThan(0);
    await farm.importText(LONG + rows.join('\n'));
    expect(await farm.readings()).toHaveLength(21_000);
  });
});

describe('the sums per hour', () => {
  it('are written with the readings of an import', async () => {
    await farm.importText(
      `${LONG}A1B2C3,humidity,10,2026-01-10T06:00Z,1\nA1B2C3,humidity,10,2026-01-10T06:30Z,2\n`,
    );
    const sums = await farm.store.read(farm.companyId, (db) =>
      db.selectFrom('reading_hours').select(['bucket_at', 'count', 'sum']).execute(),
    );
    expect(sums.map((row) => ({ ...row }))).toEqual([
      { bucket_at: Date.UTC(2026, 0, 10, 6), count: 2, sum: 3 },
    ]);
  });
});

it('rejects values outside the range of the measurement, such as error codes', async () => {
  const rows = [
    'humidity,10,101',
    'humidity,10,-0.1',
    'temperature,,9999',
    'temperature,,-60',
    'humidity,10,0',
  ];
  const text =
    LONG +
    rows
      .map((row, second) => row.replace(/,([^,]*)$/, `,2026-01-10T06:00:0${second}Z,$1`))
      .map((row) => `A1B2C3,${row}`)
      .join('\n');
  expect(await reasonsOf(text)).toEqual(['2 humidity_out_of_range', '1 temperature_out_of_range']);
  expect(await farm.readings()).toHaveLength(2);
});

it('accepts numbers in the forms of CSV', async () => {
  const texts = ['1', '-1.5', '+2', '.5', '3.', '1e1', '-1E-2', ' 4 '];
  const rows = texts.map(
    (text, second) => `A1B2C3,temperature,,2026-01-10T06:00:0${second}Z,${text}`,
  );
  expect(await reasonsOf(LONG + rows.join('\n'))).toEqual([]);
  expect((await farm.readings()).map((each) => Number(each.split(' ')[2]))).toEqual([
    1, -1.5, 2, 0.5, 3, 10, -0.01, 4,
  ]);
});
