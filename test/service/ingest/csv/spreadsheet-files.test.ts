import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ImportFarm, newImportFarm } from '../import-farm.ts';

let farm: ImportFarm;
beforeEach(async () => {
  farm = await newImportFarm();
});
afterEach(() => farm.remove());

const north = { module: 'North 1' };

describe('the file of a spreadsheet', () => {
  it('has a byte order mark, semicolons, decimal commas, a day and an hour in two columns', async () => {
    const report = await farm.importText(
      '\uFEFFDate;Heure;"Humidité sol 10 cm (%)";Pluie\r\n13/01/2026;06:00;23,4;0\r\n14/01/2026;6:15;"24,25";0,2\r\n',
      north,
    );
    expect(await farm.readings()).toEqual([
      'humidity_10 2026-01-13T05:00:00.000Z 23.4',
      'humidity_10 2026-01-14T05:15:00.000Z 24.25',
    ]);
    expect(report).toMatchObject({
      rejectedRows: 0,
      dates: 'dmy',
      skippedColumns: [{ name: 'Pluie', why: 'unknown_column', nearest: expect.any(String) }],
    });
    expect(report.columns).toEqual([
      { name: 'Date', meaning: 'date', unit: null, isConverted: false },
      { name: 'Heure', meaning: 'time_of_day', unit: null, isConverted: false },
      { name: 'Humidité sol 10 cm (%)', meaning: 'humidity_10', unit: '%', isConverted: false },
    ]);
  });

  it('is separated by tabs, names the module in each row, and writes the month first', async () => {
    await farm.importText(
      'Probe\tDate Time\tSoil moisture 10cm\nNorth 1\t1/22/2026 4:30 PM\t20.5\nD4E5F6\t1/22/2026 12:05 AM\t\nD4E5F6\t1/22/2026 12:10 AM\t21\n',
    );
    expect(await farm.readings()).toEqual([
      'humidity_10 2026-01-22T15:30:00.000Z 20.5',
      'humidity_10@2 2026-01-21T23:10:00.000Z 21',
    ]);
  });

  it('converts m3/m3 to %, and Fahrenheit to Celsius, beside columns in %', async () => {
    await farm.importText(
      'timestamp,VWC 10cm (m3/m3),Soil moisture 20cm (%),Temperature (°F)\n2026-01-10 6:00,0.29,29,50\n',
      north,
    );
    expect(await farm.readings()).toEqual([
      'humidity_10 2026-01-10T05:00:00.000Z 29',
      'humidity_20 2026-01-10T05:00:00.000Z 29',
      'temperature 2026-01-10T05:00:00.000Z 10',
    ]);
  });

  it('names measurements above their depths, after lines about the farm', async () => {
    const report = await farm.importText(
      'Mas Rouge, export;\n\n;Soil moisture;;Temperature\nDate;10 cm;20 cm;\n;%;%;C\n2026-01-10 06:00;20;21;5\n2026-01-10 07:00;wet;21;5\n',
      north,
    );
    expect(await farm.readings()).toEqual([
      'humidity_10 2026-01-10T05:00:00.000Z 20',
      'humidity_20 2026-01-10T05:00:00.000Z 21',
      'humidity_20 2026-01-10T06:00:00.000Z 21',
      'temperature 2026-01-10T05:00:00.000Z 5',
      'temperature 2026-01-10T06:00:00.000Z 5',
    ]);
    expect(report).toMatchObject({ rows: 2, firstRejects: [{ line: 7 }] });
  });

  it('is written in Windows-1252', async () => {
    const bytes = Buffer.from(
      'Date;Humidité du sol 10 cm (m³/m³)\n2026-01-10 06:00;0,234\n',
      'latin1',
    );
    const { importReadings } = await import('../../../../src/service/ingest/readings-import.ts');
    const { store, companyId } = farm;
    await importReadings(one(bytes), {
      store,
      companyId,
      zone: 'Europe/Paris',
      now: Date.UTC(2026, 6, 1),
      ...north,
    });
    expect(await farm.readings()).toEqual(['humidity_10 2026-01-10T05:00:00.000Z 23.4']);
  });

  it.each([
    [
      'little endian',
      Buffer.from('\uFEFFDate\tHumidité sol 10 cm\n2026-01-10 06:00\t23,4\n', 'utf16le'),
    ],
    [
      'big endian',
      Buffer.from('\uFEFFDate\tHumidité sol 10 cm\n2026-01-10 06:00\t23,4\n', 'utf16le').swap16(),
    ],
    [
      'without a byte order mark',
      Buffer.from('Date\tHumidité sol 10 cm\n2026-01-10 06:00\t23,4\n', 'utf16le'),
    ],
  ])('is written in UTF-16, %s', async (_, bytes) => {
    const { importReadings } = await import('../../../../src/service/ingest/readings-import.ts');
    const { store, companyId } = farm;
    await importReadings(one(bytes), {
      store,
      companyId,
      zone: 'Europe/Paris',
      now: Date.UTC(2026, 6, 1),
      ...north,
    });
    expect(await farm.readings()).toEqual(['humidity_10 2026-01-10T05:00:00.000Z 23.4']);
  });

  it.each([
    ['years of two digits', '13/01/26 06:00', {}],
    ['years of two digits, the month first', '1/13/26 6:00 AM', {}],
    [
      'years of two digits after hyphens, where the order is said',
      '13-01-26 06:00',
      { dates: 'dmy' as const },
    ],
    ['Unix seconds', '1768280400', {}],
    ['Unix seconds with a fraction', '1768280400.0', {}],
    ['Unix milliseconds', '1768280400000', {}],
  ])('has %s', async (_, time, options) => {
    await farm.importText(`timestamp;humidity_10\n${time};23,4\n`, { ...north, ...options });
    expect(await farm.readings()).toEqual(['humidity_10 2026-01-13T05:00:00.000Z 23.4']);
  });

  it.each(['22-11-25 06:00', '01/02/26 06:00'])(
    'is refused where a date such as %s has two readings',
    async (time) => {
      await expect(farm.importText(`timestamp;humidity_10\n${time};23,4\n`, north)).rejects.toThrow(
        expect.objectContaining({ message: expect.stringContaining('can be read in two ways') }),
      );
    },
  );

  it('has units in its cells, which count more than those of the header', async () => {
    const report = await farm.importText(
      'Date;Humidité sol 10 cm;VWC 20cm (m3/m3);Température\n2026-01-10 06:00;23,4 %;29%;50 °F\n2026-01-10 07:00;0,24 m³/m³;0,3;5 °C\n2026-01-10 08:00;20 kPa;0,3;5 ducks\n',
      north,
    );
    expect(await farm.readings()).toEqual([
      'humidity_10 2026-01-10T05:00:00.000Z 23.4',
      'humidity_10 2026-01-10T06:00:00.000Z 24',
      'humidity_20 2026-01-10T05:00:00.000Z 29',
      'humidity_20 2026-01-10T06:00:00.000Z 30',
      'humidity_20 2026-01-10T07:00:00.000Z 30',
      'temperature 2026-01-10T05:00:00.000Z 10',
      'temperature 2026-01-10T06:00:00.000Z 5',
    ]);
    expect(report.reasons).toEqual([{ reason: 'not_a_number', count: 2 }]);
  });

  it('names units in the long form by row, else in the header', async () => {
    await farm.importText(
      'Sonde;Mesure;Profondeur (cm);Date;Valeur;Unité\nNorth 1;Humidité du sol;10;2026-01-10 06:00;0,234;m³/m³\nNorth 1;Humidité du sol;20;2026-01-10 06:00;23;%\nNorth 1;Température;;2026-01-10 06:00;50;°F\n',
    );
    const report = await farm.importText(
      'module,type,depth,time,value (m3/m3),\nNorth 1,humidity,10,2026-01-10 07:00,0.25,\nNorth 1,temperature,,2026-01-10 07:00,5,\n',
    );
    const units =
      'module,type,depth,time,value,unit\nNorth 1,humidity,10,2026-01-10 08:00,0.25,kPa\n';
    expect(await farm.readings()).toEqual([
      'humidity_10 2026-01-10T05:00:00.000Z 23.4',
      'humidity_10 2026-01-10T06:00:00.000Z 25',
      'humidity_20 2026-01-10T05:00:00.000Z 23',
      'temperature 2026-01-10T05:00:00.000Z 10',
      'temperature 2026-01-10T06:00:00.000Z 5',
    ]);
    expect(report.columns.at(-1)).toEqual({
      name: 'value (m3/m3)',
      meaning: 'value',
      unit: 'm3/m3',
      isConverted: true,
    });
    expect((await farm.importText(units)).reasons).toEqual([{ reason: 'unknown_unit', count: 1 }]);
  });

  it('has rows of another measurement, rejected for their type alone', async () => {
    const report = await farm.importText(
      'module,type,depth,time,value,unit\nNorth 1,salinity,10,2026-01-10 08:00,23,%\nNorth 1,salinity,10,2026-01-10 09:00,-23,\nNorth 1,salinity,10,soon,23,\n',
    );
    expect(report.reasons).toEqual([
      { reason: 'unknown_type', count: 3 },
      { reason: 'unreadable_time', count: 1 },
    ]);
  });

  it('is refused in the long form, too, where no moisture is above 1 and no unit is named', async () => {
    const text =
      'module,type,depth,time,value\nNorth 1,temperature,,2026-01-10 06:00,5\nNorth 1,humidity,10,2026-01-10 06:00,0.234\n';
    await expect(farm.importText(text)).rejects.toMatchObject({
      message:
        'No value of "value" is above 1: this may be m3/m3 and not %, so nothing was stored.',
      hint: expect.stringContaining('"value=value (m3/m3)"'),
    });
    expect(await farm.readings()).toEqual([]);
    await farm.importText(text, { map: 'value=value (m3/m3)' });
    expect(await farm.readings()).toEqual([
      'humidity_10 2026-01-10T05:00:00.000Z 23.4',
      'temperature 2026-01-10T05:00:00.000Z 5',
    ]);
    await farm.importText(text, { map: 'value=value (%)' });
    expect((await farm.readings())[0]).toBe('humidity_10 2026-01-10T05:00:00.000Z 0.234');
  });

  it('has rows of the long form in words', async () => {
    await farm.importText(
      'Sonde;Mesure;Profondeur (cm);Date;Valeur\nNorth 1;Humidité du sol;10 cm;2026-01-10 06:00;12,5\nNorth 1;Température;;2026-01-10 06:00;3\n',
    );
    expect(await farm.readings()).toEqual([
      'humidity_10 2026-01-10T05:00:00.000Z 12.5',
      'temperature 2026-01-10T05:00:00.000Z 3',
    ]);
  });
});

async function* one(bytes: Uint8Array) {
  yield bytes;
}

it('reads the file of a logger with names, units and kinds in three lines', async () => {
  const text = [
    '"TOA5","CR1000","1","os"',
    '"TIMESTAMP","RECORD","VWC_10cm_Avg","Soil_T"',
    '"TS","RN","m^3/m^3","Deg C"',
    '"","","Avg","Avg"',
    '"2026-01-10 06:00:00",1,0.234,5.5',
  ].join('\n');
  const report = await farm.importText(text, {
    ...north,
    map: 'Soil_T=temperature; RECORD=ignore',
  });
  expect(await farm.readings()).toEqual([
    'humidity_10 2026-01-10T05:00:00.000Z 23.4',
    'temperature 2026-01-10T05:00:00.000Z 5.5',
  ]);
  expect(report).toMatchObject({ rows: 1, rejectedRows: 0, skippedColumns: [] });
});

it('takes the time alone if it holds the date too, and the day of a date at midnight', async () => {
  await farm.importText(
    'date,time,humidity_10\n2026-01-10,2026-01-10T06:00Z,5\n2026-01-11 00:00:00,06:00,6\n',
    north,
  );
  expect(await farm.readings()).toEqual([
    'humidity_10 2026-01-10T06:00:00.000Z 5',
    'humidity_10 2026-01-11T05:00:00.000Z 6',
  ]);
});

it('lists a date beside a column with the whole time as skipped', async () => {
  const text = 'date,timestamp,humidity_10\n2026-01-10,2026-01-10 06:00,5\n';
  expect(await farm.importText(text, north)).toMatchObject({
    columns: [{ name: 'timestamp' }, { name: 'humidity_10' }],
    skippedColumns: [{ name: 'date', why: 'other_time_column', nearest: null }],
  });
  expect(await farm.importText(text, { ...north, map: 'date=ignore' })).toMatchObject({
    skippedColumns: [],
  });
  expect(await farm.importText(text, { ...north, map: 'timestamp=ignore' })).toMatchObject({
    skippedColumns: [],
  });
});

describe('a column of days without a time of day', () => {
  it('has its values at 12:00 local time', async () => {
    const report = await farm.importText(
      'Date;Soil moisture 10cm\n13/01/2026;21,5\n14/06/2026;22\n2026-06-15;23\nMoyenne;22\n',
      north,
    );
    expect(report).toMatchObject({
      stored: 3,
      rejectedRows: 1,
      columns: [{ name: 'Date', meaning: 'time_at_noon' }, {}],
    });
    expect(await farm.readings()).toEqual([
      'humidity_10 2026-01-13T11:00:00.000Z 21.5',
      'humidity_10 2026-06-14T10:00:00.000Z 22',
      'humidity_10 2026-06-15T10:00:00.000Z 23',
    ]);
  });

  it.each([
    ['has another row with a time', 'Date,humidity_10\n2026-01-10,5\n2026-01-10 06:00,6\n', 1],
    ['has a name that promises the time', 'Timestamp,humidity_10\n2026-01-10,5\n', 0],
  ])('is rejected row by row if it %s', async (_, text, stored) => {
    const report = await farm.importText(text, north);
    expect(report).toMatchObject({ stored, rejectedRows: 1, columns: [{ meaning: 'time' }, {}] });
  });
});

it('refuses a module beside a column of modules, and a file without sensors, saying what to do', async () => {
  const text = 'Device,time,humidity_10\nA1B2C3,2026-01-10 06:00,5\n';
  await expect(farm.importText(text, north)).rejects.toMatchObject({
    hint: 'Leave --module out, or leave the column unread with --map "Device=ignore".',
  });
  expect(await farm.importText(text, { ...north, map: 'Device=ignore' })).toMatchObject({
    stored: 1,
  });
  await expect(farm.importText('time,value\n2026-01-10 06:00,5\n', north)).rejects.toMatchObject({
    message: expect.stringMatching(/^No column names a sensor: "value" \(nearest: /),
  });
});

describe('a date such as 03/04/2026', () => {
  const rows = (...days: string[]): string =>
    `time,humidity_10\n${days.map((day) => `${day} 06:00,5\n`).join('')}`;

  it('is read by a day above 12, wherever in the file it is', async () => {
    const days = Array.from(
      { length: 400 },
      (_, index) =>
        `01/02/2026 06:${String(index % 60).padStart(2, '0')}:${String(Math.floor(index / 60)).padStart(2, '0')}`,
    );
    const text = `time,humidity_10\n${days.map((time) => `${time},5\n`).join('')}13/02/2026 06:00,6\n`;
    expect(await farm.importText(text, north)).toMatchObject({
      dates: 'dmy',
      stored: 401,
      rejectedRows: 0,
    });
    expect((await farm.readings())[0]).toBe('humidity_10 2026-02-01T05:00:00.000Z 5');
  });

  it('is ambiguous without one, until its order is said', async () => {
    await expect(farm.importText(rows('03/04/2026', '05/04/2026'), north)).rejects.toMatchObject({
      message: expect.stringContaining('"03/04/2026 06:00" can be read in two ways'),
      hint: expect.stringContaining('--dates'),
    });
    expect(await farm.readings()).toEqual([]);
    await farm.importText(rows('03/04/2026'), { ...north, dates: 'mdy' });
    await farm.importText(rows('03.04.2026'), { ...north, dates: 'dmy' });
    expect(await farm.readings()).toEqual([
      'humidity_10 2026-03-04T05:00:00.000Z 5',
      'humidity_10 2026-04-03T04:00:00.000Z 5',
    ]);
  });

  it('is a rejected row in a file of ISO dates, and a day that does not exist is one in any file', async () => {
    const report = await farm.importText(rows('2026-01-10', '03/04/2026'), north);
    expect(report).toMatchObject({ dates: null, stored: 1, rejectedRows: 1 });
    expect(await farm.importText(rows('13/01/2026', '31/02/2026'), north)).toMatchObject({
      stored: 1,
      rejectedRows: 1,
    });
  });
});

it('reads times in the zone that the header names, unless another is asked for', async () => {
  const text = 'Date Time (UTC),humidity_10\n2026-01-10 06:00,5\n';
  expect(await farm.importText(text, north)).toMatchObject({ zone: 'UTC' });
  await farm.importText(text, { ...north, timezone: 'Asia/Tokyo' });
  expect(await farm.readings()).toEqual([
    'humidity_10 2026-01-09T21:00:00.000Z 5',
    'humidity_10 2026-01-10T06:00:00.000Z 5',
  ]);
});

describe('a column map', () => {
  const text = 'time,Probe A,Rain\n2026-01-10 06:00,0.2,1\n';

  it('says what a column is, with its unit', async () => {
    await farm.importText(text, { ...north, map: 'probe a = humidity_20 (m3/m3)' });
    expect(await farm.readings()).toEqual(['humidity_20 2026-01-10T05:00:00.000Z 20']);
  });

  it.each([
    ['names a column that the file lacks', 'Probe B=humidity_10', 'has no column "probe b"'],
    ['means nothing', 'Probe A=moist_10', 'does not say what a column is'],
    ['is not of the form', 'Probe A', 'does not say what a column is'],
    [
      'names a sensor twice',
      'Probe A=humidity_10;Rain=humidity_10',
      'names the sensor of another column',
    ],
  ])('is refused if it %s', async (_, map, message) => {
    await expect(farm.importText(text, { ...north, map })).rejects.toThrow(message);
    expect(await farm.readings()).toEqual([]);
  });

  it('is asked for with the nearest columns if none names a sensor', async () => {
    await expect(
      farm.importText('time,Moistur 20,Rain\n2026-01-10 06:00,0.2,1\n', north),
    ).rejects.toMatchObject({
      message: expect.stringContaining('"Moistur 20" (nearest: humidity_20)'),
      hint: expect.stringContaining('--map'),
    });
  });
});

describe('moisture of at most 1 in all rows', () => {
  const rows = (name: string, ...values: (string | number)[]): string =>
    `Date Time,${name}\n${values.map((value, minute) => `2026-01-10 06:${String(minute).padStart(2, '0')},${value}\n`).join('')}`;

  it.each(['Soil moisture 10cm', 'Soil moisture 10cm (%)', 'VWC_10'])(
    'is refused under the header "%s", since it may be m3/m3',
    async (name) => {
      await expect(farm.importText(rows(name, 0, '', 0.21, 1, 9999), north)).rejects.toMatchObject({
        message: `No value of "${name}" is above 1: this may be m3/m3 and not %, so nothing was stored.`,
        hint: `Say the unit with --map "${name}=humidity_10 (m3/m3)", or with (%) in place of (m3/m3) if the values are percent.`,
      });
      expect(await farm.readings()).toEqual([]);
    },
  );

  it('is stored as the map says its unit', async () => {
    const text = rows('Soil moisture 10cm (%)', 0.21);
    await farm.importText(text, { ...north, map: 'Soil moisture 10cm (%)=humidity_10 (m3/m3)' });
    expect(await farm.readings()).toEqual(['humidity_10 2026-01-10T05:00:00.000Z 21']);
    await farm.importText(text, { ...north, map: 'Soil moisture 10cm (%)=humidity_10 (%)' });
    expect(await farm.readings()).toEqual(['humidity_10 2026-01-10T05:00:00.000Z 0.21']);
    await expect(
      farm.importText(text, { ...north, map: 'Soil moisture 10cm (%)=humidity_10' }),
    ).rejects.toThrow('may be m3/m3');
  });

  it('is named for each of several columns, with a map that can be used as it is', async () => {
    const text =
      'Probe,Date Time,Soil moisture 10cm,Soil moisture 20cm\nNorth 1,2026-01-10 06:00,0.21,0.2\nD4E5F6,2026-01-10 06:00,0.2,0.2\n';
    const refusal = await farm.importText(text).catch((error) => error);
    expect(refusal.message).toContain('"Soil moisture 10cm", "Soil moisture 20cm"');
    const [, map] = /--map "([^"]*)"/.exec(refusal.hint)!;
    expect(await farm.importText(text, { map: map! })).toMatchObject({ stored: 4 });
    expect((await farm.readings())[0]).toBe('humidity_10 2026-01-10T05:00:00.000Z 21');
  });

  it.each([
    ['is percent in the canonical formats', rows('humidity_10', 0.21), {}],
    [
      'is not in doubt with a value above 1, even after many rows',
      rows('VWC_10', ...Array(59).fill(0.8), 1.2),
      {},
    ],
    ['is not in doubt if all of it is 0', rows('VWC_10', 0, 0), {}],
    ['is not in doubt in a column that is not stored', rows('VWC_70,humidity_10', '0.2,20'), {}],
    ['is not in doubt for another measurement', rows('Soil temperature', 0.2), {}],
  ])('%s', async (_, text) => {
    expect((await farm.importText(text, north)).stored).toBeGreaterThan(0);
  });
});

it('writes rejects that can be corrected and imported, whatever the header', async () => {
  const rejects: string[] = [];
  const text = ';Soil moisture;\nDate;10 cm;20 cm\n13/01/2026 06:00;wet;21,5\n';
  await farm.importText(text, { ...north, rejects: async (piece) => void rejects.push(piece) });
  const report = await farm.importText(rejects.join('').replace('wet', '20,5'), north);
  expect(report).toMatchObject({ stored: 2, rejectedRows: 0 });
  expect(await farm.readings()).toEqual([
    'humidity_10 2026-01-13T05:00:00.000Z 20.5',
    'humidity_20 2026-01-13T05:00:00.000Z 21.5',
  ]);
});
