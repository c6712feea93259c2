import { file, type Row } from './row.ts';

export const FILE_ROWS: readonly Row[] = [
  {
    what: 'a thousands dot beside decimal commas',
    tool: 'import_readings',
    args: file(
      'Vine T',
      'Zeit;Saugspannung 20 cm (hPa)',
      '13.06.2026 06:00;980,5',
      '13.06.2026 07:00;1.250',
    ),
    says: /Stored: 1 new .* 1 row was rejected.*decimals or thousands/,
  },
  {
    what: 'a second cm, which is a column of water',
    tool: 'import_readings',
    args: file('Vine T', 'Time,Matric potential 20 cm (cm)', '2026-06-01 06:00,-980.5'),
    says: /Stored: 1 new reading.*tensio_20/,
  },
  {
    what: 'a line break in a quoted cell',
    tool: 'import_readings',
    args: file(
      'Oak 1',
      'Time,Soil moisture 10 cm (%),Notes',
      '2026-06-01 06:00,23.4,"pump on',
      'valve 2"',
      '2026-06-01 07:00,23.3,',
    ),
    says: /Stored: 2 new readings/,
  },
  {
    what: 'a reading that is said aloud with its unit',
    tool: 'import_readings',
    args: file('Oak 1', 'humidity_20 (%)', '21'),
    says: /Stored: 1 new .*today 12:00/,
  },
  {
    what: 'dashes for minus and asterisks for no value',
    tool: 'import_readings',
    args: file(
      'Vine T',
      'Time,Tension 40 cm (kPa)',
      '2026-06-11 04:15:00 UTC,−21',
      '"Jun 11, 2026 6:15 AM",* * *',
    ),
    says: /Stored: 1 new .*tensio_40.*06:15/,
  },
  {
    what: 'a clock that stays the same all year',
    tool: 'import_readings',
    args: file(
      'Elm 3',
      'time,humidity_20',
      '2026-03-29 01:00,21',
      '2026-03-29 02:00,22',
      '2026-03-29 03:00,23',
    ),
    says: /Stored: 1 new .* Stopped at line 3: .*timezone "[+]01:00", else those after 3[.] 2 rows/,
  },
  {
    what: 'an hour that is there once where clocks go back',
    tool: 'import_readings',
    args: file(
      'Elm 3',
      'time,humidity_20',
      '2025-10-26 01:00,21',
      '2025-10-26 02:00,22',
      '2025-10-26 03:00,23',
    ),
    says: /do not repeat the hour that the clocks of Europe\/Paris repeat/,
  },
  {
    what: 'dates of which a spreadsheet swapped some',
    tool: 'import_readings',
    args: file(
      'Elm 3',
      'time,humidity_20',
      '2025-05-01 06:00,21',
      '2025-06-01 06:00,22',
      '01/13/2025 6:00 AM,24',
    ),
    says: /Lines 2 and 4 write dates in two ways.*1 May 2025 \/ 5 Jan 2025/,
  },
  {
    what: 'an unknown column of daily weather',
    tool: 'import_readings',
    args: file('Yard', 'date,tmin,tmax,u10', '2026-06-01,12,25,2'),
    says: /daily weather, with columns that are not known: "u10"/,
  },
  {
    what: 'percent by volume in German',
    tool: 'import_readings',
    args: file('Elm 3', 'Zeit;Bodenfeuchte 20 cm (Vol.-%)', '13.06.2026 06:00;21,5'),
    says: /Stored: 1 new reading.*humidity_20/,
  },
  {
    what: 'a probe with one sensor',
    tool: 'set_module',
    args: { name: 'Pit 1', category: 'TENSIOMETER', parcel: 'Block B', sensors: ['tension 30 cm'] },
    says: /^Added: Pit 1 is a tensiometer/,
  },
  {
    what: 'a tension whose only sensor tells the depth',
    tool: 'import_readings',
    args: file('Pit 1', 'Fecha;Tensiómetro (cb)', '13/06/2026 06:00;21'),
    says: /Stored: 1 new .*tensio_30/,
  },
  {
    what: 'a tension of one of two depths',
    tool: 'import_readings',
    args: file('Vine T', 'Fecha;Tensiómetro (cb)', '13/06/2026 06:00;21'),
    says: /Columns not read: "Tensiómetro [(]cb[)]" [(]the file does not state the depth[)]/,
  },
];
