import { argument } from '../../domain/text/program-names.ts';
import { isEmpty, quotedName, say, verbatim } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import { localDay } from '../../domain/text/times.ts';

/** Says what is wrong with a file, and what to do. */
export interface FaultText {
  readonly message: Text;
  readonly hint: Text;
}

interface DateOfLine {
  readonly text: string;
  readonly line: number;
}

const HEADER_EXAMPLES = say`A readings file has a header line such as "module,type,depth,time,value", or "time,humidity_10,temperature_10" for one module.`;
const MEANINGS = say`A meaning is time, date, module, type, depth, value, unit, a sensor such as humidity_10 or "soil temperature 20 cm", with its unit if it is another ("humidity_10 (m3/m3)"), a depth such as "30 cm", or ignore.`;

const WHY_UNREADABLE: Readonly<Record<string, Text>> = {
  ENOENT: say`there is no such file`,
  EISDIR: say`it is a folder`,
  EACCES: say`its permissions do not allow it`,
  NOT_A_FILE: say`it is a pipe or a device; feed it to standard input, with - as the file`,
};

/**
 * Why a file is not imported. `option` is the option or argument by which the person says how to
 * read it; names of columns are already quoted where there are several.
 */
export const englishFileFaults = {
  unreadable: (file: string, code: string): FaultText => ({
    message: say`${quotedName(file)} cannot be read: ${WHY_UNREADABLE[code] ?? say`reading failed (${verbatim(code)})`}.`,
    hint: say`None of it was imported. Check its path and permissions.`,
  }),
  notText: (): FaultText => ({
    message: say`The file is not text.`,
    hint: say`Save it as CSV in UTF-8 and import that.`,
  }),
  lineTooLong: (afterLine: number, maxLength: number): FaultText => ({
    message: say`A line after line ${afterLine} is longer than ${maxLength} characters.`,
    hint: say`See acequia import --help for the two formats of readings files.`,
  }),
  empty: (): FaultText => ({
    message: say`The file is empty.`,
    hint: say`A readings file starts with a header line.`,
  }),
  headerTooLong: (maxLength: number): FaultText => ({
    message: say`The header is longer than ${maxLength} characters.`,
    hint: HEADER_EXAMPLES,
  }),
  tooManyColumns: (count: number, max: number): FaultText => ({
    message: say`The header names ${count} columns, and at most ${max} are read.`,
    hint: say`Split the file into several with fewer columns, or write it as module,type,depth,time,value.`,
  }),
  noExportHeader: (provider: string): FaultText => ({
    message: say`No line is the header of an export of ${verbatim(provider)}.`,
    hint: say`Leave --profile out: an export that is known is recognized. For another file, say with --map what its columns are.`,
  }),
  noTimeColumn: (columns: string, option: string): FaultText => ({
    message: say`The header names no column "time": ${verbatim(columns)}.`,
    hint: say`${HEADER_EXAMPLES} Or say which one it is with ${argument(option)} "NAME=time".`,
  }),
  noSensorColumn: (columns: string, option: string, example: string): FaultText => ({
    message: say`No column names a sensor: ${verbatim(columns)}.`,
    hint: say`Name the columns by type and depth in cm, such as humidity_10, or say what they are with ${argument(option)} "${verbatim(example)}".`,
  }),
  noDepth: (inputs: string, option: string, example: string): FaultText => ({
    message: say`The file does not state the depth of ${verbatim(inputs)}.`,
    hint: say`Say it for each that is to be read, such as ${argument(option)} "${verbatim(example)}=30 cm".`,
  }),
  lacksColumns: (lacking: string, columns: string): FaultText => ({
    message: say`The header lacks ${verbatim(lacking)}: ${verbatim(columns)}.`,
    hint: say`A long readings file has the columns module,type,depth,time,value; depth is empty for a sensor without one.`,
  }),
  columnTwice: (column: string): FaultText => ({
    message: say`The header names the column ${verbatim(column)} twice.`,
    hint: say`Rename one of them.`,
  }),
  sensorTwice: (column: string, option: string): FaultText => ({
    message: say`The column ${verbatim(column)} names the sensor of another column.`,
    hint: say`Rename one of them, or leave it unread with ${argument(option)} "NAME=ignore".`,
  }),
  noMeaning: (entry: string, option: string): FaultText => ({
    message: say`${argument(option)} ${quotedName(entry)} does not say what a column is.`,
    hint: say`Write NAME=MEANING, several with ; between. ${MEANINGS}`,
  }),
  otherUnit: (column: string, option: string): FaultText => ({
    message: say`${verbatim(column)} has a unit that is not read.`,
    hint: say`Give the unit of its values in ${argument(option)}, such as "NAME=tension_20 (kPa)"; kPa, cbar, hPa, bar, MPa, cmH2O, %, m3/m3, °C and °F are read.`,
  }),
  depthAlone: (column: string, option: string): FaultText => ({
    message: say`${argument(option)} gives ${verbatim(column)} a depth, but its name does not say what it measures.`,
    hint: say`Write both in ${argument(option)}: the name, = and, for example, humidity_10, or with a unit "humidity_10 (%)".`,
  }),
  noSuchColumn: (column: string, columns: string, option: string): FaultText => ({
    message: say`The file has no column ${verbatim(column)}: ${verbatim(columns)}.`,
    hint: say`Write the name in ${argument(option)} as the header does.`,
  }),
  noModule: (option: string): FaultText => ({
    message: say`A wide readings file does not say whose readings they are.`,
    hint: say`Add ${argument(option)}: the probe or station that all readings are from.`,
  }),
  moduleInRows: (option: string, mapOption: string, column: string): FaultText => ({
    message: say`This readings file names a module in every row.`,
    hint: say`Leave ${argument(option)} out, or leave the column unread with ${argument(mapOption)} "${verbatim(column)}=ignore".`,
  }),
  unknownModule: (name: string, known: Text): FaultText => ({
    message: say`No module is called ${quotedName(name)}.`,
    hint: isEmpty(known)
      ? say`Import a farm file first: it declares the modules.`
      : say`There are ${known}.`,
  }),
  severalModules: (name: string, modules: Text, option: string, id: number): FaultText => ({
    message: say`${quotedName(name)} can mean several modules: ${modules}.`,
    hint: say`Pass the id with # before it as ${argument(option)}, such as "#${id}".`,
  }),
  ambiguousDates: (example: string, option: string): FaultText => ({
    message: say`Dates such as ${quotedName(example)} can be read in two ways, and no day above 12 among the first rows says which.`,
    hint: say`Say it with ${argument(option)}: dmy if the day comes first, mdy if the month does.`,
  }),
  swappedDates: (one: DateOfLine, other: DateOfLine, either: Text | null): FaultText => ({
    message: say`Lines ${one.line} and ${other.line} write dates in two ways, ${quotedName(one.text)} and ${quotedName(other.text)}: a spreadsheet may have swapped day and month where both are up to 12${either && say` (${either})`}, in the rows from line ${one.line} on.`,
    hint: say`Export the file again and do not open it in a spreadsheet before the import, or write all its dates alike, such as 2025-01-31.`,
  }),
  skippedHour: (
    { line, text: time }: DateOfLine,
    zone: string,
    [winter, summer]: readonly [string, string],
    option: string,
  ): FaultText => ({
    message: say`Line ${line} has the time ${quotedName(time)}, which ${verbatim(zone)} does not have (clocks go forward): the clock of the file may stay the same all year, and other rows would be an hour off.`,
    hint: say`Say which with ${argument(option)}: ${verbatim(winter)} if it shows winter time all year, ${verbatim(summer)} if it shows summer time.`,
  }),
  hourNotRepeated: (
    day: string,
    zone: string,
    [winter, summer]: readonly [string, string],
    option: string,
  ): FaultText => ({
    message: say`The rows of ${localDay(day)} do not repeat the hour that the clocks of ${verbatim(zone)} repeat: the clock of the file may stay the same all year, and a part of its rows would be an hour off.`,
    hint: say`Say which with ${argument(option)}: ${verbatim(winter)} if it shows winter time all year, ${verbatim(summer)} if it shows summer time, ${verbatim(zone)} if it is set back and that hour is missing.`,
  }),
  mayBeFraction: (columns: string, more: number, option: string, map: string): FaultText => ({
    message: say`No value of ${verbatim(columns)}${more > 0 ? say` and ${more} more` : null} is above 1: this may be m3/m3 and not %, so nothing was stored.`,
    hint: say`Say the unit with ${argument(option)} ${verbatim(map)}, or with (%) in place of (m3/m3) if the values are percent.`,
  }),
  /** Empty columns: all of them are known. */
  dailyWeather: (columns: string): FaultText => ({
    message:
      columns === ''
        ? say`This is daily weather, not readings of a sensor.`
        : say`This is daily weather, with columns that are not known: ${verbatim(columns)}.`,
    hint:
      columns === ''
        ? say`Import it from a file: acequia import weather.csv.`
        : say`Daily weather has date, parcel, rain, tmin, tmax, rhmin, rhmax, dewpoint, u2 (wind at 2 m) and srad, with a unit in brackets if it is another: rename or remove the others.`,
  }),
  noWeatherHeader: (): FaultText => ({
    message: say`The file has no header of daily weather.`,
    hint: say`Name its columns date and rain, tmin, tmax, rhmin, rhmax, u2 or srad.`,
  }),
};
