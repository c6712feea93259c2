import type { ColumnProperties } from '../../schema/tables/column.ts';

// A cell is what the database stores in a column, a value what the program has, and a body what
// answers have.

export function valueOfCell({ kind }: ColumnProperties, cell: unknown): unknown {
  if (cell === null) return null;
  if (kind === 'flag') return cell === 1;
  return kind === 'json' ? JSON.parse(String(cell)) : cell;
}

/** Null becomes 0 in a column of flags, and JSON where the column accepts no null. */
export function cellOfValue({ kind, isNullable }: ColumnProperties, value: unknown): unknown {
  if (value === null && isNullable) return null;
  if (kind === 'flag') return Number(value === true);
  return kind === 'json' ? JSON.stringify(value) : value;
}

export function bodyOfValue({ kind, round }: ColumnProperties, value: unknown): unknown {
  if (typeof value !== 'number') return value;
  if (kind === 'instant') return new Date(value).toISOString();
  return round === null ? value : round(value);
}
