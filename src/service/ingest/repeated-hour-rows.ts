import { type AmbiguousRow, resolveRepeatedHour } from '../../domain/ingest/repeated-hour.ts';
import { DAY_MS } from '../../domain/periods.ts';

/** One row a second through both passes of a repeated hour. */
const MAX_DEFERRED_ROWS = 7200;

/** A row of a repeated hour that waits until the passes can be told apart; `store` is null for a row without a reading. */
interface DeferredRow extends AmbiguousRow {
  readonly store: ((at: number) => void) | null;
}

/** Rows whose order tells the passes of a repeated hour apart: all of a wide file, those of one sensor in a long one. */
export interface RowSequence {
  lastAt: number | null;
  deferred: DeferredRow[];
}

export const newRowSequence = (): RowSequence => ({ lastAt: null, deferred: [] });

/** Notes a row outside a repeated hour, which resolves the rows deferred before it. */
export function recordInstant(sequence: RowSequence, at: number): void {
  if (sequence.deferred.length > 0) flushDeferred(sequence, at);
  sequence.lastAt = at;
}

export function deferRow(sequence: RowSequence, row: DeferredRow): void {
  const { deferred } = sequence;
  const isOtherHour = deferred.length > 0 && Math.abs(row.earlierAt - deferred[0]!.earlierAt) > DAY_MS;
  if (isOtherHour || deferred.length >= MAX_DEFERRED_ROWS) flushDeferred(sequence, row.earlierAt);
  sequence.deferred.push(row);
}

/** Stores the deferred rows; `afterAt` is the instant of the row that follows them, null at the end of the file. */
export function flushDeferred(sequence: RowSequence, afterAt: number | null): void {
  const { deferred } = sequence;
  if (deferred.length === 0) return;
  const instants = resolveRepeatedHour(deferred, sequence.lastAt, afterAt);
  sequence.lastAt = instants.at(-1)!;
  sequence.deferred = [];
  for (const [place, row] of deferred.entries()) row.store?.(instants[place]!);
}
