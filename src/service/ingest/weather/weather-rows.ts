import { formatIsoDate, isIsoDate, padTwo } from '../../../domain/calendar.ts';
import { roundTo } from '../../../domain/decimal.ts';
import type { DateOrder } from '../../../domain/ingest/import-options.ts';
import { civilAt } from '../../../domain/time-zone.ts';
import { describeReason } from '../../../language/ingest/import-report.ts';
import { MAX_RAIN_MM } from '../../../schema/weather/rain.ts';
import { type WeatherValueName, weatherValues } from '../../../schema/weather/weather.ts';
import { csvCells } from '../csv/csv-lines.ts';
import type { WeatherLayout } from './weather-columns.ts';

export interface WeatherImportContext {
  readonly now: number;
  readonly zone: string;
  readonly dates?: DateOrder | undefined;
}

/** The values of a day that were measured. */
export type WeatherRow = { readonly day: string; readonly parcel: string } & Partial<
  Record<'mm' | WeatherValueName, number>
>;

/** The row, or else the reason why it is rejected. */
type ParsedRow =
  | { readonly row: WeatherRow; readonly reason: null }
  | { readonly row: null; readonly reason: string };

const rejected = (reason: string): ParsedRow => ({ row: null, reason });

const NO_VALUE = /^(?:|-|nan|null|na|n\/a)$/i;
const DECIMAL = /^-?\d+(?:[.,]\d+)?$/;

export function parseWeatherRow(
  line: string,
  { delimiter, columns }: WeatherLayout,
  context: WeatherImportContext,
): ParsedRow {
  const cells = csvCells(line, delimiter);
  if (cells === null) return rejected(describeReason('unclosed_quote', 'en'));
  if (cells.length > columns.length) return rejected(TOO_MANY_CELLS);

  const values: Partial<Record<'mm' | WeatherValueName, number>> = {};
  let [day, parcel] = ['', ''];
  for (const [index, { name, column, convert }] of columns.entries()) {
    const cell = (cells[index] ?? '').trim();
    if (column === 'day') day = parseDay(cell, context.dates);
    else if (column === 'parcel') parcel = cell;
    else if (!NO_VALUE.test(cell)) {
      const value = parseValue(cell, convert);
      if (!isPossible(column, value))
        return rejected(`${name} "${cell.slice(0, 20)}" is not a possible value`);
      values[column] = value;
    }
  }

  const reason = faultOfDay(day, context);
  return reason === null ? { row: { day, parcel, ...values }, reason } : rejected(reason);
}

const TOO_MANY_CELLS =
  'it has more cells than the header: quote decimal commas, or separate columns by semicolons';

const VALUE_DECIMALS = 3;

/** NaN for other notations of numbers, such as 1e2. */
const parseValue = (cell: string, convert: (value: number) => number): number =>
  DECIMAL.test(cell)
    ? roundTo(convert(Number(cell.replace(',', '.'))), VALUE_DECIMALS)
    : Number.NaN;

const isPossible = (column: 'mm' | WeatherValueName, value: number): boolean =>
  column === 'mm'
    ? value >= 0 && value <= MAX_RAIN_MM
    : weatherValues[column].safeParse(value).success;

const HAS_TIME = /\d[T ]\d{1,2}:\d\d/;
/** "1/7/2026", whose first two numbers are the day and the month, in either order. */
const NUMERIC_DATE = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})$/;

/** A date, which spreadsheets may write with midnight. */
function parseDay(cell: string, dates: DateOrder | undefined): string {
  const text = cell.replace(/[T ]0?0:00(?::00)?$/, '');
  const match = NUMERIC_DATE.exec(text);
  if (match === null) return text;

  const [first, second] = [Number(match[1]), Number(match[2])];
  // No month is above 12. If both orders are possible, the date cannot be read.
  if (dates === undefined && first <= 12 && second <= 12) return '';
  const order = dates ?? (first > 12 ? 'dmy' : 'mdy');
  const [day, month] = order === 'dmy' ? [first, second] : [second, first];

  return `${match[3]}-${padTwo(month)}-${padTwo(day)}`;
}

function faultOfDay(day: string, { now, zone }: WeatherImportContext): string | null {
  if (HAS_TIME.test(day)) return 'it has a time of day: give one total for each day';
  if (!isIsoDate(day))
    return 'its date cannot be read: write 2026-07-01, or name the order with --dates';
  return day > formatIsoDate(civilAt(now, zone)) ? 'its day is still to come' : null;
}
