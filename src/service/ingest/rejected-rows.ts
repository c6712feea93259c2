import type { z } from 'zod';
import { truncatedJson } from '../../language/text.ts';
import { REJECT_COLUMNS } from './csv-header.ts';
import { csvCells, quoteCsvCell } from './csv-lines.ts';
import type { Rejection } from './csv-rows.ts';

/** Rejected rows that a report shows; all of them go to the rejects file. */
const MAX_FIRST_REJECTS = 10;

export interface RejectionReport {
  /** Rows of which something was rejected. */
  readonly rejectedRows: number;
  /** Most frequent first. */
  readonly reasons: readonly { readonly reason: string; readonly count: number }[];
  readonly firstRejects: readonly { readonly line: number; readonly reason: string; readonly text: string }[];
}

/** Counts rejected rows by reason and writes them out as CSV: as they stood, with line and reason appended. */
export interface RejectLog {
  begin(headerText: string, header: { delimiter: string; width: number }): void;
  add(line: number, text: string, cells: readonly string[] | null, rejections: readonly Rejection[]): void;
  /** Hands the rows gathered so far to whoever writes them. */
  flush(): Promise<void>;
  report(): RejectionReport;
}

export function createRejectLog(write: ((text: string) => Promise<void>) | undefined): RejectLog {
  const counts = new Map<string, number>();
  const first: { line: number; reason: string; text: string }[] = [];
  let rejected = 0;
  let pending = '';
  let delimiter = ',';
  let width = 0;
  /** A mended rejects file is imported with its two columns still there; they are not written twice. */
  let hasRejectColumns = false;

  const append = (text: string, cells: readonly string[] | null, appended: readonly string[]): void => {
    const original =
      cells !== null && hasRejectColumns
        ? cells
            .slice(0, width)
            .map((cell) => quoteCsvCell(cell, delimiter))
            .join(delimiter)
        : text;
    const padding = delimiter.repeat(Math.max(0, width - (cells?.length ?? width)));
    pending += `${original}${padding}${delimiter}${appended.map((each) => quoteCsvCell(each, delimiter)).join(delimiter)}\n`;
  };

  return {
    begin(headerText, header) {
      const cells = csvCells(headerText, header.delimiter) ?? [];
      delimiter = header.delimiter;
      hasRejectColumns = cells.some((cell) => cell.trim().toLowerCase() === REJECT_COLUMNS[0]);
      width = header.width - (hasRejectColumns ? REJECT_COLUMNS.length : 0);
      if (write) append(headerText, cells, REJECT_COLUMNS);
    },
    add(line, text, cells, rejections) {
      rejected++;
      for (const { reason } of rejections) counts.set(reason, (counts.get(reason) ?? 0) + 1);
      const reason = rejections
        .map((each) => (each.column ? `${each.column}: ${each.reason}` : each.reason))
        .join('; ');
      if (first.length < MAX_FIRST_REJECTS) first.push({ line, reason, text });
      if (write) append(text, cells, [String(line), reason]);
    },
    async flush() {
      if (pending === '') return;
      await write?.(pending);
      pending = '';
    },
    report: () => ({
      rejectedRows: rejected,
      reasons: [...counts].map(([reason, count]) => ({ reason, count })).sort((a, b) => b.count - a.count),
      firstRejects: first,
    }),
  };
}

/** Characters of a refused row that are of use: fewer are told. */
const MAX_EXCERPT_LENGTH = 400;

/** A row that was read, or why it was not. */
export type ParsedRow<T> = { readonly row: T } | { readonly refused: string };

/** Reads one row of a batch by the schema of its kind. The reason of a refusal is one of a handful, fit for counting. */
export function parseRow<S extends z.AnyZodObject>(schema: S, value: unknown): ParsedRow<z.output<S>> {
  const read = schema.safeParse(value);
  if (read.success) return { row: read.data };
  const issue = read.error.issues.find(({ code }) => code === 'unrecognized_keys') ?? read.error.issues[0]!;
  const name = String(issue.path[0] ?? '');
  const field = schema.shape[name] as z.ZodTypeAny | undefined;
  if (issue.code === 'unrecognized_keys' || field === undefined)
    return { refused: issue.path.length === 0 && issue.code === 'invalid_type' ? 'it is no object' : 'unknown field' };
  const isMissing = issue.code === 'invalid_type' && issue.received === 'undefined';
  return { refused: isMissing ? `no ${name}` : `${name} is not ${describeField(field)}` };
}

/** The start of a row as it was sent. */
export const rowExcerpt = (value: unknown): string =>
  truncatedJson(value, MAX_EXCERPT_LENGTH).slice(0, MAX_EXCERPT_LENGTH);

const describeField = (field: z.ZodTypeAny): string =>
  field.description ?? (field as z.ZodOptional<z.ZodTypeAny>).unwrap?.().description ?? 'valid';

/** Refused rows that are told one by one; all of them are counted. */
const MAX_LISTED_ROWS = 100;

/** Longest text of a row that is told, in characters. */
const MAX_ROW_TEXT = 200;

export interface RefusedRow {
  /** Where in the batch: readings[3], line 5. */
  readonly place: string;
  readonly reason: string;
  /** The row as it was sent, on one line and cut short. */
  readonly given: string;
}

/** Gathers the rows of a batch that are refused. */
export interface RefusalLog {
  /** `reasons` are out of a handful each; `column` is the one of a wide file that a reason is about. */
  add(place: string, given: string, reasons: readonly { readonly reason: string; readonly column?: string }[]): void;
  readonly count: number;
  /** Most frequent first. */
  reasons(): { reason: string; count: number }[];
  /** The first ones. */
  readonly first: readonly RefusedRow[];
}

export function createRefusalLog(): RefusalLog {
  const counts = new Map<string, number>();
  const first: RefusedRow[] = [];
  const rows = {
    count: 0,
    first,
    add(...[place, given, reasons]: Parameters<RefusalLog['add']>): void {
      rows.count++;
      for (const { reason } of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
      if (first.length >= MAX_LISTED_ROWS) return;
      const texts = reasons.map(({ reason, column }) => (column ? `${column}: ${reason}` : reason));
      first.push({ place, reason: texts.join('; '), given: oneLine(given) });
    },
    reasons: () => [...counts].map(([reason, count]) => ({ reason, count })).sort((a, b) => b.count - a.count),
  };
  return rows;
}

function oneLine(text: string): string {
  const line = text
    .slice(0, MAX_ROW_TEXT * 2)
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim();
  return line.length > MAX_ROW_TEXT ? `${line.slice(0, MAX_ROW_TEXT - 1)}…` : line;
}
