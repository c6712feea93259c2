import { file, type Row } from './row.ts';

const daily = { freq: 'daily', durationMin: 60, startsOn: '2026-06-21' };

export const WATERING_ROWS: readonly Row[] = [
  {
    what: 'a schedule',
    tool: 'create_schedule',
    args: { module: 'Oak 1', startTimes: ['06:00'], ...daily },
    says: /^Planned on Oak 1/,
  },
  {
    what: 'a schedule that overlaps another',
    tool: 'create_schedule',
    args: { module: 'Oak 1', startTimes: ['06:30'], ...daily },
    says: /overlaps that which another schedule plans/,
  },
  {
    what: 'an hour that no clock has',
    tool: 'create_schedule',
    args: { module: 'Oak 1', ...daily, startTimes: ['24:00'] },
    says: /Start time 1 "24:00" is not valid/,
  },
  {
    what: 'starts that fall on one instant',
    tool: 'create_schedule',
    args: {
      module: 'Elm 3',
      ...daily,
      startTimes: ['00:30', '01:30'],
      durationMin: 30,
      timezone: 'America/Santiago',
    },
    says: /the same instant [(]6 Sep 06:30[)]: one watering is planned then, and that of 01:30 falls away/,
  },
  {
    what: 'readings of a probe',
    tool: 'import_readings',
    args: file(
      'Oak 2',
      'time,humidity_20',
      '2026-06-19 12:00,24',
      '2026-06-20 06:00,23',
      '2026-06-20 11:00,22',
    ),
    says: /Stored: 3 new readings/,
  },
  {
    what: 'a watering in the evening of a day with rain',
    tool: 'log_watering',
    args: { module: 'Oak 2', startedAt: 'yesterday 20:30', durationMin: 30 },
    says: /Logged 30 min of drip on Oak 2, yesterday 20:30/,
  },
  {
    what: 'rain in litres, of a day without an hour',
    tool: 'log_rain',
    args: { parcel: 'Block A', mm: '12 litros', when: 'yesterday' },
    says: /12 mm on Block A/,
  },
  {
    what: 'advice after that watering, which no rain is known to follow',
    tool: 'advise_watering',
    args: { module: 'Oak 2' },
    says: /^How much water Oak 2 needs(?!.*since the last watering)/,
  },
  {
    what: 'the abbreviation of a zone',
    tool: 'set_company',
    args: { timezone: 'EST' },
    says: /zone of a place.*America\/New_York/,
  },
  {
    what: 'another zone of the company',
    tool: 'set_company',
    args: { timezone: 'Atlantic/Canary' },
    says: /schedules keep their own time zones .* Oak 1 at 05:00 [(]it keeps Europe\/Paris[)]/,
  },
  {
    what: 'its old zone',
    tool: 'set_company',
    args: { timezone: 'Europe/Paris' },
    says: /before: Atlantic\/Canary/,
  },
  {
    what: 'a probe that is moved to other equipment',
    tool: 'set_module',
    args: { name: 'Elm 3', parcel: 'Block C' },
    says: /\d+ future waterings/,
  },
];
