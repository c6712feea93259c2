import type { Rejection } from '../../../language/ingest/import-report.ts';
import type { RejectionReason } from '../../../schema/ingest/rejection.ts';

export interface FileRow {
  readonly text: string;
  readonly line: number;
  /** Null if the text is not a row. */
  readonly cells: readonly string[] | null;
}

/** The columns of a row whose values are read, or why none is. */
export interface RowTarget<Column> {
  readonly columns: readonly Column[];
  readonly rejection: Rejection | null;
}

/** How the rows of a file are read: one reading in each, a column for each sensor, or days. */
export interface RowForm<Column, Target extends RowTarget<Column>> {
  /** True if a rejected row names all that is wrong with it, not the first alone. */
  readonly namesAllFaults: boolean;
  /** Why a text does not have the form of the file; null if it has. */
  misfitReason(cells: readonly string[] | null, text: string): RejectionReason | null;
  targetOf(cells: readonly string[]): Target;
  /** In ms; NaN for a time that is rejected. */
  parseTime(cells: readonly string[], line: number): number;
  /** Why the last time was rejected. */
  readonly timeReason: RejectionReason;
  /** NaN for a value that is missing, or that is added to the rejections. */
  readValue(column: Column, cells: readonly string[], rejections: Rejection[]): number;
}

export interface ReadRow<Target> {
  /** Null if nothing of the row is read. */
  readonly target: Target | null;
  /** NaN if the time is rejected. */
  readonly at: number;
  /** In the order of the columns of the target. */
  readonly values: readonly number[];
  readonly rejections: readonly Rejection[];
}

export function readRow<Column, Target extends RowTarget<Column>>(
  form: RowForm<Column, Target>,
  { text, line, cells }: FileRow,
): ReadRow<Target> {
  const misfit = form.misfitReason(cells, text);
  if (misfit !== null || cells === null)
    return rejectedRow([{ reason: misfit ?? 'unclosed_quote' }]);

  const target = form.targetOf(cells);
  const rejections: Rejection[] = target.rejection === null ? [] : [target.rejection];
  if (rejections.length > 0 && !form.namesAllFaults) return rejectedRow(rejections);

  const at = form.parseTime(cells, line);
  if (Number.isNaN(at)) rejections.push({ reason: form.timeReason });
  if (rejections.length > 0 && !form.namesAllFaults) return rejectedRow(rejections);

  const values = target.columns.map((column) => form.readValue(column, cells, rejections));
  return { target, at, values, rejections };
}

const rejectedRow = (rejections: readonly Rejection[]) => ({
  target: null,
  at: Number.NaN,
  values: [],
  rejections,
});
