import { roundTo } from '../../../domain/decimal.ts';
import type { DateOrder } from '../../../domain/ingest/import-options.ts';
import type { FigureConvention } from '../../../domain/ingest/written-figures.ts';
import type { Lang } from '../../../domain/lang.ts';
import { LocalDay } from '../../../domain/local-day.ts';
import { MAX_CELL_TEXT } from '../../../domain/text/greatest-lengths.ts';
import { languageOf } from '../../../language/index.ts';
import { describeRejections, type Rejection } from '../../../language/ingest/import-report.ts';
import type { RejectionReason } from '../../../schema/ingest/rejection.ts';
import { MAX_RAIN_MM } from '../../../schema/weather/rain.ts';
import { type WeatherValueName, weatherValues } from '../../../schema/weather/weather-days.ts';
import { isNoValue } from '../csv/cell-values.ts';
import { type FileRow, type RowForm, type RowTarget, readRow } from '../csv/row-reader.ts';
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

const VALUE_DECIMALS = 3;
/** In characters. */
const MAX_QUOTED_CELL = 20;

type FileColumn = WeatherLayout['columns'][number];

interface ValueColumn extends FileColumn {
  readonly index: number;
  readonly column: 'mm' | WeatherValueName;
}

const isValueColumn = (column: FileColumn & { readonly index: number }): column is ValueColumn =>
  column.column !== 'day' && column.column !== 'parcel';

/** Reads the rows of a file, each of a day. */
export function weatherRowParser(
  layout: WeatherLayout,
  context: WeatherRowContext,
): (row: FileRow) => ParsedRow {
  const form = new WeatherForm(layout, context);
  const { lang } = context;

  return (row) => {
    const { target, at, values, rejections } = readRow(form, row);
    const reasons = rejections.map((rejection) => describeRejections([rejection], lang));
    const measured = form.columns.flatMap(({ column }, index) => {
      const value = values[index] ?? Number.NaN;
      return Number.isNaN(value) ? [] : [[column, value] as const];
    });
    if (target === null || (reasons.length > 0 && measured.length === 0))
      return { row: null, reasons };

    const day = LocalDay.at(at, 'UTC').iso;
    const { parcel } = target;
    return { row: { day, parcel, ...Object.fromEntries(measured) }, reasons };
  };
}

interface WeatherTarget extends RowTarget<ValueColumn> {
  readonly parcel: string;
}

class WeatherForm implements RowForm<ValueColumn, WeatherTarget> {
  readonly namesAllFaults = false;
  readonly columns: readonly ValueColumn[];
  readonly #layout: WeatherLayout;
  readonly #context: WeatherRowContext;
  readonly #parcelIndex: number;
  #timeReason: RejectionReason = 'no_time';

  constructor(layout: WeatherLayout, context: WeatherRowContext) {
    this.#layout = layout;
    this.#context = context;
    this.columns = layout.columns
      .map((column, index) => ({ ...column, index }))
      .filter(isValueColumn);
    this.#parcelIndex = layout.columns.findLastIndex(({ column }) => column === 'parcel');
  }

  misfitReason(cells: readonly string[] | null): RejectionReason | null {
    if (cells === null) return 'unclosed_quote';
    if (cells.length > this.#layout.columns.length) return { text: this.#words.tooManyCells };
    return cells.some((cell) => cell.length > MAX_CELL_TEXT) ? 'cell_too_long' : null;
  }

  targetOf(cells: readonly string[]): WeatherTarget {
    const parcel = (cells[this.#parcelIndex] ?? '').trim();
    return { columns: this.columns, rejection: null, parcel };
  }

  /** Midnight of the day as if it were UTC. */
  parseTime(cells: readonly string[]): number {
    const text = dayTextOf(cells, this.#layout);
    const { now, zone, dates } = this.#context;
    const midnight = BARE_DAY.test(text) ? parseSpreadsheetTime(`${text} 0:00`, dates) : Number.NaN;
    if (Number.isNaN(midnight)) {
      const { timeOfDay, unreadableDay } = this.#words;
      this.#timeReason = { text: CLOCK_TIME.test(text) ? timeOfDay : unreadableDay };
      return Number.NaN;
    }

    const isFuture = LocalDay.at(midnight, 'UTC').iso > LocalDay.at(now, zone).iso;
    if (!isFuture) return midnight;
    this.#timeReason = { text: this.#words.futureDay };
    return Number.NaN;
  }

  get timeReason(): RejectionReason {
    return this.#timeReason;
  }

  /** One bad cell costs its own value only. */
  readValue(column: ValueColumn, cells: readonly string[], rejections: Rejection[]): number {
    const cell = (cells[column.index] ?? '').trim();
    if (cell === '' || isNoValue(cell) || /^nan$/i.test(cell)) return Number.NaN;

    const value = readCell(cell, column, this.#layout.figures);
    if (typeof value === 'number') return value;
    const { name } = column;
    rejections.push(
      value === null
        ? { reason: { text: this.#words.impossible(name, cell.slice(0, MAX_QUOTED_CELL)) } }
        : { reason: 'two_readings', column: name, either: value },
    );
    return Number.NaN;
  }

  get #words() {
    return languageOf(this.#context.lang).weatherFile;
  }
}

/** The value as stored, or the two that the cell may stand for; null for another cell. */
function readCell(
  cell: string,
  { column, convert }: Pick<ValueColumn, 'column' | 'convert'>,
  figures: FigureConvention,
): number | readonly [number, number] | null {
  const stored = (value: number): number => roundTo(convert(value), VALUE_DECIMALS);
  const figure = figures.read(cell, (value) => isPossible(column, stored(value)));
  if (figure === null) return null;
  if (typeof figure !== 'number') return figure.either;
  return isPossible(column, stored(figure)) ? stored(figure) : null;
}

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

/** Spreadsheets may write a day with midnight. */
export const dayTextOf = (cells: readonly string[] | null, { dayIndex }: WeatherLayout): string =>
  withMonthNumber((cells?.[dayIndex] ?? '').trim()).replace(/[T ]0?0:00(?::00)?$/, '');
