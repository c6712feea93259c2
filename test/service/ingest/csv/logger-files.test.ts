import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { formatReadingsReport } from '../../../../src/cli/store-commands/import-summary.ts';
import { type ImportFarm, newImportFarm } from '../import-farm.ts';

/**
 * Headers as public sources have them, with figures of the test. Campbell: the TOA5 format of the
 * LoggerNet manual. HOBOware: public readers of "Temp, °C (LGR S/N: 10754831, SEN S/N: 10754831,
 * LBL: Water)". HOBOlink: a public reader of `Line#,Date,"Current (S-FS-TRMSA
 * 10564073:10518723-1), A, Jon's AC"`. FieldClimate: public readers of "EAG Soil Moisture [%] 10cm"
 * and "EAG Soil moisture 1". WeatherLink program: the "Soil 1 Moist." of public tables of its
 * columns. WatchDog, Irrometer and IrriMAX: built after descriptions, since no file is public.
 */
let farm: ImportFarm;
beforeEach(async () => {
  farm = await newImportFarm();
});
afterEach(() => farm.remove());

const north = { module: 'North 1' };
const lines = (...texts: string[]): string => `${texts.join('\n')}\n`;

describe('the file of a Campbell logger', () => {
  it('may have fewer columns than the line about the logger, and has NAN and -7999 for no value', async () => {
    const report = await farm.importText(
      lines(
        '"TOA5","Mas","CR300","12345","CR300.Std.10","CPU:soil.cr300","1234","Soil"',
        '"TIMESTAMP","RECORD","VW_Avg(1)","VW_Avg(2)"',
        '"TS","RN","m^3/m^3","m^3/m^3"',
        '"","","Avg","Avg"',
        '"2026-01-10 06:00:00",0,0.234,"NAN"',
        '"2026-01-10 06:15:00",1,0.235,-7999',
      ),
      { ...north, map: 'VW_Avg(1)=10 cm; VW_Avg(2)=20 cm' },
    );
    expect(await farm.readings()).toEqual([
      'humidity_10 2026-01-10T05:00:00.000Z 23.4',
      'humidity_10 2026-01-10T05:15:00.000Z 23.5',
    ]);
    expect(report).toMatchObject({ profile: 'campbell', rejectedRows: 0, failedMeasurements: 2 });
  });

  it('has names with depths, as the person wrote them', async () => {
    const report = await farm.importText(
      lines(
        '"TOA5","Mas","CR1000"',
        '"TIMESTAMP","RECORD","VWC_10cm_Avg","Soil_T_Avg"',
        '"TS","RN","m^3/m^3","Deg C"',
        '"","","Avg","Avg"',
        '"2026-01-10 06:00:00",0,0.234,NAN',
      ),
      { ...north, map: 'Soil_T_Avg=temperature' },
    );
    expect(await farm.readings()).toEqual(['humidity_10 2026-01-10T05:00:00.000Z 23.4']);
    expect(report).toMatchObject({ rejectedRows: 0, failedMeasurements: 1 });
  });

  it('does not take the number of an input for a depth', async () => {
    await expect(
      farm.importText(
        lines(
          '"TOA5","Mas","CR300","12345","CR300.Std.10","CPU:soil.cr300","1234","Soil"',
          '"TIMESTAMP","RECORD","VWC_Avg(1)"',
          '"TS","RN","m^3/m^3"',
          '"","","Avg"',
          '"2026-01-10 06:00:00",0,0.234',
        ),
        north,
      ),
    ).rejects.toMatchObject({
      message: 'The file does not state the depth of "VWC_Avg(1)".',
      hint: expect.stringContaining('--map "VWC_Avg(1)=30 cm"'),
    });
  });
});

describe('the file of a HOBO logger', () => {
  const PLAIN = [
    '"Plot Title: North"',
    '"#","Date Time, GMT+02:00","Water Content, m³/m³ (LGR S/N: 10754831, SEN S/N: 10754832)","Water Content, m³/m³ (LGR S/N: 10754831, SEN S/N: 10754833)","Coupler Attached (LGR S/N: 10754831)"',
    '1,01/13/26 06:00:00 AM,0.234,0.25,',
  ];

  it('has the depth in the label of a sensor', async () => {
    const report = await farm.importText(
      lines(
        '"Plot Title: North"',
        '"#","Date Time, GMT+02:00","Water Content, m³/m³ (LGR S/N: 10754831, SEN S/N: 10754832, LBL: 10cm)","Temp, °C (LGR S/N: 10754831, SEN S/N: 10754834, LBL: Air)","Coupler Attached (LGR S/N: 10754831)"',
        '1,01/13/26 06:00:00 AM,0.234,5.1,',
      ),
      north,
    );
    expect(await farm.readings()).toEqual(['humidity_10 2026-01-13T04:00:00.000Z 23.4']);
    expect(report).toMatchObject({ profile: 'hobo', rejectedRows: 0 });
  });

  it('names its sensors by their serial numbers where they have no label', async () => {
    await expect(farm.importText(lines(...PLAIN), north)).rejects.toMatchObject({
      message: 'The file does not state the depth of "SEN S/N: 10754832", "SEN S/N: 10754833".',
    });
    await farm.importText(lines(...PLAIN), {
      ...north,
      map: 'SEN S/N: 10754832=10 cm; SEN S/N: 10754833=20 cm',
    });
    expect(await farm.readings()).toEqual([
      'humidity_10 2026-01-13T04:00:00.000Z 23.4',
      'humidity_20 2026-01-13T04:00:00.000Z 25',
    ]);
  });

  it('has its columns mapped by their whole names, as an error shows them', async () => {
    const name = 'Water Content, m³/m³ (LGR S/N: 10754831, SEN S/N: 10754832)';
    await expect(
      farm.importText(lines(...PLAIN), { ...north, map: 'x=humidity_10' }),
    ).rejects.toMatchObject({ message: expect.stringContaining(`"${name}"`) });
    await farm.importText(lines(...PLAIN), { ...north, map: `${name}=humidity_10 (m3/m3)` });
    expect(await farm.readings()).toEqual(['humidity_10 2026-01-13T04:00:00.000Z 23.4']);
  });

  it('is exported from HOBOlink with the label after the unit', async () => {
    const report = await farm.importText(
      lines(
        'Line#,Date,"Water Content (S-SMD-M005 10564073:10518723-1), m^3/m^3, North 10cm","Water Content (S-SMD-M005 10564073:10518724-1), m^3/m^3","Battery (RX3000 BATTERY 10564073:10564073-B), V"',
        '1,13/01/26 06:00:00,0.234,0.25,4.1',
      ),
      { ...north, map: '10564073:10518724-1=20 cm' },
    );
    expect(await farm.readings()).toEqual([
      'humidity_10 2026-01-13T05:00:00.000Z 23.4',
      'humidity_20 2026-01-13T05:00:00.000Z 25',
    ]);
    expect(report).toMatchObject({ profile: 'hobolink' });
  });
});

describe('the file of a weather station', () => {
  it('of FieldClimate has depths in the names, or asks for them', async () => {
    const report = await farm.importText(
      lines(
        'Date/Time,HC Air temperature [°C],EAG Soil Moisture [%] 10cm,EAG Soil Moisture 2 [%],VPD [mbar]',
        '2026-01-10 06:00:00,5.1,23.4,25,1',
      ),
      { ...north, map: 'EAG Soil Moisture 2=20 cm' },
    );
    expect(await farm.readings()).toEqual([
      'humidity_10 2026-01-10T05:00:00.000Z 23.4',
      'humidity_20 2026-01-10T05:00:00.000Z 25',
    ]);
    expect(report).toMatchObject({ profile: 'fieldclimate', rejectedRows: 0 });
  });

  it('of the WeatherLink program names its sensors on two lines, without the unit of temperatures', async () => {
    const text = lines(
      '\t\tTemp\tHi\tSoil 1\tSoil 1',
      'Date\tTime\tOut\tTemp\tMoist.\tTemp.',
      '13/01/26\t06:00\t5.1\t5.5\t23\t50',
    );
    await expect(farm.importText(text, north)).rejects.toMatchObject({
      message: 'The file does not state the depth of "1".',
    });
    await farm.importText(text, {
      ...north,
      map: 'Soil 1 Temp.=temperature (F); Soil 1 Moist.=ignore',
    });
    expect(await farm.readings()).toEqual(['temperature 2026-01-13T05:00:00.000Z 10']);
  });
});

describe('a column of a product', () => {
  it('is read by its name, after a line with a serial number', async () => {
    await farm.importText(
      lines(
        'WatchDog 1650,Serial 12345',
        'Date and Time,WaterScout 10cm %VWC,Temperature °C',
        '13/01/2026 06:00,23.4,5',
      ),
      north,
    );
    expect(await farm.readings()).toEqual([
      'humidity_10 2026-01-13T05:00:00.000Z 23.4',
      'temperature 2026-01-13T05:00:00.000Z 5',
    ]);
  });

  it('that is a depth alone does not say what it measures: the message can be copied', async () => {
    const text = lines('Probe 1', 'Date Time,10cm,20cm', '2026-01-10 06:00:00,23.4,25');
    await expect(farm.importText(text, north)).rejects.toMatchObject({
      message: expect.stringContaining('No column names a sensor: "10cm"'),
      hint: expect.stringContaining('--map "10cm=humidity_10"'),
    });
    await farm.importText(text, { ...north, map: '10cm=humidity_10; 20cm=humidity_20' });
    expect(await farm.readings()).toHaveLength(2);
  });
});

it.each([
  ['Irrometer', 'Date/Time,Watermark 1 (20 cm),Soil Moisture 10cm (%)', 'tensio_20'],
  ['Ambient Weather', 'Date,Outdoor Humidity (%),Soil Moisture 10cm (%)', 'Outdoor Humidity (%)'],
])('lists what a file of %s has and the module has not', async (_, header, name) => {
  const report = await farm.importText(lines(header, '2026-01-10 06:00,12,23.4'), north);
  expect(await farm.readings()).toEqual(['humidity_10 2026-01-10T05:00:00.000Z 23.4']);
  expect(report.skippedColumns).toHaveLength(1);
  expect(`${report.skippedColumns[0]?.name} ${report.skippedColumns[0]?.nearest}`).toContain(
    name === 'tensio_20' ? 'Watermark 1 (20 cm) humidity_20' : name,
  );
});

it('has a line that names its delimiter, and errors of the spreadsheet in cells', async () => {
  const report = await farm.importText(
    lines('sep=;', 'Date;VWC 10cm (%)', '2026-01-10 06:00;23,4', '2026-01-10 07:00;#DIV/0!'),
    north,
  );
  expect(await farm.readings()).toEqual(['humidity_10 2026-01-10T05:00:00.000Z 23.4']);
  expect(report.reasons).toEqual([{ reason: 'not_a_number', count: 1 }]);
});

it.each([
  ['dates as the serial numbers of a spreadsheet', 'Date,VWC 10cm (%)\n46032.25,23.4\n', 0],
  [
    'a form with one state in each row',
    'entity_id,state,last_changed\nsensor.x,23.4,2026-01-10\n',
    null,
  ],
])('stores nothing of %s', async (_, text, stored) => {
  const result = await farm.importText(text, north).catch(() => null);
  expect(result?.stored ?? null).toBe(stored);
  expect(await farm.readings()).toEqual([]);
});

it('is only understood in a dry run, with the first rows as they would be stored', async () => {
  const report = await farm.importText(
    lines('Datum;Bodenfeuchte 10 cm (m³/m³)', '2026-01-10 06:00;0,234', '2026-01-10 07:00;0,25'),
    { ...north, dryRun: true },
  );
  expect(await farm.readings()).toEqual([]);
  expect(report).toMatchObject({ stored: 2, sensors: 1 });
  expect(formatReadingsReport('north.csv', report, undefined, 'es')).toContain(
    [
      '  aún no se ha guardado nada; las primeras filas, tal como se guardarían:',
      '    línea 2: "North 1", humidity_10, 2026-01-10 06:00: 23,4 %',
      '    línea 3: "North 1", humidity_10, 2026-01-10 07:00: 25 %',
    ].join('\n'),
  );
});

it.each([
  ['German', 'Datum;Uhrzeit;Bodenfeuchte 10 cm (%);Bodenfeuchte 20 cm (%);Lufttemperatur (°C)'],
  ['Portuguese', 'Data;Hora;Umidade do solo 10 cm (%);Umidade do solo 20 cm (%);Chuva (mm)'],
  ['Italian', 'Data;Ora;Umidità del suolo 10 cm (%);Umidità suolo 20 cm (%);Pioggia (mm)'],
])('reads a %s spreadsheet', async (_, header) => {
  const report = await farm.importText(lines(header, '13.01.2026;06:00;23,4;25;5'), north);
  expect(await farm.readings()).toEqual([
    'humidity_10 2026-01-13T05:00:00.000Z 23.4',
    'humidity_20 2026-01-13T05:00:00.000Z 25',
  ]);
  expect(report).toMatchObject({ rejectedRows: 0, skippedColumns: [{ why: 'unknown_column' }] });
});
