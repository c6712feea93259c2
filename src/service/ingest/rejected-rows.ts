import type { z } from 'zod';
import { singleLine, truncatedJson } from '../../language/text.ts';
import { OversizedRow } from '../../schema/imports/ingest-batch.ts';
import { type CsvLayout, REJECT_COLUMNS } from './csv-layout.ts';
import { csvCells, quoteCsvCell } from './csv-lines.ts';
import type { ImportedSensor } from './reading-batches.ts';

export interface Rejection {
  readonly reason: string;
  readonly column?: string;
}

export interface RowSink {
  add(sensor: ImportedSensor, at: number, value: number, line: number): void;
  reject(line: number, text: string, cells: readonly string[] | null, rejections: readonly Rejection[]): void;
}

export interface ReasonCount {
  readonly reason: string;
  readonly count: number;
}

function createReasonCounter() {
  const counts = new Map<string, number>();
  return {
    add(rejections: readonly Rejection[]): void {
      for (const { reason } of rejections) counts.set(reason, (counts.get(reason) ?? 0) + 1);
    },
    mostFrequentFirst: (): ReasonCount[] =>
      [...counts].map(([reason, count]) => ({ reason, count })).sort((a, b) => b.count - a.count),
  };
}

const joinReasons = (rejections: readonly Rejection[]): string =>
  rejections.map(({ reason, column }) => (column ? `${column}: ${reason}` : reason)).join('; ');

const MAX_FIRST_REJECTS = 10;

export interface RejectionReport {
  readonly rejectedRows: number;
  readonly reasons: readonly ReasonCount[];
  readonly firstRejects: readonly { readonly line: number; readonly reason: string; readonly text: string }[];
}

interface CsvRejects {
  begin(layout: CsvLayout): void;
  add: RowSink['reject'];
  flush(): Promise<void>;
  report(): RejectionReport;
}

export function createCsvRejects(write: ((text: string) => Promise<void>) | undefined): CsvRejects {
  const reasons = createReasonCounter();
  const firstRejects: { line: number; reason: string; text: string }[] = [];
  let rejectedRows = 0;
  let pending = '';
  let delimiter = ',';
  let width = 0;
  /** A corrected rejects file still has the two added columns, which are not added again. */
  let hasRejectColumns = false;

  const joinCells = (cells: readonly string[]): string =>
    cells.map((cell) => quoteCsvCell(cell, delimiter)).join(delimiter);

  const append = (text: string, cells: readonly string[] | null, added: readonly string[]): void => {
    const original = cells !== null && hasRejectColumns ? joinCells(cells.slice(0, width)) : text;
    const padding = delimiter.repeat(Math.max(0, width - (cells?.length ?? width)));
    pending += `${original}${padding}${delimiter}${joinCells(added)}\n`;
  };

  return {
    begin({ headerText, names, ...layout }) {
      delimiter = layout.delimiter;
      const cells = csvCells(headerText, delimiter) ?? [];
      hasRejectColumns = cells.some((cell) => cell.trim().toLowerCase() === REJECT_COLUMNS[0]);
      width = names.length - (hasRejectColumns ? REJECT_COLUMNS.length : 0);
      if (write) append(headerText, cells, REJECT_COLUMNS);
    },
    add(line, text, cells, rejections) {
      rejectedRows++;
      reasons.add(rejections);
      const reason = joinReasons(rejections);
      if (firstRejects.length < MAX_FIRST_REJECTS) firstRejects.push({ line, reason, text });
      if (write) append(text, cells, [String(line), reason]);
    },
    async flush() {
      if (pending === '') return;
      await write?.(pending);
      pending = '';
    },
    report: () => ({ rejectedRows, reasons: reasons.mostFrequentFirst(), firstRejects }),
  };
}

/** The answer to a batch lists this many rejected rows, and counts them all. */
const MAX_LISTED_ROWS = 100;
const MAX_ROW_TEXT = 200;

interface RejectedRow {
  readonly place: string;
  readonly reason: string;
  readonly given: string;
}

export interface BatchRejections {
  add(place: string, text: string | (() => string), rejections: readonly Rejection[]): void;
  readonly count: number;
  reasons(): ReasonCount[];
  readonly first: readonly RejectedRow[];
}

export function createBatchRejections(): BatchRejections {
  const reasons = createReasonCounter();
  const first: RejectedRow[] = [];
  const log = {
    count: 0,
    first,
    add(place: string, text: string | (() => string), rejections: readonly Rejection[]): void {
      log.count++;
      reasons.add(rejections);
      if (first.length >= MAX_LISTED_ROWS) return;
      const given = truncateToLine(typeof text === 'string' ? text : text());
      first.push({ place, reason: joinReasons(rejections), given });
    },
    reasons: reasons.mostFrequentFirst,
  };
  return log;
}

function truncateToLine(text: string): string {
  const line = singleLine(text.slice(0, MAX_ROW_TEXT * 2));
  return line.length > MAX_ROW_TEXT ? `${line.slice(0, MAX_ROW_TEXT - 1)}…` : line;
}

const MAX_EXCERPT_LENGTH = 400;

export const rowExcerpt = (value: unknown): string =>
  value instanceof OversizedRow
    ? Buffer.from(value.bytes.subarray(0, MAX_EXCERPT_LENGTH)).toString()
    : truncatedJson(value, MAX_EXCERPT_LENGTH).slice(0, MAX_EXCERPT_LENGTH);

export type ParsedRow<T> = { readonly row: T } | { readonly refused: string };

/**
 * A reason names the invalid field, never its value, so that reasons can be counted. Fields are parsed one by one up to the
 * first invalid one: zod describes every invalid field, at fifty times the cost.
 */
export function parseRow<S extends z.AnyZodObject>(schema: S, value: unknown): ParsedRow<z.output<S>> {
  if (value instanceof OversizedRow) return { refused: 'row too long' };
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { refused: 'not an object' };
  const shape: z.ZodRawShape = schema.shape;
  for (const name in value) if (!Object.hasOwn(shape, name)) return { refused: 'unknown field' };
  const fields: Record<string, unknown> = value as Record<string, unknown>;
  const row: Record<string, unknown> = {};
  for (const name in shape) {
    const field = shape[name]!;
    const given = Object.hasOwn(fields, name) ? fields[name] : undefined;
    const read = field.safeParse(given);
    if (!read.success)
      return { refused: given === undefined ? `no ${name}` : `${name} is not ${describeField(field)}` };
    if (read.data !== undefined) row[name] = read.data;
  }
  return { row };
}

const describeField = (field: z.ZodTypeAny): string =>
  field.description ?? (field as z.ZodOptional<z.ZodTypeAny>).unwrap?.().description ?? 'valid';
