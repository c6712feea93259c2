import { afterEach, beforeEach, expect, it } from 'vitest';
import { type ImportFarm, newImportFarm } from '../import-farm.ts';

let farm: ImportFarm;
beforeEach(async () => {
  farm = await newImportFarm();
});
afterEach(() => farm.remove());

interface Outcome {
  /** Options of the import beside the module. */
  readonly map?: string;
  readonly stored?: readonly string[];
  /** A part of the message that refuses the file. */
  readonly refused?: string;
}

const both = ['humidity_10 23.4', 'humidity_20 25'];

/**
 * Files of loggers, clouds and spreadsheets, and what must come of each. Headers as in
 * logger-files.test.ts and spreadsheet-files.test.ts, which name their sources.
 */
const FILES: readonly [what: string, lines: readonly string[], outcome: Outcome][] = [
  [
    'Campbell TOA5 with depths',
    [
      '"TOA5","Mas","CR1000","12345"',
      '"TIMESTAMP","RECORD","VWC_10cm_Avg","VWC_20cm_Avg"',
      '"TS","RN","m^3/m^3","m^3/m^3"',
      '"","","Avg","Avg"',
      '"2026-01-13 06:00:00",0,0.234,0.25',
      '"2026-01-13 07:00:00",1,NAN,-7999',
    ],
    { stored: both },
  ],
  [
    'Campbell TOA5 with a table narrower than its first line',
    [
      '"TOA5","Mas","CR300","12345","CR300.Std.10","CPU:soil.cr300","1234","Soil"',
      '"TIMESTAMP","RECORD","VW_Avg(1)"',
      '"TS","RN","m^3/m^3"',
      '"","","Avg"',
      '"2026-01-13 06:00:00",0,0.234',
    ],
    { map: 'VW_Avg(1)=10 cm', stored: ['humidity_10 23.4'] },
  ],
  ['IrriMAX Live', ['Date Time,A1(10),A1(20)', '2026/01/13 06:00:00,23.4,25'], { stored: both }],
  [
    'ZENTRA Cloud',
    [
      'z6-30302,Port1,Port1',
      'Records: 1,TEROS 12,TEROS 12',
      'Timestamps,m³/m³ Water Content,°C Soil Temperature',
      '2026-01-13 06:00:00,0.234,18.4',
    ],
    { map: 'Port1=10 cm', stored: ['humidity_10 23.4'] },
  ],
  [
    'HOBO with labels',
    [
      '"Plot Title: North"',
      '"#","Date Time, GMT+01:00","Water Content, m³/m³ (LGR S/N: 1, SEN S/N: 2, LBL: 10cm)"',
      '1,01/13/26 06:00:00 AM,0.234',
    ],
    { stored: ['humidity_10 23.4'] },
  ],
  [
    'HOBO without labels',
    [
      '"#","Date Time, GMT+01:00","Water Content, m³/m³ (LGR S/N: 1, SEN S/N: 2)"',
      '1,01/13/26 06:00:00 AM,0.234',
    ],
    { refused: 'does not state the depth of "SEN S/N: 2"' },
  ],
  [
    'HOBOlink',
    [
      'Line#,Date,"Water Content (S-SMD-M005 10564073:10518723-1), m^3/m^3, North 10cm"',
      '1,13/01/26 06:00:00,0.234',
    ],
    { stored: ['humidity_10 23.4'] },
  ],
  [
    'WatchDog',
    ['Serial: 12345', 'Date and Time,WaterScout 10cm %VWC', '01/13/2026 06:00,23.4'],
    { stored: ['humidity_10 23.4'] },
  ],
  [
    'WeatherLink.com',
    ['"Date & Time","Soil Moisture 1 - cb","Temp 1 - °F"', '"1/13/26 6:00 AM",12,64.4'],
    { refused: 'does not state the depth' },
  ],
  [
    'WeatherLink on a desktop',
    ['\t\tSoil 1\tTemp', 'Date\tTime\tMoist.\tOut', '13/01/26\t6:00\t12\t64.4'],
    { refused: 'does not state the depth' },
  ],
  [
    'Ecowitt GW3000',
    ['Time,Soil Moisture CH1(%),Outdoor Temperature(°C)', '2026-01-13 06:00,23.4,5'],
    { map: 'CH1=10 cm', stored: ['humidity_10 23.4'] },
  ],
  [
    'FieldClimate',
    ['Date/Time,EAG Soil Moisture [%] 10cm,EAG Soil Moisture [%] 20cm', '2026-01-13 06:00,23.4,25'],
    { stored: both },
  ],
  [
    'FieldClimate without depths',
    ['Date/Time,EAG Soil moisture 1', '2026-01-13 06:00,23.4'],
    { refused: 'does not state the depth' },
  ],
  [
    'French',
    ['Date;Heure;Humidité 10 cm (%);Humidité 20 cm (%)', '13/01/2026;06:00;23,4;25'],
    { stored: both },
  ],
  [
    'Spanish',
    ['Fecha;Hora;Humedad 10 cm (%);Humedad 20 cm (%)', '13/01/2026;06:00;23,4;25'],
    { stored: both },
  ],
  [
    'German',
    ['Datum;Uhrzeit;Bodenfeuchte 10 cm (%);Bodenfeuchte 20 cm (%)', '13.01.2026;06:00;23,4;25'],
    { stored: both },
  ],
  [
    'Portuguese',
    ['Data;Hora;Umidade do solo 10 cm (%);Umidade do solo 20 cm (%)', '13/01/2026;06:00;23,4;25'],
    { stored: both },
  ],
  [
    'Italian',
    [
      'Data;Ora;Umidità del suolo 10 cm (%);Umidità del suolo 20 cm (%)',
      '13/01/2026;06:00;23,4;25',
    ],
    { stored: both },
  ],
  [
    'CropX, in UTC',
    ['Time (UTC),Soil Moisture 10cm (%),Soil Moisture 20cm (%)', '2026-01-13 05:00,23.4,25'],
    { stored: both },
  ],
  [
    'a spreadsheet that names its delimiter, with an error in a cell',
    ['sep=;', 'Date;VWC 10cm (%)', '2026-01-13 06:00;23,4', '2026-01-13 07:00;#DIV/0!'],
    { stored: ['humidity_10 23.4'] },
  ],
  ['dates as serial numbers', ['Date,VWC 10cm (%)', '46032.25,23.4'], { stored: [] }],
  [
    'moisture as a fraction',
    ['Date,VWC 10cm', '2026-01-13 06:00,0.234'],
    { refused: 'this may be m3/m3' },
  ],
  [
    'a date that can be two',
    ['Date,VWC 10cm (%)', '03/04/2026 06:00,23.4'],
    { refused: '03/04/2026' },
  ],
  [
    'a table of states',
    ['entity_id,state,last_changed', 'sensor.x,23.4,2026-01-13'],
    { refused: '' },
  ],
  ['a workbook with the name of a CSV', ['PK\u0003\u0004\u0000\u0000'], { refused: 'not text' }],
];

it.each(FILES)('%s', async (_, lines, { map, stored, refused }) => {
  const options = map === undefined ? {} : { map };
  const text = `${lines.join('\n')}\n`;
  const imported = farm.importText(text, { module: 'North 1', ...options });
  if (refused !== undefined)
    await expect(imported).rejects.toMatchObject({ message: expect.stringContaining(refused) });
  else await imported;

  // "humidity_10 2026-01-13T05:00:00.000Z 23.4": all rows are of 06:00 in Paris.
  const readings = (await farm.readings()).map((row) =>
    row.replace(' 2026-01-13T05:00:00.000Z', ''),
  );
  expect(readings).toEqual(stored ?? []);
});
