import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ImportReadingsOptions } from '../../../../src/service/ingest/readings-import.ts';
import { type ImportFarm, newImportFarm } from '../import-farm.ts';

/**
 * Files of loggers and spreadsheets that people own. Headers as the named source has them, with
 * figures of the test; "description" says that no file is public, and that the header is built from
 * descriptions of it.
 */
interface IntakeFile {
  readonly of: string;
  readonly source: string;
  readonly lines: readonly string[];
  readonly options?: Partial<ImportReadingsOptions>;
  readonly stored?: readonly string[];
  readonly report?: object;
  /** The error, if the file is refused. */
  readonly refused?: object;
}

const SIX = '2026-01-10T05:00:00.000Z';
const moisture10 = `humidity_10 ${SIX} 23.4`;
const both = [moisture10, `humidity_20 ${SIX} 25`];

const FILES: readonly IntakeFile[] = [
  {
    of: 'a Campbell logger, with depths in the names',
    source: 'TOA5 in the LoggerNet manual',
    lines: [
      '"TOA5","Mas","CR1000","1","OS","CPU:a.cr1","1","Soil"',
      '"TIMESTAMP","RECORD","VWC_10cm_Avg"',
      '"TS","RN","m^3/m^3"',
      '"","","Avg"',
      '"2026-01-10 06:00:00",0,0.234',
      '"2026-01-10 06:15:00",1,"NAN"',
      '"2026-01-10 06:30:00",2,-7999',
    ],
    stored: [moisture10],
    report: { profile: 'campbell', rejectedRows: 0, failedMeasurements: 2 },
  },
  {
    of: 'a Campbell logger, with fewer columns than the line about the logger',
    source: 'TOA5 in the LoggerNet manual',
    lines: [
      '"TOA5","Mas","CR300","1","OS","CPU:a.cr3","1","Soil"',
      '"TIMESTAMP","RECORD","VW_Avg(1)","VW_Avg(2)"',
      '"TS","RN","m^3/m^3","m^3/m^3"',
      '"","","Avg","Avg"',
      '"2026-01-10 06:00:00",0,0.234,0.25',
    ],
    options: { map: 'VW_Avg(1)=10 cm; VW_Avg(2)=20 cm' },
    stored: both,
    report: { profile: 'campbell', rejectedRows: 0 },
  },
  {
    of: 'IrriMAX Live',
    source: 'IrriMAX API guide',
    lines: ['Date Time,V1,A1(10),A2(20),T1(10)', '2026/01/10 06:00:00,12,23.4,25,9'],
    stored: both,
    report: { profile: 'irrimax' },
  },
  {
    of: 'the IrriMAX desktop program, whose names are depths alone',
    source: 'description',
    lines: ['Probe 1', 'Date Time,10cm,20cm', '2026-01-10 06:00:00,23.4,25'],
    refused: {
      message: expect.stringContaining('No column names a sensor: "10cm"'),
      hint: expect.stringContaining('--map "10cm=humidity_10"'),
    },
  },
  {
    of: 'ZENTRA Cloud',
    source: 'public loaders of "Port1" with "# Records: 2"',
    lines: [
      'z6-1,Port1,Port2',
      '# Records: 1,TEROS 12,TEROS 12',
      'Timestamps,m³/m³ Water Content,m³/m³ Water Content',
      '2026-01-10 06:00:00,0.234,0.25',
    ],
    options: { map: 'Port1=10 cm; Port2=20 cm' },
    stored: both,
    report: { profile: 'zentra' },
  },
  {
    of: 'HOBOware, with labels',
    source: 'public readers of "Temp, °C (LGR S/N: 10754831, SEN S/N: 10754831, LBL: Water)"',
    lines: [
      '"Plot Title: North"',
      '"#","Date Time, GMT+01:00","Water Content, m³/m³ (LGR S/N: 1, SEN S/N: 2, LBL: 10cm)"',
      '1,01/10/26 06:00:00 AM,0.234',
    ],
    options: { dates: 'mdy' },
    stored: [moisture10],
    report: { profile: 'hobo' },
  },
  {
    of: 'HOBOware, without labels',
    source: 'public readers of "Temp, °C (LGR S/N: 10754831, SEN S/N: 10754831, LBL: Water)"',
    lines: [
      '"#","Date Time, GMT+01:00","Water Content, m³/m³ (LGR S/N: 1, SEN S/N: 2)"',
      '1,01/13/26 06:00:00 AM,0.234',
    ],
    refused: { message: expect.stringContaining('does not state the depth of "SEN S/N: 2"') },
  },
  {
    of: 'HOBOlink',
    source: 'a public reader of "Current (S-FS-TRMSA 10564073:10518723-1), A, Jon\'s AC"',
    lines: [
      'Line#,Date,"Water Content (S-SMD-M005 1056:1051-1), m^3/m^3, North 10cm"',
      '1,01/10/26 06:00:00,0.234',
    ],
    options: { dates: 'mdy' },
    stored: [moisture10],
    report: { profile: 'hobolink' },
  },
  {
    of: 'a WatchDog station',
    source: 'description',
    lines: [
      'WatchDog 1650,Serial 12345',
      'Date and Time,WaterScout 10cm %VWC,Watermark 20cm cb,Temperature °C',
      '13/01/2026 06:00,23.4,31,5',
    ],
    stored: [
      'humidity_10 2026-01-13T05:00:00.000Z 23.4',
      'temperature 2026-01-13T05:00:00.000Z 5',
      'tensio_20 2026-01-13T05:00:00.000Z 31',
    ],
  },
  {
    of: 'Davis WeatherLink.com',
    source: 'test/cli/store-commands/exports/davis.csv',
    lines: ['Date & Time,Soil Moisture 1 - cb,Temp 1 - °F,Temp - °F', '13/01/26 06:00,31,50,41'],
    options: { map: 'Soil Moisture 1 - cb=tension_20 (cb); Temp 1 - °F=temperature (F)' },
    stored: ['temperature 2026-01-13T05:00:00.000Z 10', 'tensio_20 2026-01-13T05:00:00.000Z 31'],
    report: { profile: 'davis' },
  },
  {
    of: 'the WeatherLink program, with two header lines',
    source: 'public tables of its columns ("Soil 1 Moist.")',
    lines: [
      '\t\tTemp\tHi\tSoil 1',
      'Date\tTime\tOut\tTemp\tMoist.',
      '13/01/26\t06:00\t5.1\t5.5\t23',
    ],
    options: { map: '1=20 cm' },
    stored: ['tensio_20 2026-01-13T05:00:00.000Z 23'],
    report: { profile: 'weatherlink' },
  },
  {
    of: 'the WeatherLink program, without depths',
    source: 'public tables of its columns ("Soil 1 Moist.")',
    lines: ['\t\tSoil 1\tTemp', 'Date\tTime\tMoist.\tOut', '13/01/26\t6:00\t12\t64.4'],
    refused: { message: expect.stringContaining('does not state the depth') },
  },
  {
    of: 'a spreadsheet of water potentials, which are negative tensions',
    source: 'description',
    lines: [
      'Date;Potentiel matriciel 20 cm (kPa);Watermark 30 cm (cb)',
      '10/01/2026 06:00;-41,5;38',
    ],
    options: { dates: 'dmy' },
    stored: [`tensio_20 ${SIX} 41.5`, `tensio_30 ${SIX} 38`],
  },
  {
    of: 'an Ecowitt GW3000',
    source: 'public files with "SoilMoisture CH1(%)"',
    lines: ['Time,Outdoor Temperature(℃),SoilMoisture CH1(%)', '2026-01-10 06:00,5.1,23.4'],
    options: { map: 'CH1=10 cm' },
    stored: [moisture10],
    report: { profile: 'ecowitt' },
  },
  {
    of: 'ecowitt.net, with two header lines',
    source: 'description',
    lines: [
      ',Outdoor,,Soilmoisture CH1,Soilmoisture CH2',
      'Time,Temperature(℃),Humidity(%),Soilmoisture(%),Soilmoisture(%)',
      '2026-01-10 06:00,5.1,80,23.4,25',
    ],
    options: { map: 'CH1=10 cm; CH2=20 cm' },
    stored: both,
    report: { profile: 'ecowitt-net' },
  },
  {
    of: 'FieldClimate, with depths',
    source: 'public readers of "EAG Soil Moisture [%] 10cm"',
    lines: [
      'Date/Time,HC Air temperature [°C],EAG Soil Moisture [%] 10cm',
      '2026-01-10 06:00:00,5.1,23.4',
    ],
    stored: [moisture10],
    report: { profile: 'fieldclimate' },
  },
  {
    of: 'FieldClimate, without depths',
    source: 'public readers of "EAG Soil moisture 1"',
    lines: ['Date/Time,EAG Soil Moisture 1 [%]', '2026-01-10 06:00:00,23.4'],
    refused: {
      message: 'The file does not state the depth of "EAG Soil Moisture 1".',
      hint: expect.stringContaining('--map "EAG Soil Moisture 1=30 cm"'),
    },
  },
  {
    of: 'a French spreadsheet',
    source: 'description',
    lines: ['Date;Heure;"Humidité sol 10 cm (%)";Pluie', '13/01/2026;06:00;23,4;0'],
    stored: ['humidity_10 2026-01-13T05:00:00.000Z 23.4'],
  },
  {
    of: 'a Spanish spreadsheet',
    source: 'description',
    lines: ['Fecha;Hora;Humedad del suelo 10 cm (%);Lluvia', '13/01/2026;06:00;23,4;0'],
    stored: ['humidity_10 2026-01-13T05:00:00.000Z 23.4'],
  },
  {
    of: 'a German spreadsheet',
    source: 'description',
    lines: ['Datum;Uhrzeit;Bodenfeuchte 10 cm (%);Lufttemperatur (°C)', '13.01.2026;06:00;23,4;5'],
    stored: ['humidity_10 2026-01-13T05:00:00.000Z 23.4'],
    report: { skippedColumns: [{ why: 'unknown_column' }] },
  },
  {
    of: 'a Portuguese spreadsheet',
    source: 'description',
    lines: ['Data;Hora;Umidade do solo 10 cm (%);Chuva (mm)', '13/01/2026;06:00;23,4;0'],
    stored: ['humidity_10 2026-01-13T05:00:00.000Z 23.4'],
  },
  {
    of: 'an Italian spreadsheet',
    source: 'description',
    lines: ['Data;Ora;Umidità del suolo 10 cm (%);Pioggia (mm)', '13/01/2026;06:00;23,4;0'],
    stored: ['humidity_10 2026-01-13T05:00:00.000Z 23.4'],
  },
  {
    of: 'CropX, in UTC',
    source: 'description',
    lines: [
      'Timestamp (UTC),Soil Moisture 10cm (%),Soil Temperature 20cm (°C)',
      '2026-01-10 05:00,23.4,9',
    ],
    stored: [moisture10],
    report: {
      zone: 'UTC',
      skippedColumns: [{ name: 'Soil Temperature 20cm (°C)', why: 'no_such_sensor' }],
    },
  },
  {
    of: 'Irrometer, with depths in inches',
    source: 'description',
    lines: ['Date/Time,Watermark 1 (12 in),Watermark 2 (24 in)', '2026-01-10 06:00,31,40'],
    stored: [`tensio_30 ${SIX} 31`],
    report: {
      columns: [{ meaning: 'time' }, { name: 'Watermark 1 (12 in)', meaning: 'tensio_30' }],
      skippedColumns: [{ name: 'Watermark 2 (24 in)', why: 'no_such_sensor' }],
    },
  },
  {
    of: 'farmOS, with one value in each row',
    source: 'description',
    lines: ['timestamp,name,value', '2026-01-10 06:00,soil_moisture,23.4'],
    refused: { message: expect.stringContaining('No column names a sensor: "name"') },
  },
  {
    of: 'Ambient Weather, whose numbers are channels',
    source: 'public readers of "Simple Date"',
    lines: [
      'Date,Simple Date,Outdoor Temperature (°F),Outdoor Humidity (%),Soil Moisture 10,Soil Temperature 1 (°F)',
      '2026-01-10T06:00:00+01:00,2026-01-10 06:00:00,41,80,23.4,50',
    ],
    refused: {
      message: 'The file does not state the depth of "Soil Moisture 10", "Soil Temperature 1".',
    },
  },
  {
    of: 'Ambient Weather, with depths',
    source: 'public readers of "Simple Date"',
    lines: [
      'Date,Simple Date,Outdoor Temperature (°F),Outdoor Humidity (%),Soil Moisture 1 (%)',
      '2026-01-10T06:00:00+01:00,2026-01-10 06:00:00,41,80,23.4',
    ],
    options: { map: 'Soil Moisture 1=10 cm' },
    stored: [moisture10],
    report: { profile: 'ambient' },
  },
  {
    of: 'Home Assistant history',
    source: 'public scripts that read "entity_id,state,last_changed"',
    lines: [
      'entity_id,state,last_changed',
      'sensor.bed_soil_moisture,23.4,2026-01-10T05:00:00.000Z',
    ],
    options: { map: 'state=humidity_10' },
    refused: {
      message: 'This readings file names a module in every row.',
      hint: expect.stringContaining('--map "entity_id=ignore"'),
    },
  },
  {
    of: 'Home Assistant history of one entity',
    source: 'public scripts that read "entity_id,state,last_changed"',
    lines: [
      'entity_id,state,last_changed',
      'sensor.bed_soil_moisture,23.4,2026-01-10T05:00:00.000Z',
    ],
    options: { map: 'state=humidity_10 (%); entity_id=ignore' },
    stored: [moisture10],
  },
  {
    of: 'a spreadsheet that writes dates as serial numbers',
    source: 'Excel',
    lines: ['Date,VWC 10cm (%)', '46032.25,23.4'],
    stored: [],
    report: { reasons: [{ reason: 'serial_date', count: 1 }] },
  },
  {
    of: 'Excel, with a line that names the delimiter',
    source: 'Excel',
    lines: ['sep=;', 'Date;VWC 10cm (%)', '2026-01-10 06:00;23,4'],
    stored: [moisture10],
  },
  {
    of: 'Excel, with errors in cells',
    source: 'Excel',
    lines: ['Date;VWC 10cm (%)', '2026-01-10 06:00;23,4', '2026-01-10 07:00;#DIV/0!'],
    stored: [moisture10],
    report: { reasons: [{ reason: 'not_a_number', count: 1 }] },
  },
  {
    of: 'Excel, renamed from .xlsx',
    source: 'Excel',
    lines: ['PK\u0003\u0004\u0014\u0000\u0006\u0000'],
    refused: { message: expect.stringContaining('not text'), hint: expect.stringContaining('CSV') },
  },
  {
    of: 'a spreadsheet that could be in m³/m³',
    source: 'description',
    lines: ['Date,Soil moisture 10cm', '2026-01-10 06:00,0.234'],
    refused: { message: expect.stringContaining('No value of "Soil moisture 10cm" is above 1') },
  },
  {
    of: 'a spreadsheet whose day and month could be swapped',
    source: 'description',
    lines: ['Date,Soil moisture 10cm (%)', '10/01/2026 06:00,23.4'],
    refused: { message: expect.stringContaining('Dates such as "10/01/2026 06:00"') },
  },
];

let farm: ImportFarm;
beforeEach(async () => {
  farm = await newImportFarm([
    ['tensio', 20],
    ['tensio', 30],
  ]);
});
afterEach(() => farm.remove());

it.each(FILES)('of $of ($source)', async ({ lines, options, stored, report, refused }) => {
  const imported = farm.importText(`${lines.join('\n')}\n`, { module: 'North 1', ...options });

  if (refused === undefined) expect(await imported).toMatchObject({ ...report });
  else await expect(imported).rejects.toMatchObject(refused);
  expect((await farm.readings()).sort()).toEqual(stored ?? []);
});
