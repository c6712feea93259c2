import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { formatReadingsReport } from '../../../../src/cli/store-commands/import-summary.ts';
import { type ImportFarm, newImportFarm } from '../import-farm.ts';

/**
 * Headers as public sources have them, with figures of the test. Campbell: the TOA5 format of the
 * LoggerNet manual. HOBOware: public readers of "Temp, °C (LGR S/N: 10754831, SEN S/N: 10754831,
 * LBL: Water)". HOBOlink: a public reader of `Line#,Date,"Current (S-FS-TRMSA
 * 10564073:10518723-1), A, Jon's AC"`. FieldClimate: public readers of "EAG Soil Moisture [%] 10cm"
 * and "EAG Soil moisture 1". WeatherLink program: the "Soil 1 Moist." of public tables of its
 * columns.
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

it('is only understood in a dry run, with the first rows as they would be stored', async () => {
  const report = await farm.importText(
    lines('Datum;Bodenfeuchte 10 cm (m³/m³)', '2026-01-10 06:00;0,234', '2026-01-10 07:00;0,25'),
    { ...north, dryRun: true },
  );
  expect(await farm.readings()).toEqual([]);
  expect(report).toMatchObject({ stored: 2, sensors: 1 });
  expect(formatReadingsReport('north.csv', report, {}, 'es')).toContain(
    [
      '  aún no se ha guardado nada; las primeras filas, tal como se guardarían:',
      '    línea 2: "North 1", humidity_10, 2026-01-10 06:00: 23,4 %',
      '    línea 3: "North 1", humidity_10, 2026-01-10 07:00: 25 %',
    ].join('\n'),
  );
});
