import { FigureConvention } from '../../../domain/ingest/written-figures.ts';
import { foldText } from '../../../domain/strings.ts';
import {
  fahrenheitToCelsius,
  inchesToMm,
  kilometresPerHourToMetresPerSecond,
  milesPerHourToMetresPerSecond,
} from '../../../domain/units.ts';
import { FILE_WORDS } from '../../../language/words/file-words.ts';
import type { WeatherColumn } from '../../../language/words/language-words.ts';
import { WEATHER_VALUES } from '../../../schema/weather/weather-days.ts';
import { MAX_LINES_BEFORE_HEADER } from '../csv/csv-header.ts';
import { csvCells, DELIMITERS } from '../csv/text/csv-lines.ts';
import { recordAt } from '../csv/text/csv-records.ts';

const COLUMNS: readonly WeatherColumn[] = ['day', 'parcel', 'mm', ...WEATHER_VALUES];

const COLUMN_OF_WORD = new Map(
  FILE_WORDS.flatMap(({ weatherColumns }) =>
    COLUMNS.flatMap((column) =>
      (weatherColumns[column]?.split(' ') ?? []).map((word) => [word, column] as const),
    ),
  ),
);

type Convert = (value: number) => number;

const asIs: Convert = (value) => value;

const TEMPERATURE_UNITS: Readonly<Record<string, Convert>> = {
  c: asIs,
  degc: asIs,
  f: fahrenheitToCelsius,
  degf: fahrenheitToCelsius,
};
const HUMIDITY_UNITS: Readonly<Record<string, Convert>> = { '%': asIs };

/**
 * Units that a header may name in brackets. Without brackets, a value is in the unit in which it is
 * stored.
 */
const COLUMN_UNITS: Readonly<Record<WeatherColumn, Readonly<Record<string, Convert>>>> = {
  day: {},
  parcel: {},
  mm: {
    mm: asIs,
    cm: (centimetres) => centimetres * 10,
    in: inchesToMm,
    inch: inchesToMm,
    inches: inchesToMm,
  },
  temperatureMin: TEMPERATURE_UNITS,
  temperatureMax: TEMPERATURE_UNITS,
  humidityMin: HUMIDITY_UNITS,
  humidityMax: HUMIDITY_UNITS,
  dewPoint: TEMPERATURE_UNITS,
  windMs: {
    'm/s': asIs,
    'km/h': kilometresPerHourToMetresPerSecond,
    mph: milesPerHourToMetresPerSecond,
  },
  radiationMj: { 'mj/m2': asIs, 'mj/m2/d': asIs, 'mj/m2/day': asIs },
};

interface FileColumn {
  /** As in the header. */
  readonly name: string;
  readonly column: WeatherColumn;
  readonly convert: Convert;
}

export interface WeatherLayout {
  readonly delimiter: string;
  readonly figures: FigureConvention;
  readonly columns: readonly FileColumn[];
  readonly dayIndex: number;
}

/** Null unless the header has a date, a value, and no column of anything else. */
function weatherLayout(header: string, delimiter: string): WeatherLayout | null {
  const columns = (csvCells(header, delimiter) ?? []).map(fileColumn);
  const known = columns.filter((column) => column !== null);
  const dayIndex = known.findLastIndex(({ column }) => column === 'day');
  const hasValue = known.some(({ column }) => column !== 'day' && column !== 'parcel');
  return known.length === columns.length && dayIndex >= 0 && hasValue
    ? { delimiter, figures: new FigureConvention(delimiter), columns: known, dayIndex }
    : null;
}

/** "Rain (mm)" or "Rain [mm]"; the unit may be missing. */
const WORDS_AND_UNIT = /^([^([]*)(?:[([](.*)[)\]])?$/;

/** Null for a column that is not of rain or weather, or in a unit that is not known. */
function fileColumn(cell: string): FileColumn | null {
  const name = cell.trim();
  const [, words = '', unit] = WORDS_AND_UNIT.exec(name) ?? [];
  const column = COLUMN_OF_WORD.get(foldText(words).replace(/[^a-z0-9]/g, ''));
  if (column === undefined) return null;
  if (unit === undefined) return { name, column, convert: asIs };

  const convert = COLUMN_UNITS[column][foldText(unit).replace(/[°\s]/g, '').replace('²', '2')];
  return convert === undefined ? null : { name, column, convert };
}

/**
 * The columns that are not of rain or weather in a header that names a day and a value of the
 * weather; null for any other header.
 */
export function unknownWeatherColumns(names: readonly string[]): readonly string[] | null {
  const known = names.flatMap((name) => fileColumn(name)?.column ?? []);
  const hasValue = known.some((column) => column !== 'day' && column !== 'parcel');
  if (!known.includes('day') || !hasValue) return null;
  return names.filter((name) => name.trim() !== '' && fileColumn(name) === null);
}

/** Null if no line of the first ones names the columns of weather. */
export function findWeatherHeader(lines: readonly string[]): {
  readonly layout: WeatherLayout;
  /** Number of the line, from 1. */
  readonly headerEnd: number;
} | null {
  for (const index of lines.slice(0, MAX_LINES_BEFORE_HEADER + 1).keys())
    for (const delimiter of DELIMITERS) {
      const { text, end } = recordAt(lines, index, delimiter);
      const layout = weatherLayout(text, delimiter);
      if (layout !== null) return { layout, headerEnd: end };
    }
  return null;
}
