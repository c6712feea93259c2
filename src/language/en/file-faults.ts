import { quote } from '../../domain/text.ts';

/** What is wrong with a file, and what to do. */
export interface FaultText {
  readonly message: string;
  readonly hint: string;
}

interface DateOfLine {
  readonly text: string;
  readonly line: number;
}

const HEADER_EXAMPLES =
  'A readings file has a header line such as "module,type,depth,time,value", or "time,humidity_10,temperature_10" for one module.';
const MEANINGS =
  'A meaning is time, date, module, type, depth, value, unit, a sensor such as humidity_10 or "soil temperature 20 cm", with its unit if it is another ("humidity_10 (m3/m3)"), a depth such as "30 cm", or ignore.';

const WHY_UNREADABLE: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'its permissions do not allow it',
};

/**
 * Why a file is not imported. `option` is the option or argument by which the person says how to
 * read it; names of columns are already quoted where there are several.
 */
export const englishFileFaults = {
  unreadable: (file: string, code: string): FaultText => ({
    message: `${quote(file)} cannot be read: ${WHY_UNREADABLE[code] ?? `reading failed (${code})`}.`,
    hint: 'None of it was imported. Check its path and permissions.',
  }),
  notText: (): FaultText => ({
    message: 'The file is not text.',
    hint: 'Save it as CSV in UTF-8 and import that.',
  }),
  lineTooLong: (afterLine: number, maxLength: number): FaultText => ({
    message: `A line after line ${afterLine} is longer than ${maxLength} characters.`,
    hint: 'See acequia import --help for the two formats of readings files.',
  }),
  empty: (): FaultText => ({
    message: 'The file is empty.',
    hint: 'A readings file starts with a header line.',
  }),
  headerTooLong: (maxLength: number): FaultText => ({
    message: `The header is longer than ${maxLength} characters.`,
    hint: HEADER_EXAMPLES,
  }),
  tooManyColumns: (count: number, max: number): FaultText => ({
    message: `The header names ${count} columns, and at most ${max} are read.`,
    hint: 'Split the file into several with fewer columns, or write it as module,type,depth,time,value.',
  }),
  noExportHeader: (provider: string): FaultText => ({
    message: `No line is the header of an export of ${provider}.`,
    hint: 'Leave --profile out: an export that is known is recognized. For another file, say with --map what its columns are.',
  }),
  noTimeColumn: (columns: string, option: string): FaultText => ({
    message: `The header names no column "time": ${columns}.`,
    hint: `${HEADER_EXAMPLES} Or say which one it is with ${option} "NAME=time".`,
  }),
  noSensorColumn: (columns: string, option: string, example: string): FaultText => ({
    message: `No column names a sensor: ${columns}.`,
    hint: `Name the columns by type and depth in cm, such as humidity_10, or say what they are with ${option} "${example}".`,
  }),
  noDepth: (inputs: string, option: string, example: string): FaultText => ({
    message: `The file does not state the depth of ${inputs}.`,
    hint: `Say it for each that is to be read, such as ${option} "${example}=30 cm".`,
  }),
  lacksColumns: (lacking: string, columns: string): FaultText => ({
    message: `The header lacks ${lacking}: ${columns}.`,
    hint: 'A long readings file has the columns module,type,depth,time,value; depth is empty for a sensor without one.',
  }),
  columnTwice: (column: string): FaultText => ({
    message: `The header names the column ${column} twice.`,
    hint: 'Rename one of them.',
  }),
  sensorTwice: (column: string, option: string): FaultText => ({
    message: `The column ${column} names the sensor of another column.`,
    hint: `Rename one of them, or leave it unread with ${option} "NAME=ignore".`,
  }),
  noMeaning: (entry: string, option: string): FaultText => ({
    message: `${option} ${quote(entry)} does not say what a column is.`,
    hint: `Write NAME=MEANING, several with ; between. ${MEANINGS}`,
  }),
  otherUnit: (column: string, option: string): FaultText => ({
    message: `${column} has a unit that is not read.`,
    hint: `Give the unit of its values in ${option}, such as "NAME=tension_20 (kPa)"; kPa, cbar, hPa, bar, MPa, cmH2O, %, m3/m3, °C and °F are read.`,
  }),
  depthAlone: (column: string, option: string): FaultText => ({
    message: `${option} gives ${column} a depth, but its name does not say what it measures.`,
    hint: `Write both in ${option}: the name, = and, for example, humidity_10, or with a unit "humidity_10 (%)".`,
  }),
  noSuchColumn: (column: string, columns: string, option: string): FaultText => ({
    message: `The file has no column ${column}: ${columns}.`,
    hint: `Write the name in ${option} as the header does.`,
  }),
  noModule: (option: string): FaultText => ({
    message: 'A wide readings file does not say whose readings they are.',
    hint: `Add ${option}: the probe or station that all readings are from.`,
  }),
  moduleInRows: (option: string, mapOption: string, column: string): FaultText => ({
    message: 'This readings file names a module in every row.',
    hint: `Leave ${option} out, or leave the column unread with ${mapOption} "${column}=ignore".`,
  }),
  unknownModule: (name: string, known: string): FaultText => ({
    message: `No module is called ${quote(name)}.`,
    hint:
      known === '' ? 'Import a farm file first: it declares the modules.' : `There are ${known}.`,
  }),
  severalModules: (name: string, modules: string, option: string, id: number): FaultText => ({
    message: `${quote(name)} can mean several modules: ${modules}.`,
    hint: `Pass the id with # before it as ${option}, such as "#${id}".`,
  }),
  ambiguousDates: (example: string, option: string): FaultText => ({
    message: `Dates such as ${quote(example)} can be read in two ways, and no day above 12 among the first rows says which.`,
    hint: `Say it with ${option}: dmy if the day comes first, mdy if the month does.`,
  }),
  swappedDates: (one: DateOfLine, other: DateOfLine, either: string): FaultText => ({
    message: `Lines ${one.line} and ${other.line} write dates in two ways, ${quote(one.text)} and ${quote(other.text)}: a spreadsheet may have swapped day and month where both are up to 12${either === '' ? '' : ` (${either})`}, in the rows from line ${one.line} on.`,
    hint: 'Export the file again and do not open it in a spreadsheet before the import, or write all its dates alike, such as 2025-01-31.',
  }),
  skippedHour: (
    { line, text: time }: DateOfLine,
    zone: string,
    [winter, summer]: readonly [string, string],
    option: string,
  ): FaultText => ({
    message: `Line ${line} has the time ${quote(time)}, which ${zone} does not have (clocks go forward): the clock of the file may stay the same all year, and other rows would be an hour off.`,
    hint: `Say which with ${option}: ${winter} if it shows winter time all year, ${summer} if it shows summer time.`,
  }),
  hourNotRepeated: (
    day: string,
    zone: string,
    [winter, summer]: readonly [string, string],
    option: string,
  ): FaultText => ({
    message: `The rows of ${day} do not repeat the hour that the clocks of ${zone} repeat: the clock of the file may stay the same all year, and a part of its rows would be an hour off.`,
    hint: `Say which with ${option}: ${winter} if it shows winter time all year, ${summer} if it shows summer time, ${zone} if it is set back and that hour is missing.`,
  }),
  mayBeFraction: (columns: string, more: number, option: string, map: string): FaultText => ({
    message: `No value of ${columns}${more > 0 ? ` and ${more} more` : ''} is above 1: this may be m3/m3 and not %, so nothing was stored.`,
    hint: `Say the unit with ${option} ${map}, or with (%) in place of (m3/m3) if the values are percent.`,
  }),
  /** Empty columns: all of them are known. */
  dailyWeather: (columns: string): FaultText => ({
    message:
      columns === ''
        ? 'This is daily weather, not readings of a sensor.'
        : `This is daily weather, with columns that are not known: ${columns}.`,
    hint:
      columns === ''
        ? 'Import it from a file: acequia import weather.csv.'
        : 'Daily weather has date, parcel, rain, tmin, tmax, rhmin, rhmax, dewpoint, u2 (wind at 2 m) and srad, with a unit in brackets if it is another: rename or remove the others.',
  }),
  noWeatherHeader: (): FaultText => ({
    message: 'The file has no header of daily weather.',
    hint: 'Name its columns date and rain, tmin, tmax, rhmin, rhmax, u2 or srad.',
  }),
};
