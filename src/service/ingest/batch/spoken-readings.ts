import { firstOf } from '../../../domain/items.ts';
import { MINUTE_MS } from '../../../domain/periods.ts';
import { toIso } from '../../../schema/wire-format.ts';
import { columnMeaning } from '../csv/column-names.ts';

/**
 * One row of sensors without a time is what a person reads off a display: it is dated `now` (ms).
 * Any other text stays as it is.
 */
export function withTimeOfSpokenReadings(csv: string, now: number): string {
  const [header, ...rows] = csv.trim().split(/\r?\n/);
  if (header === undefined || rows.length !== 1) return csv;

  const separator = /[;,\t]/.exec(header)?.[0] ?? ',';
  const columns = header.split(separator).map((column) => column.trim());
  if (!columns.every((column) => columnMeaning(column)?.kind === 'sensor')) return csv;

  const time = toIso(Math.floor(now / MINUTE_MS) * MINUTE_MS);
  return `time${separator}${header}\n${time}${separator}${firstOf(rows)}`;
}
