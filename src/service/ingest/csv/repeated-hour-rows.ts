import {
  type AmbiguousRow,
  type NeighbouringRows,
  resolveRepeatedHour,
} from '../../../domain/ingest/repeated-hour.ts';
import { DAY_MS } from '../../../domain/periods.ts';
import type { ReadingTimeParser } from '../reading-times.ts';

/** One row a second through both passes of a repeated hour. */
const MAX_DEFERRED_ROWS = 7200;

type StoreRow = ((at: number) => void) | null;

interface DeferredRow extends AmbiguousRow {
  readonly store: StoreRow;
}

/** All rows of a wide file; in a long one, those of one sensor. */
export interface RowSequence {
  lastAt: number | null;
  /** The number of rows at `lastAt`. */
  lastCount: number;
  /** Rows of a repeated hour, whose pass the rows around them show. */
  deferred: DeferredRow[];
  /**
   * The first rows after these, all at one instant. If there are several, the file repeats its
   * rows.
   */
  following: { at: number; stores: StoreRow[] } | null;
}

export const newRowSequence = (): RowSequence => ({
  lastAt: null,
  lastCount: 0,
  deferred: [],
  following: null,
});

export function recordInstant(sequence: RowSequence, at: number): void {
  sequence.lastCount = sequence.lastAt === at ? sequence.lastCount + 1 : 1;
  sequence.lastAt = at;
}

/** Stores a row at once, unless it is of a repeated hour or follows deferred rows of one. */
export function storeInOrder(
  sequence: RowSequence,
  { isRepeated, secondPassAt }: Pick<ReadingTimeParser, 'isRepeated' | 'secondPassAt'>,
  at: number,
  text: string,
  store: StoreRow,
): void {
  if (isRepeated) deferRow(sequence, { earlierAt: at, laterAt: secondPassAt, text, store });
  else if (sequence.deferred.length > 0) deferFollowing(sequence, at, store);
  else {
    recordInstant(sequence, at);
    store?.(at);
  }
}

function deferRow(sequence: RowSequence, row: DeferredRow): void {
  const { deferred, following } = sequence;
  const isOtherHour =
    deferred.length > 0 && Math.abs(row.earlierAt - deferred[0]!.earlierAt) > DAY_MS;
  if (following !== null) flushDeferred(sequence);
  else if (isOtherHour || deferred.length >= MAX_DEFERRED_ROWS)
    flushDeferred(sequence, row.earlierAt);
  sequence.deferred.push(row);
}

/** Adds a row after the repeated hour, while the rows of that hour are deferred. */
function deferFollowing(sequence: RowSequence, at: number, store: StoreRow): void {
  const { following } = sequence;
  if (following === null) sequence.following = { at, stores: [store] };
  else {
    const isSameInstant = following.at === at;
    if (isSameInstant) following.stores.push(store);
    flushDeferred(sequence);
    if (isSameInstant) return;
    recordInstant(sequence, at);
    store?.(at);
  }
}

/** `afterAt` is the instant of the row that follows, null at the end of the file. */
export function flushDeferred(sequence: RowSequence, afterAt: number | null = null): void {
  const { deferred, following, lastAt, lastCount } = sequence;
  if (deferred.length === 0) return;

  const before: NeighbouringRows | null = lastAt === null ? null : { at: lastAt, count: lastCount };
  const rowAfter = afterAt === null ? null : { at: afterAt, count: 1 };
  const after = following ? { at: following.at, count: following.stores.length } : rowAfter;
  const instants = resolveRepeatedHour(deferred, before, after);

  sequence.deferred = [];
  sequence.following = null;
  recordInstant(sequence, instants.at(-1)!);
  for (const [index, row] of deferred.entries()) row.store?.(instants[index]!);

  for (const store of following?.stores ?? []) {
    recordInstant(sequence, following!.at);
    store?.(following!.at);
  }
}
