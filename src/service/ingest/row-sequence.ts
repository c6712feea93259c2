import {
  type AmbiguousRow,
  clockRunsOn,
  type NeighbouringRows,
  resolveRepeatedHour,
} from '../../domain/ingest/repeated-hour.ts';
import { firstOf, itemAt, lastOf } from '../../domain/items.ts';
import { DAY_MS } from '../../domain/periods.ts';

/** Enough for one row a second through both passes of a repeated hour. */
const MAX_DEFERRED_ROWS = 7200;

/** Null for a row without a value, which still shows the order of the others. */
type StoreRow = ((at: number) => void) | null;

interface RepeatedHourRow extends AmbiguousRow {
  readonly store: StoreRow;
}

/** Called with the first row of a repeated hour that the clock of a file does not repeat. */
export type OnClockRunsOn = (row: AmbiguousRow) => void;

/**
 * The rows of a wide file, or else of one sensor, in their order. A row of a repeated hour is
 * deferred until the rows around it show its pass; every other row is stored at once.
 */
export class RowSequence {
  readonly #onClockRunsOn: OnClockRunsOn | undefined;
  #lastAt: number | null = null;
  #rowsAtLast = 0;
  #deferred: RepeatedHourRow[] = [];
  /**
   * The first rows after the deferred ones, all at one instant. If there are several, the file
   * repeats its rows.
   */
  #following: { readonly at: number; readonly stores: StoreRow[] } | null = null;

  constructor(onClockRunsOn?: OnClockRunsOn) {
    this.#onClockRunsOn = onClockRunsOn;
  }

  add(at: number, store: StoreRow): void {
    if (this.#deferred.length > 0) this.#addAfterDeferred(at, store);
    else {
      this.recordInstant(at);
      store?.(at);
    }
  }

  addRepeated(row: RepeatedHourRow): void {
    const first = this.#deferred[0];
    const isOtherHour = first !== undefined && Math.abs(row.earlierAt - first.earlierAt) > DAY_MS;

    if (this.#following !== null) this.storeDeferred();
    else if (isOtherHour || this.#deferred.length >= MAX_DEFERRED_ROWS)
      this.storeDeferred(row.earlierAt);

    this.#deferred.push(row);
  }

  /** Called from outside for a row that is not stored, or was stored before. */
  recordInstant(at: number): void {
    this.#rowsAtLast = this.#lastAt === at ? this.#rowsAtLast + 1 : 1;
    this.#lastAt = at;
  }

  /**
   * Stores the rows that are still deferred. `afterAt` is the instant of the row that follows them
   * if `add` has not been called with it, or null at the end of the file.
   */
  storeDeferred(afterAt: number | null = null): void {
    const deferred = this.#deferred;
    const following = this.#following;
    if (deferred.length === 0) return;

    const [before, after] = [this.#rowsBefore(), this.#rowsAfter(afterAt)];
    if (this.#onClockRunsOn && clockRunsOn(deferred, before, after))
      this.#onClockRunsOn(firstOf(deferred));

    const instants = resolveRepeatedHour(deferred, before, after);
    this.#deferred = [];
    this.#following = null;

    this.recordInstant(lastOf(instants));
    for (const [index, row] of deferred.entries()) row.store?.(itemAt(instants, index));

    if (following === null) return;
    for (const store of following.stores) {
      this.recordInstant(following.at);
      store?.(following.at);
    }
  }

  #addAfterDeferred(at: number, store: StoreRow): void {
    const following = this.#following;
    if (following === null) {
      this.#following = { at, stores: [store] };
      return;
    }

    const isSameInstant = following.at === at;
    if (isSameInstant) following.stores.push(store);
    this.storeDeferred();
    if (isSameInstant) return;

    this.recordInstant(at);
    store?.(at);
  }

  #rowsBefore(): NeighbouringRows | null {
    return this.#lastAt === null ? null : { at: this.#lastAt, count: this.#rowsAtLast };
  }

  #rowsAfter(afterAt: number | null): NeighbouringRows | null {
    const following = this.#following;
    if (following !== null) return { at: following.at, count: following.stores.length };
    return afterAt === null ? null : { at: afterAt, count: 1 };
  }
}
