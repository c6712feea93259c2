import { roundTo } from '../../../domain/decimal.ts';
import type { DateOrder } from '../../../domain/ingest/import-options.ts';
import type { FigureConvention } from '../../../domain/ingest/written-figures.ts';
import type { Lang } from '../../../domain/lang.ts';
import { LocalDay } from '../../../domain/local-day.ts';
import { MAX_CELL_TEXT } from '../../../domain/text/greatest-lengths.ts';
import { languageOf } from '../../../language/index.ts';
import { describeRejections, reasonText } from '../../../language/ingest/import-report.ts';
import { MAX_RAIN_MM } from '../../../schema/weather/rain.ts';
import { type WeatherValueName, weatherValues } from '../../../schema/weather/weather-days.ts';
import { isNoValue } from '../csv/cell-values.ts';
import { withMonthNumber } from '../csv/text/month-names.ts';
import { BARE_DAY, CLOCK_TIME, parseSpreadsheetTime } from '../spreadsheet-times.ts';
import type { WeatherLayout } from './weather-columns.ts';

export interface WeatherRowContext {
  readonly now: number;
  readonly zone: string;
  /** Null if the days are in ISO 8601. */
  readonly dates: DateOrder | null;
  /** The language of the reasons. */
  readonly lang: Lang;
}

/** The values of a day that were measured. */
export type WeatherRow = { readonly day: string; readonly parcel: string } & Partial<
  Record<'mm' | WeatherValueName, number>
>;

interface ParsedRow {
  /** Without the values that are rejected; null if nothing of the row can be stored. */
  readonly row: WeatherRow | null;
  /** Why the row, or a value of it, is rejected. */
  readonly reasons: readonly string[];
}

const rejected = (...reasons: string[]): ParsedRow => ({ row: null, reasons });

const VALUE_DECIMALS = 3;
/** In characters. */
const MAX_QUOTED_CELL = 20;

export function parseWeatherRow(
  cells: readonly string[] | null,
  { figures, columns }: WeatherLayout,
  context: WeatherRowContext,
): ParsedRow {
  const words = languageOf(context.lang).weatherFile;
  if (cells === null) return rejected(reasonText('unclosed_quote', context.lang));
  if (cells.length > columns.length) return rejected(words.tooManyCells);

  const values: Partial<Record<'mm' | WeatherValueName, number>> = {};
  const reasons: string[] = [];
  let [dayText, parcel] = ['', ''];
  for (const [index, { name, column, convert }] of columns.entries()) {
    const text = cells[index] ?? '';
    if (text.length > MAX_CELL_TEXT) return rejected(reasonText('cell_too_long', context.lang));

    const cell = text.trim();
    if (column === 'day') dayText = dayTextOf(cell);
    else if (column === 'parcel') parcel = cell;
    else if (cell !== '' && !isNoValue(cell) && !/^nan$/i.test(cell)) {
      const value = readCell(cell, { column, convert }, figures);
      // One bad cell costs its own value only.
      if (typeof value === 'number') values[column] = value;
      else reasons.push(reasonOf({ name, cell, either: value }, context.lang));
    }
  }

  const day = parseDay(dayText, context.dates);
  if (day === null)
    return rejected(CLOCK_TIME.test(dayText) ? words.timeOfDay : words.unreadableDay);
  const isFuture = day > LocalDay.at(context.now, context.zone).iso;
  if (isFuture) return rejected(words.futureDay);

  const isEmpty = reasons.length > 0 && Object.keys(values).length === 0;
  return isEmpty ? rejected(...reasons) : { row: { day, parcel, ...values }, reasons };
}

/** The value as stored, or the two that the cell may stand for; null for another cell. */
function readCell(
  cell: string,
  { column, convert }: ValueColumn,
  figures: FigureConvention,
): number | readonly [number, number] | null {
  const stored = (value: number): number => roundTo(convert(value), VALUE_DECIMALS);
  const figure = figures.read(cell, (value) => isPossible(column, stored(value)));
  if (figure === null) return null;
  if (typeof figure !== 'number') return figure.either;
  return isPossible(column, stored(figure)) ? stored(figure) : null;
}

interface ValueColumn extends Pick<WeatherLayout['columns'][number], 'convert'> {
  readonly column: 'mm' | WeatherValueName;
}

interface BadCell {
  readonly name: string;
  readonly cell: string;
  readonly either: readonly [number, number] | null;
}

const reasonOf = ({ name, cell, either }: BadCell, lang: Lang): string =>
  either === null
    ? languageOf(lang).weatherFile.impossible(name, cell.slice(0, MAX_QUOTED_CELL))
    : describeRejections([{ reason: 'two_readings', column: name, either }], lang);

/** Lets the values of a row show how the file writes its figures. */
export function learnWeatherFigures(
  cells: readonly string[] | null,
  { figures, columns }: WeatherLayout,
): void {
  for (const [index, { column, convert }] of columns.entries()) {
    const cell = cells?.[index] ?? '';
    const isValue = column !== 'day' && column !== 'parcel' && cell.length <= MAX_CELL_TEXT;
    if (isValue) readCell(cell, { column, convert }, figures);
  }
}

const isPossible = (column: 'mm' | WeatherValueName, value: number): boolean =>
  column === 'mm'
    ? value >= 0 && value <= MAX_RAIN_MM
    : weatherValues[column].safeParse(value).success;

/** A day, which spreadsheets may write with midnight. */
export const dayTextOf = (cell: string): string =>
  withMonthNumber(cell.trim()).replace(/[T ]0?0:00(?::00)?$/, '');

/** The day in ISO 8601; null for other text. */
function parseDay(text: string, dates: DateOrder | null): string | null {
  if (!BARE_DAY.test(text)) return null;
  const midnight = parseSpreadsheetTime(`${text} 0:00`, dates);
  return Number.isNaN(midnight) ? null : LocalDay.at(midnight, 'UTC').iso;
}
