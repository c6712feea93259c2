import {
  CURVES,
  MEASUREMENT_TYPES,
  MEASUREMENTS,
  type MeasurementType,
} from '../../domain/moisture/measurement.ts';
import { recordOf } from '../../domain/records.ts';
import { alternatives } from '../../domain/strings.ts';
import { exact } from '../../domain/text/figures.ts';
import { code, description } from '../../domain/text/program-names.ts';
import { counted, list, say } from '../../domain/text/say.ts';
import type { List, Name, Text } from '../../domain/text/text.ts';
import type { ClockStop } from '../../schema/ingest/rejection.ts';
import {
  outOfRangeCode,
  type RejectionCode,
  type SkipCode,
} from '../../schema/ingest/rejection.ts';
import { englishFormat } from './grammar.ts';
import { englishMeasurements, englishMeasurementTexts } from './measurements.ts';

const TEXTS = englishMeasurementTexts();

/** "value is not a temperature from -60 to 80 °C"; programs read the name of the unit. */
function describeRange(type: MeasurementType): Text {
  const { unit, min, max } = MEASUREMENTS[type];
  const inSymbols = say`${exact([min, max], CURVES[type].symbol, 'to')}`;
  const range = description(inSymbols, `${min} to ${max} ${unit}`);
  return say`${TEXTS[type].outOfRange} from ${range}`;
}

export const englishRejections: Readonly<Record<RejectionCode, Text>> = {
  row_too_long: say`row too long`,
  cell_too_long: say`a cell is too long`,
  unclosed_quote: say`a quote is not closed`,
  too_few_cells: say`fewer cells than the header`,
  too_many_cells: say`more cells than the header (a decimal comma?)`,
  unknown_module: say`unknown module`,
  several_modules: say`several modules have this name`,
  no_such_sensor: say`the module has no such sensor`,
  unknown_type: say`type is not ${list(MEASUREMENT_TYPES.map(code), 'or')}`,
  invalid_depth: say`depth is not a number of cm`,
  unknown_unit: say`unit is not one of this type`,
  no_time: say`no time`,
  unreadable_time: say`time cannot be read (ISO 8601, such as 2026-07-01T06:00)`,
  serial_date: say`time is the serial number of a spreadsheet: format its column as date and time, and save again`,
  time_before_1970: say`time before 1970`,
  before_kept: say`older than the readings that are kept singly: only the sums of its hour are (acequia retain)`,
  time_ahead: say`time more than a day ahead`,
  skipped_hour: say`local time does not exist (clocks went forward): give an offset or another time zone`,
  after_stop: say`after the line at which the import stopped`,
  no_value: say`no value`,
  two_readings: say`the sign in the value may separate decimals or thousands: write all values of the file alike, without thousands`,
  infinite_value: say`value is not finite`,
  not_a_number: say`value is not a number`,
  ...recordOf(MEASUREMENT_TYPES.map((type) => [outOfRangeCode(type), describeRange(type)])),
};

const NOUNS = MEASUREMENT_TYPES.map((type) => englishMeasurements[type].noun);

export const englishSkippedColumns: Readonly<Record<SkipCode, string>> = {
  unknown_column: 'names no sensor',
  other_measurement: `something other than ${alternatives(NOUNS)} of the soil`,
  unknown_unit: 'its unit is not one that is read',
  no_depth: 'the file does not state the depth',
  other_time_column: 'another column has the time',
  no_such_sensor: 'the module has no such sensor',
};

const { groupedCount } = englishFormat;

interface ImportedFileFacts {
  readonly file: string;
  readonly rows: number;
  readonly readings: number;
  readonly sensors: number;
  readonly span: string | null;
  /** True if nothing was stored. */
  readonly isDryRun: boolean;
}

interface ReadingFacts {
  readonly line: number;
  readonly module: string;
  readonly sensor: string;
  readonly time: string;
  readonly value: string;
}

/** The report of `acequia import`. */
export const englishImportReport = {
  read: ({ file, rows, readings, sensors, span, isDryRun }: ImportedFileFacts) =>
    `${file}: ${groupedCount(rows, 'row')} read, ${groupedCount(readings, 'reading')} ${isDryRun ? 'to store' : 'stored'} of ${groupedCount(sensors, 'sensor')}${span === null ? '' : `, ${span}`}.`,
  span: (from: string, to: string, zone: string) => `${from} to ${to} (${zone})`,
  dryRun: 'nothing is stored yet; the first rows as they would be stored:',
  firstReading: ({ line, module, sensor, time, value }: ReadingFacts) =>
    `line ${line}: ${module}, ${sensor}, ${time}: ${value}`,
  repeated: (readings: number) =>
    `${groupedCount(readings, 'reading')} repeated: of each sensor and instant the last value in the file is stored`,
  profile: (provider: string) => `read as an export of ${provider}`,
  missing: (readings: number) => `${groupedCount(readings, 'failed measurement')} left out`,
  columns: (columns: string) => `columns read: ${columns}`,
  column: (name: string, meaning: string, convertedFrom: string | null) =>
    `${name} as ${meaning}${convertedFrom === null ? '' : `, converted from ${convertedFrom}`}`,
  /** The keys are the meanings of columns that are not sensors. */
  meanings: { time_of_day: 'time of day', time_at_noon: 'time, at 12:00' } as Readonly<
    Record<string, string>
  >,
  dates: { dmy: 'dates read as day/month/year', mdy: 'dates read as month/day/year' },
  skipped: (count: number, why: string, names: string) =>
    `skipped ${groupedCount(count, 'column')} (${why}): ${names}`,
  nearest: (name: string, nearest: string) => `${name} (nearest: ${nearest})`,
  rejected: (rows: number) => `${groupedCount(rows, 'row')} rejected, in whole or in part:`,
  saveRejects: 'use --rejects FILE to save them',
  rejectsSaved: (file: string) => `saved in ${file}`,
  stopped:
    'stopped before the end: the readings above are kept; import the file again for the rest',
  clockStop: ({ line, time }: ClockStop, zone: string) =>
    `stopped at line ${line}: ${zone} has no ${time} (clocks go forward), so the clock of the file may stay the same all year. The rows before it are right in both cases.`,
  goOnWithOffset: (offset: string, command: string) =>
    `to go on, if it stays at ${offset}: ${command}`,
  goOnAfterLine: (command: string) => `if this line alone is wrong: ${command}`,
  failedHalfway: 'The readings written before stay; import the file again for the rest.',
  either: (reason: string, one: number, other: number) => `${one} or ${other}? ${reason}`,
  inColumn: (column: string, reason: string) => `${column}: ${reason}`,
  reasons: (texts: readonly string[]) => texts.join('; '),
  firstReject: (line: number, reasons: string, text: string) => `line ${line}: ${reasons}: ${text}`,
};

/** The report of `acequia import` on a file of daily weather. */
export const englishWeatherFile = {
  read: (file: string, days: number, rejected: number) =>
    `${file}: ${groupedCount(days, 'day')} read, ${groupedCount(rejected, 'line')} rejected${rejected === 0 ? '' : ', at least in part'}.`,
  rain: 'days of rain',
  weather: 'days of weather',
  outcomes: { added: 'added', changed: 'changed', unchanged: 'unchanged' },
  replaced: (days: number) =>
    `${groupedCount(days, 'day')} already had other rain: the total of the file is used instead`,
  preferred: (days: number) =>
    `${groupedCount(days, 'day')} with rain that a person entered later: the entry is used instead`,
  line: (line: number, reason: string) => `line ${line}: ${reason}`,
  more: (lines: number) => `and ${lines} more`,
  /** Why a line is rejected. */
  impossible: (column: string, cell: string) => `${column} "${cell}" is not a possible value`,
  tooManyCells:
    'it has more cells than the header: quote decimal commas, or separate columns by semicolons',
  timeOfDay: 'it has a time of day: give one total for each day',
  unreadableDay: 'its date cannot be read: write 2026-07-01, or name the order with --dates',
  futureDay: 'its day is still to come',
  dayTwice: (line: number) => `its day is on line ${line} already: give one row a day`,
  noParcel: (name: string) => `no parcel, or more than one, is called "${name}"`,
  weatherOfParcel:
    'weather is that of the whole farm: leave the parcel empty, or import its rain alone',
  faults: {
    temperature: say`its lowest temperature is above the highest`,
    humidity: say`its lowest humidity is above the highest`,
    dewPoint: say`its dew point is above the highest temperature`,
  },
};

type Outcome = 'created' | 'changed' | 'unchanged' | 'added' | 'removed';

/** The report of `acequia import` on a farm file. */
export const englishFarmReport = {
  company: (file: string, company: string, outcome: Outcome) =>
    `${file}: company ${company} ${outcome}.`,
  /** By the names of the counts of a report. */
  kinds: {
    users: (count: number) => groupedCount(count, 'user'),
    waterSources: (count: number) => groupedCount(count, 'source of water', 'sources of water'),
    parcels: (count: number) => groupedCount(count, 'parcel'),
    gateways: (count: number) => groupedCount(count, 'gateway'),
    modules: (count: number) => groupedCount(count, 'module'),
    sensors: (count: number) => groupedCount(count, 'sensor'),
    soilLayers: (count: number) => groupedCount(count, 'soil layer'),
    installations: (count: number) => groupedCount(count, 'installation'),
  },
  counts: (what: string, counts: readonly string[]) => `${what}: ${counts.join(', ')}`,
  count: (count: number, outcome: Outcome) => `${englishFormat.grouped(count)} ${outcome}`,
  module: (module: string, outcome: Outcome) => `module ${module} ${outcome}`,
  moreModules: (count: number) => `and ${groupedCount(count, 'more module')}`,
  completedDoses: (count: number) =>
    `${groupedCount(count, 'watering')} got ${count === 1 ? 'its' : 'their'} missing dose`,
  plans: 'planned waterings of schedules',
};

/** Says what a new time zone of the company means; answers of tools say it in English too. */
export const englishZoneChange = {
  schedules: (count: number, schedules: Text) =>
    say`${counted(count, 'schedule keeps its own time zone and plans', 'schedules keep their own time zones and plan')} waterings at the same instants as before. In the new time zone of the company: ${schedules}.`,
  schedule: (name: Name, starts: List, zone: Name) => say`${name} at ${starts} (it keeps ${zone})`,
  reminders: (count: number, alerts: Text) =>
    say`The daily reminders of ${counted(count, 'alert')} follow the new time zone: ${alerts}.`,
  others: (count: number) => say`and ${count} more`,
  separator: say`; `,
};
