import { z } from 'zod/v3';
import { itemAt } from '../../domain/items.ts';
import { formatTable } from '../process/output.ts';

const listAnswer = z.object({
  data: z.array(z.record(z.unknown())).min(1),
  next_cursor: z.string().nullish(),
});

/**
 * The rows of a list, without all-empty columns; null for any other answer. Nested values appear
 * only in --json.
 */
export function formatListAnswer(body: unknown): string | null {
  const { data: list } = listAnswer.safeParse(body);
  if (list === undefined) return null;

  const { data: rows, next_cursor: nextCursor } = list;
  const names = [...new Set(rows.flatMap(Object.keys))];
  const columns = names
    .map((name) => [name, ...rows.map((row) => formatCell(row[name]))])
    .filter(([, ...cells]) => cells.some((cell) => cell !== ''));
  // The names, then one line for each row.
  const lines = Array.from({ length: rows.length + 1 }, (_, line) =>
    columns.map((column) => itemAt(column, line)),
  );
  const table = formatTable(lines);

  return nextCursor ? `${table}There are more rows: add cursor=${nextCursor}\n` : table;
}

/** An instant as the structured answer has it; tables show it to the minute. */
const INSTANT = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}):\d{2}\.\d{3}Z$/;

function formatCell(value: unknown): string {
  if (Array.isArray(value))
    return value.every((each) => typeof each !== 'object')
      ? value.join(', ')
      : String(value.length);
  if (typeof value === 'string') return value.replace(INSTANT, '$1 $2Z').replace(/\s+/g, ' ');
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}
