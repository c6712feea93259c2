import { type AmbiguousRow, resolveRepeatedHour } from '../../domain/ingest/repeated-hour.ts';
import { DAY_MS } from '../../domain/periods.ts';

/** One row a second through both passes of a repeated hour. */
const MAX_DEFERRED_ROWS = 7200;

interface DeferredRow extends AmbiguousRow {
  readonly store: ((at: number) => void) | null;
}

/** All rows of a wide file; in a long one, those of one sensor. */
export interface RowSequence {
  lastAt: number | null;
  deferred: DeferredRow[];
}

export const newRowSequence = (): RowSequence => ({ lastAt: null, deferred: [] });

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

/** `afterAt` is the instant of the row that follows, null at the end of the file. */
export function flushDeferred(sequence: RowSequence, afterAt: number | null): void {
  const { deferred } = sequence;
  if (deferred.length === 0) return;
  const instants = resolveRepeatedHour(deferred, sequence.lastAt, afterAt);
  sequence.lastAt = instants.at(-1)!;
  sequence.deferred = [];
  for (const [place, row] of deferred.entries()) row.store?.(instants[place]!);
}
