import type { z } from 'zod/v3';
import type { Lang } from '../../domain/lang.ts';
import { singleLine, truncatedJson } from '../../domain/text.ts';
import { describeRejections, type Rejection } from '../../language/ingest/import-report.ts';
import type { RejectionReason } from '../../schema/ingest/csv-import.ts';
import { OversizedRow } from '../../schema/ingest/ingest-batch.ts';
import { REJECT_COLUMNS } from './csv/column-meanings.ts';
import type { CsvLayout } from './csv/csv-layout.ts';
import { csvCells, quoteCsvCell } from './csv/csv-lines.ts';
import type { ImportedSensor } from './reading-batches.ts';

export interface RowSink {
  add(sensor: ImportedSensor, at: number, value: number, line: number): void;
  reject(
    line: number,
    text: string,
    cells: readonly string[] | null,
    rejections: readonly Rejection[],
  ): void;
}

interface ReasonCount {
  readonly reason: RejectionReason;
  readonly count: number;
}

function createReasonCounter() {
  const counts = new Map<string, { reason: RejectionReason; count: number }>();
  return {
    add(rejections: readonly Rejection[]): void {
      for (const { reason } of rejections) {
        const key = typeof reason === 'string' ? reason : reason.text;
        const counted = counts.get(key);
        if (counted === undefined) counts.set(key, { reason, count: 1 });
        else counted.count++;
      }
    },
    mostFrequentFirst: (): ReasonCount[] => [...counts.values()].sort((a, b) => b.count - a.count),
  };
}

const MAX_FIRST_REJECTS = 10;

interface FirstReject {
  readonly line: number;
  readonly rejections: readonly Rejection[];
  readonly text: string;
}

export interface RejectionReport {
  readonly rejectedRows: number;
  readonly reasons: readonly ReasonCount[];
  readonly firstRejects: readonly FirstReject[];
}

interface CsvRejects {
  begin(layout: CsvLayout): void;
  add: RowSink['reject'];
  flush(): Promise<void>;
  report(): RejectionReport;
}

export function createCsvRejects(
  write: ((text: string) => Promise<void>) | undefined,
  lang: Lang,
): CsvRejects {
  const reasons = createReasonCounter();
  const firstRejects: FirstReject[] = [];
  let rejectedRows = 0;
  let pending = '';
  let delimiter = ',';
  let width = 0;
  /** A corrected rejects file still has the two added columns, which are not added again. */
  let hasRejectColumns = false;

  const joinCells = (cells: readonly string[]): string =>
    cells.map((cell) => quoteCsvCell(cell, delimiter)).join(delimiter);

  const append = (
    text: string,
    cells: readonly string[] | null,
    added: readonly string[],
  ): void => {
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
      if (firstRejects.length < MAX_FIRST_REJECTS) firstRejects.push({ line, rejections, text });
      if (write) append(text, cells, [String(line), describeRejections(rejections, lang)]);
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
export const MAX_LISTED_ROWS = 100;
const MAX_ROW_TEXT = 200;

interface RejectedRow {
  /** The path or line of the row: "readings[3]", "line 3". */
  readonly place: string;
  readonly reason: string;
  readonly given: string;
}

export interface BatchRejections {
  add(rowPath: string, text: string | (() => string), rejections: readonly Rejection[]): void;
  readonly count: number;
  reasons(): ReasonCount[];
  /** The reasons are in English, as the errors of the API are. */
  readonly first: readonly RejectedRow[];
}

export function createBatchRejections(): BatchRejections {
  const reasons = createReasonCounter();
  const first: RejectedRow[] = [];
  const log = {
    count: 0,
    first,
    add(rowPath: string, text: string | (() => string), rejections: readonly Rejection[]): void {
      log.count++;
      reasons.add(rejections);
      if (first.length >= MAX_LISTED_ROWS) return;
      const given = truncateToLine(typeof text === 'string' ? text : text());
      first.push({ place: rowPath, reason: describeRejections(rejections, 'en'), given });
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

type ParsedRow<T> = { readonly row: T } | { readonly refused: RejectionReason };

/**
 * A reason names the invalid field, never its value, so that reasons can be counted. Fields are
 * parsed one by one up to the first invalid one: parsing the whole row takes fifty times as long
 * for an invalid row, because zod describes each fault.
 */
export function parseRow<S extends z.AnyZodObject>(
  schema: S,
  value: unknown,
): ParsedRow<z.output<S>> {
  if (value instanceof OversizedRow) return { refused: 'row_too_long' };
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { refused: { text: 'not an object' } };

  const shape: z.ZodRawShape = schema.shape;
  for (const name in value)
    if (!Object.hasOwn(shape, name)) return { refused: { text: 'unknown field' } };
  const fields: Record<string, unknown> = value as Record<string, unknown>;
  const row: Record<string, unknown> = {};

  for (const name in shape) {
    const field = shape[name]!;
    const fieldValue = Object.hasOwn(fields, name) ? fields[name] : undefined;
    const parsed = field.safeParse(fieldValue);
    if (!parsed.success)
      return {
        refused: {
          text: fieldValue === undefined ? `no ${name}` : `${name} is not ${describeField(field)}`,
        },
      };

    if (parsed.data !== undefined) row[name] = parsed.data;
  }

  return { row };
}

const describeField = (field: z.ZodTypeAny): string =>
  field.description ?? (field as z.ZodOptional<z.ZodTypeAny>).unwrap?.().description ?? 'valid';
