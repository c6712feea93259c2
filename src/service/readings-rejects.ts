import { csvCells, quoteCsvCell } from './csv-lines.ts';
import { REJECT_COLUMNS } from './readings-columns.ts';
import type { Rejection } from './readings-rows.ts';

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
