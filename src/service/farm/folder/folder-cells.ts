import type { ColumnKind, ColumnProperties } from '../../../schema/tables/column.ts';
import { toIso } from '../../../schema/wire-format.ts';
import type { CopiedRow } from '../../../store/store-adapter.ts';

// The cells of a CSV file of a folder (RFC 4180). What is written is what is read again: texts stand
// exactly as they are stored. Null is an empty cell, an empty text is "".

type Value = CopiedRow[string];

/** The farthest instants that ISO 8601 can name, in ms from 1970. */
const MAX_ISO_MS = 8.64e15;

export function formatCell(value: Value, kind: ColumnKind): string {
  if (value === null) return '';
  if (typeof value === 'string') return quotedIfNecessary(value);
  if (kind === 'flag') return value === 0 ? 'false' : 'true';
  if (kind === 'instant' && Math.abs(value) <= MAX_ISO_MS) return toIso(value);
  return String(value);
}

const quotedIfNecessary = (text: string): string =>
  text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

type CellReader = (cell: string) => Value | undefined;

function readNumber(cell: string): number | undefined {
  const number = /^-?\d/.test(cell) ? Number(cell) : Number.NaN;
  return Number.isFinite(number) ? number : undefined;
}

function readInteger(cell: string): number | undefined {
  const number = readNumber(cell);
  return Number.isSafeInteger(number) ? number : undefined;
}

const ISO_INSTANT = /^([+-]\d\d)?\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

function readInstant(cell: string): number | undefined {
  if (!ISO_INSTANT.test(cell)) return readInteger(cell);
  const at = Date.parse(cell);
  return Number.isNaN(at) ? undefined : at;
}

const FLAGS: Readonly<Record<string, number>> = { false: 0, true: 1 };

function readJson(cell: string): string | undefined {
  try {
    JSON.parse(cell);
    return cell;
  } catch {
    return undefined;
  }
}

const READERS: Readonly<Record<ColumnKind, readonly [CellReader, kind: string]>> = {
  integer: [readInteger, 'an integer'],
  real: [readNumber, 'a number'],
  text: [(cell) => cell, 'a text'],
  instant: [readInstant, 'an instant in UTC such as 2026-07-01T06:00:00.000Z'],
  flag: [(cell) => FLAGS[cell], 'true or false'],
  json: [readJson, 'JSON'],
};

export type CellResult = { readonly value: Value } | { readonly problem: string };

/** `cell` is null for an empty cell without quotation marks. */
export function readCell(
  cell: string | null,
  { kind, isNullable, values }: ColumnProperties,
): CellResult {
  if (cell === null) return isNullable ? { value: null } : { problem: 'the cell may not be empty' };

  const [read, kindInWords] = READERS[kind];
  const value = read(cell);
  if (value === undefined) return { problem: `the cell is not ${kindInWords}` };
  if (values !== null && !values.includes(cell))
    return { problem: `the cell is none of ${values.join(', ')}` };
  return { value };
}
