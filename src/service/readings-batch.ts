import { instantsTaken, spanOf } from '../store/reading-spans.ts';
import { recordReadings } from '../store/readings.ts';
import type { Store } from '../store/store.ts';

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
 * Gathers readings and writes them, a transaction a batch. `repeats` counts readings whose sensor and instant the file
 * had given before: exactly in a file in time order, either direction. In another one a repeat that lies many rows
 * behind its first is only told from a reading of an earlier import where the store had none of that time.
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
  /** Writes what is gathered. What was written before stays, whatever happens here. */
  write(): Promise<void>;
}

export function readingBatches(store: Store, companyId: number): ReadingBatches {
  let sensorIds = new Float64Array(READINGS_A_BATCH);
  let instants = new Float64Array(READINGS_A_BATCH);
  let values = new Float64Array(READINGS_A_BATCH);
  let tallies: SensorTally[] = [];
  let doubts: { row: number; seen: Seen }[] = [];
  let length = 0;

  const grow = (): void => {
    const larger = (array: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> => {
      const grown = new Float64Array(array.length * 2);
      grown.set(array);
      return grown;
    };
    sensorIds = larger(sensorIds);
    instants = larger(instants);
    values = larger(values);
  };

  /** Rows that repeat one of the same batch, or one that is in the store already. */
  const countRepeats = async (db: Parameters<typeof spanOf>[0]): Promise<number> => {
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
  };

  const filled = new Set<SensorTally>();
  const batches = {
    written: 0,
    repeats: 0,
    from: null as number | null,
    to: null as number | null,
    get sensors() {
      return filled.size;
    },
    get isFull() {
      return length >= READINGS_A_BATCH;
    },
    add(tally: SensorTally, at: number, value: number): void {
      if (length === sensorIds.length) grow();
      sensorIds[length] = tally.id;
      instants[length] = at;
      values[length] = value;
      tallies[length] = tally;
      if (at === tally.to || at === tally.from) doubts.push({ row: length, seen: 'yes' });
      else if (at < tally.to && at > tally.from) doubts.push({ row: length, seen: 'perhaps' });
      if (at > tally.to) tally.to = at;
      if (at < tally.from) tally.from = at;
      length++;
    },
    async write(): Promise<void> {
      if (length === 0) return;
      const repeats = await store.write(companyId, async (db) => {
        for (const tally of new Set(tallies)) if (tally.before === undefined) tally.before = await spanOf(db, tally.id);
        const found = doubts.length === 0 ? 0 : await countRepeats(db);
        await recordReadings(db, { sensorIds, at: instants, values, length });
        return found;
      });
      batches.repeats += repeats;
      batches.written += length;
      for (const tally of new Set(tallies)) {
        filled.add(tally);
        batches.from = Math.min(batches.from ?? tally.from, tally.from);
        batches.to = Math.max(batches.to ?? tally.to, tally.to);
      }
      tallies = [];
      doubts = [];
      length = 0;
    },
  };
  return batches;
}
