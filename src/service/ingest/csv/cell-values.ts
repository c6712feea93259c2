import { type FigureConvention, withPlainMinus } from '../../../domain/ingest/written-figures.ts';
import type { Rejection } from '../../../language/ingest/import-report.ts';
import { outOfRangeCode } from '../../../schema/ingest/rejection.ts';
import { isInRange, type ValueRange } from '../reading-values.ts';
import { type Unit, unitOfSymbol } from './column-units.ts';

/** The value in the unit in which it is stored; NaN for a cell that is rejected. */
export function parseMeasurement(
  text: string,
  range: ValueRange,
  unit: Unit | null,
  figures: FigureConvention,
): number {
  const simple = figures.readSimple(text);
  const value = Number.isNaN(simple)
    ? readMeasurement(text, range, unit, figures).value
    : (unit?.convert ?? unconverted)(simple);
  return isInRange(value, range) ? value : Number.NaN;
}

interface ReadMeasurement {
  /** NaN for a cell that is no figure, or that has two values. */
  readonly value: number;
  readonly either: readonly [number, number] | null;
}

function readMeasurement(
  text: string,
  range: ValueRange,
  unit: Unit | null,
  figures: FigureConvention,
): ReadMeasurement {
  const convert = unit?.convert ?? unconverted;
  const figure = figures.read(text, (value) => isInRange(convert(value), range));
  if (typeof figure === 'number') return { value: convert(figure), either: null };
  if (figure !== null) return { value: Number.NaN, either: figure.either };

  const withUnit = splitUnit(text, range);
  if (withUnit !== null) return readMeasurement(withUnit.figure, range, withUnit.unit, figures);
  return { value: Number.NaN, either: null };
}

const unconverted = (value: number): number => value;

/** Loggers and programs write "* * *", "--" or "n/a" where there is no value. */
export const isNoValue = (text: string): boolean =>
  text.length <= MAX_NO_VALUE_LENGTH && NO_VALUE.test(text.trim());

/** In characters. */
const MAX_NO_VALUE_LENGTH = 20;
const NO_VALUE = /^(?:[*\u2010-\u2014\u2212\s-]+|#?n\/?a!?|null|none)$/i;

/**
 * Splits a cell such as "23,4 %", whose unit takes precedence over that of the column. Null for
 * other cells.
 */
export function splitUnit(
  text: string,
  { type }: ValueRange,
): { readonly figure: string; readonly unit: Unit } | null {
  const [, figure, symbol] = FIGURE_AND_UNIT.exec(text) ?? [];
  const unit = symbol === undefined ? null : unitOfSymbol(symbol);
  return figure === undefined || unit?.type !== type ? null : { figure, unit };
}

/** They may be separated by a space, also by a no-break one. */
const FIGURE_AND_UNIT =
  /^\s*([+\u2010-\u2013\u2212-]?[\d.,]*\d)[ \u00a0\u202f]?([^\s\d.,+-]\S{0,9})\s*$/;

export function rejectionOfCell(
  text: string,
  range: ValueRange,
  unit: Unit | null,
  figures: FigureConvention,
): Rejection {
  const { value, either } = readMeasurement(text, range, unit, figures);
  if (either !== null) return { reason: 'two_readings', either };
  if (!Number.isNaN(value)) return { reason: outOfRangeCode(range.type) };

  const figure = withPlainMinus(splitUnit(text, range)?.figure ?? text).trim();
  if (figure === '' || isNoValue(figure)) return { reason: 'no_value' };
  const isBounded =
    !/^[+-]?(nan|inf)$/i.test(figure) && Math.abs(Number(figure)) !== Number.POSITIVE_INFINITY;
  return { reason: isBounded ? 'not_a_number' : 'infinite_value' };
}
