import { setImmediate as nextTurn } from 'node:timers/promises';
import { instantsTaken, spanOf } from '../store/reading-spans.ts';
import { recordReadings } from '../store/readings.ts';
import type { Store } from '../store/store.ts';
import type { CompanyDb } from '../store/tables.ts';

/** Readings of one transaction: large enough to be quick, small enough to leave room to others. */
export const READINGS_A_BATCH = 10_000;

/** A sensor as the running import knows it. */
export interface SensorTally {
  readonly id: number;
  /** Earliest and latest instant (ms) that the file gave it. */
  from: number;
  to: number;
  /** What the store had before this file: the span of it, null for nothing, undefined while it was not asked. */
  before: { from: number; to: number } | null | undefined;
}

export const newTally = (id: number): SensorTally => ({
  id,
  from: Number.POSITIVE_INFINITY,
  to: Number.NEGATIVE_INFINITY,
  before: undefined,
});

/** Whether the file gave that sensor a reading at that instant before. */
type Seen = 'no' | 'perhaps' | 'yes';

/**
 * Gathers readings and writes them, a transaction a batch: one is written while the next is gathered. `repeats` counts
 * readings whose sensor and instant the file had given before: exactly in a file in time order, either direction. In another
 * one a repeat that lies many rows behind its first is only told from a reading of an earlier import where the store had
 * none of that time.
 */
export interface ReadingBatches {
  add(tally: SensorTally, at: number, value: number): void;
  readonly isFull: boolean;
  /** Readings written so far, repeats included. */
  readonly written: number;
  readonly repeats: number;
  /** Of what is written: how many sensors, first and last instant in ms. */
  readonly sensors: number;
  readonly from: number | null;
  readonly to: number | null;
  /** Whether a batch is still being written; it goes on where the event loop gets its turn. */
  readonly isWriting: boolean;
  /**
   * Begins to write what is gathered, once the batch before is written. What was written before stays, whatever happens
   * here. Throws what the batch before failed with, as everything that follows does.
   */
  write(): Promise<void>;
  /** Waits for the batch that is being written, and throws what it failed with. */
  settle(): Promise<void>;
}

/** Readings side by side, and what is to be asked about them when they are written. */
class Gathered {
  sensorIds = new Float64Array(READINGS_A_BATCH);
  instants = new Float64Array(READINGS_A_BATCH);
  values = new Float64Array(READINGS_A_BATCH);
  tallies: SensorTally[] = [];
  doubts: { row: number; seen: Seen }[] = [];
  length = 0;

  add(tally: SensorTally, at: number, value: number): void {
    const row = this.length;
    if (row === this.sensorIds.length) this.#grow();
    this.sensorIds[row] = tally.id;
    this.instants[row] = at;
    this.values[row] = value;
    this.tallies[row] = tally;
    if (at === tally.to || at === tally.from) this.doubts.push({ row, seen: 'yes' });
    else if (at < tally.to && at > tally.from) this.doubts.push({ row, seen: 'perhaps' });
    if (at > tally.to) tally.to = at;
    if (at < tally.from) tally.from = at;
    this.length++;
  }

  /** Its arrays serve for the batch after the next. */
  clear(): void {
    this.tallies = [];
    this.doubts = [];
    this.length = 0;
  }

  #grow(): void {
    const larger = (array: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> => {
      const grown = new Float64Array(array.length * 2);
      grown.set(array);
      return grown;
    };
    this.sensorIds = larger(this.sensorIds);
    this.instants = larger(this.instants);
    this.values = larger(this.values);
  }
}

/** Rows that repeat one of the same batch, or one that is in the store already. */
async function countRepeats(db: CompanyDb, { tallies, instants, doubts, length }: Gathered): Promise<number> {
  const doubted = new Map(doubts.map(({ row, seen }) => [row, seen]));
  const inBatch = new Map(doubts.map(({ row }) => [tallies[row]!, new Set<number>()]));
  const asked = new Map<SensorTally, number[]>();
  let repeats = 0;
  for (let row = 0; row < length; row++) {
    const tally = tallies[row]!;
    const earlier = inBatch.get(tally);
    if (earlier === undefined) continue;
    const at = instants[row]!;
    const seen = doubted.get(row) ?? 'no';
    if (seen === 'yes' || earlier.has(at)) repeats++;
    else if (seen === 'perhaps') asked.set(tally, [...(asked.get(tally) ?? []), at]);
    earlier.add(at);
  }
  for (const [tally, ats] of asked) {
    const { before } = tally;
    const taken = await instantsTaken(db, tally.id, ats);
    repeats += taken.filter((at) => !before || at < before.from || at > before.to).length;
  }
  return repeats;
}

export function readingBatches(store: Store, companyId: number, onWritten: () => void = () => {}): ReadingBatches {
  let gathered = new Gathered();
  let next = new Gathered();
  let writing: Promise<void> = Promise.resolve();
  const filled = new Set<SensorTally>();

  const keep = async (batch: Gathered): Promise<void> => {
    const { sensorIds, instants, values, length } = batch;
    const tallies = new Set(batch.tallies);
    const repeats = await store.write(companyId, async (db) => {
      for (const tally of tallies) if (tally.before === undefined) tally.before = await spanOf(db, tally.id);
      const found = batch.doubts.length === 0 ? 0 : await countRepeats(db, batch);
      await recordReadings(db, { sensorIds, at: instants, values, length });
      return found;
    });
    batches.repeats += repeats;
    batches.written += length;
    for (const tally of tallies) filled.add(tally);
    for (let row = 0; row < length; row++) {
      const at = instants[row]!;
      if (batches.from === null || at < batches.from) batches.from = at;
      if (batches.to === null || at > batches.to) batches.to = at;
    }
    onWritten();
  };

  const batches = {
    written: 0,
    repeats: 0,
    from: null as number | null,
    to: null as number | null,
    isWriting: false,
    get sensors() {
      return filled.size;
    },
    get isFull() {
      return gathered.length >= READINGS_A_BATCH;
    },
    add(tally: SensorTally, at: number, value: number): void {
      gathered.add(tally, at, value);
    },
    async write(): Promise<void> {
      await writing;
      if (gathered.length === 0) return;
      const batch = gathered;
      gathered = next;
      next = batch;
      batches.isWriting = true;
      writing = keep(batch).finally(() => {
        batch.clear();
        batches.isWriting = false;
      });
      // Whoever waits for it hears of it.
      writing.catch(() => undefined);
      // A file is written to without leaving this turn of the event loop: the lock on it is never held while rows are read.
      await nextTurn();
    },
    settle: (): Promise<void> => writing,
  };
  return batches;
}
