import { outOfRangeCode, type RejectionCode } from '../../../schema/ingest/rejection.ts';
import { isInRange, parseDecimal, type ValueRange } from '../reading-values.ts';
import { type Unit, unitOfSymbol } from './column-units.ts';

/** The value in the unit in which it is stored; NaN for a cell that is rejected. */
export function parseMeasurement(
  text: string,
  range: ValueRange,
  unit: Unit | null,
  delimiter: string,
): number {
  let value = parseNumber(text, delimiter);
  if (Number.isNaN(value)) {
    const withUnit = splitUnit(text, range);
    return withUnit === null
      ? Number.NaN
      : parseMeasurement(withUnit.figure, range, withUnit.unit, delimiter);
  }

  if (unit?.convert !== undefined) value = unit.convert(value);
  return isInRange(value, range) ? value : Number.NaN;
}

/** Reads a decimal point or comma, and thousands that cannot be decimals; NaN for other text. */
export function parseNumber(text: string, delimiter: string): number {
  const value = parseDecimal(text);
  if (!Number.isNaN(value)) return value;

  const plain = withoutThousands(withPlainMinus(text));
  const plainValue = parseDecimal(plain);
  return Number.isNaN(plainValue) ? parseDecimalComma(plain, delimiter) : plainValue;
}

/** Minus signs and dashes that programs write instead of a hyphen. */
const withPlainMinus = (text: string): string =>
  text.replace(/^(\s*)[\u2010-\u2013\u2212\ufe63\uff0d]/, '$1-');

const SPACED_THOUSANDS = /^\s*[+-]?\d{1,3}(?:[ \u00a0\u2009\u202f'\u2019]\d{3})+(?:[.,]\d+)?\s*$/;
const THOUSANDS_AND_DECIMALS = /^\s*[+-]?[1-9]\d{0,2}(?:(?:\.\d{3})+,\d+|(?:,\d{3})+\.\d+)\s*$/;

/** "1250.5" for "1.250,5", "1,250.5" and "1'250.5": the last of two signs is that of decimals. */
function withoutThousands(text: string): string {
  if (SPACED_THOUSANDS.test(text)) return text.trim().replace(/[ \u00a0\u2009\u202f'\u2019]/g, '');
  if (!THOUSANDS_AND_DECIMALS.test(text)) return text;
  const decimals = Math.max(text.lastIndexOf('.'), text.lastIndexOf(','));
  return `${text.slice(0, decimals).replace(/[.,]/g, '')}.${text.slice(decimals + 1)}`;
}

/** What loggers and programs write where there is no value: "* * *", "--" or "n/a". */
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

const DECIMAL_COMMA = /^\s*[+-]?\d*,\d+\s*$/;
/** "1,234" may be over a thousand; "0,234" and "12,5" cannot. */
const THOUSANDS = /^\s*[+-]?[1-9]\d{0,2},\d{3}\s*$/;

/**
 * In a file whose cells are separated by commas, a comma in a quoted number may separate thousands.
 */
function parseDecimalComma(text: string, delimiter: string): number {
  if (!DECIMAL_COMMA.test(text) || (delimiter === ',' && THOUSANDS.test(text))) return Number.NaN;
  return Number(text.replace(',', '.'));
}

export function rejectionOfCell(text: string, range: ValueRange, delimiter: string): RejectionCode {
  const figure = splitUnit(text, range)?.figure ?? text;
  const value = withoutThousands(withPlainMinus(figure)).trim();
  if (value === '' || isNoValue(value)) return 'no_value';
  if (delimiter === ',' && THOUSANDS.test(value)) return 'value_with_comma';
  const isBounded =
    !/^[+-]?(nan|inf)$/i.test(value) && Math.abs(Number(value)) !== Number.POSITIVE_INFINITY;
  if (!isBounded) return 'infinite_value';
  const isNumber = DECIMAL_COMMA.test(value) || !Number.isNaN(parseDecimal(value));
  return isNumber ? outOfRangeCode(range.type) : 'not_a_number';
}
