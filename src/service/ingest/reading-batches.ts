import { setImmediate as nextTurn } from 'node:timers/promises';
import { recordReadings } from '../../store/ingest/reading-writes.ts';
import { existingInstants, readingPeriod } from '../../store/moisture/reading-lookup.ts';
import type { Store } from '../../store/store.ts';
import type { CompanyDb } from '../../store/tables.ts';

/** Readings of one transaction: large enough to be quick, small enough to leave room to others. */
export const BATCH_SIZE = 10_000;

/** A sensor as the running import knows it. */
export interface ImportedSensor {
  readonly id: number;
  /** Earliest and latest instant (ms) that the file gave it. */
  from: number;
  to: number;
  /** What the store had before this file: the span of it, null for nothing, undefined while it was not asked. */
  storedSpan: { from: number; to: number } | null | undefined;
}

export const newImportedSensor = (id: number): ImportedSensor => ({
  id,
  from: Number.POSITIVE_INFINITY,
  to: Number.NEGATIVE_INFINITY,
  storedSpan: undefined,
});

/** Whether the file gave that sensor a reading at that instant before. */
type RepeatLikelihood = 'no' | 'perhaps' | 'yes';

/**
 * Gathers readings and writes them, a transaction a batch: one is written while the next is gathered. `repeats` counts
 * readings whose sensor and instant the file had given before: exactly in a file in time order, either direction. In another
 * one a repeat that lies many rows behind its first is only told from a reading of an earlier import where the store had
 * none of that time.
 */
export interface ReadingBatchWriter {
  add(tally: ImportedSensor, at: number, value: number): void;
  readonly isFull: boolean;
  /** Readings written so far, repeats included. */
  readonly writtenCount: number;
  readonly repeatCount: number;
  /** Of what is written: how many sensors, first and last instant in ms. */
  readonly sensorCount: number;
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
class PendingBatch {
  sensorIds = new Float64Array(BATCH_SIZE);
  instants = new Float64Array(BATCH_SIZE);
  values = new Float64Array(BATCH_SIZE);
  importedSensors: ImportedSensor[] = [];
  possibleRepeats: { row: number; seen: RepeatLikelihood }[] = [];
  length = 0;

  add(sensor: ImportedSensor, at: number, value: number): void {
    const row = this.length;
    if (row === this.sensorIds.length) this.#grow();
    this.sensorIds[row] = sensor.id;
    this.instants[row] = at;
    this.values[row] = value;
    this.importedSensors[row] = sensor;
    if (at === sensor.to || at === sensor.from) this.possibleRepeats.push({ row, seen: 'yes' });
    else if (at < sensor.to && at > sensor.from) this.possibleRepeats.push({ row, seen: 'perhaps' });
    if (at > sensor.to) sensor.to = at;
    if (at < sensor.from) sensor.from = at;
    this.length++;
  }

  /** Its arrays serve for the batch after the next. */
  clear(): void {
    this.importedSensors = [];
    this.possibleRepeats = [];
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
async function countRepeats(
  db: CompanyDb,
  { importedSensors, instants, possibleRepeats, length }: PendingBatch,
): Promise<number> {
  const doubted = new Map(possibleRepeats.map(({ row, seen }) => [row, seen]));
  const inBatch = new Map(possibleRepeats.map(({ row }) => [importedSensors[row]!, new Set<number>()]));
  const uncertain = new Map<ImportedSensor, number[]>();
  let repeats = 0;
  for (let row = 0; row < length; row++) {
    const sensor = importedSensors[row]!;
    const earlier = inBatch.get(sensor);
    if (earlier === undefined) continue;
    const at = instants[row]!;
    const seen = doubted.get(row) ?? 'no';
    if (seen === 'yes' || earlier.has(at)) repeats++;
    else if (seen === 'perhaps') uncertain.set(sensor, [...(uncertain.get(sensor) ?? []), at]);
    earlier.add(at);
  }
  for (const [sensor, ats] of uncertain) {
    const { storedSpan } = sensor;
    const stored = await existingInstants(db, sensor.id, ats);
    repeats += stored.filter((at) => !storedSpan || at < storedSpan.from || at > storedSpan.to).length;
  }
  return repeats;
}

export function createReadingBatchWriter(
  store: Store,
  companyId: number,
  onWritten: () => void = () => {},
): ReadingBatchWriter {
  let gathered = new PendingBatch();
  let next = new PendingBatch();
  let writing: Promise<void> = Promise.resolve();
  const writtenSensors = new Set<ImportedSensor>();

  const writeBatch = async (batch: PendingBatch): Promise<void> => {
    const { sensorIds, instants, values, length } = batch;
    const tallies = new Set(batch.importedSensors);
    const repeats = await store.write(companyId, async (db) => {
      for (const sensor of tallies)
        if (sensor.storedSpan === undefined) sensor.storedSpan = await readingPeriod(db, sensor.id);
      const found = batch.possibleRepeats.length === 0 ? 0 : await countRepeats(db, batch);
      await recordReadings(db, { sensorIds, at: instants, values, length });
      return found;
    });
    batches.repeatCount += repeats;
    batches.writtenCount += length;
    for (const sensor of tallies) writtenSensors.add(sensor);
    for (let row = 0; row < length; row++) {
      const at = instants[row]!;
      if (batches.from === null || at < batches.from) batches.from = at;
      if (batches.to === null || at > batches.to) batches.to = at;
    }
    onWritten();
  };

  const batches = {
    writtenCount: 0,
    repeatCount: 0,
    from: null as number | null,
    to: null as number | null,
    isWriting: false,
    get sensorCount() {
      return writtenSensors.size;
    },
    get isFull() {
      return gathered.length >= BATCH_SIZE;
    },
    add(tally: ImportedSensor, at: number, value: number): void {
      gathered.add(tally, at, value);
    },
    async write(): Promise<void> {
      await writing;
      if (gathered.length === 0) return;
      const batch = gathered;
      gathered = next;
      next = batch;
      batches.isWriting = true;
      writing = writeBatch(batch).finally(() => {
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
