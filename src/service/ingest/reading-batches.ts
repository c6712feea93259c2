import { setImmediate as nextTurn } from 'node:timers/promises';
import { readingContext, recordReadings } from '../../store/ingest/reading-writes.ts';
import { readingPeriod } from '../../store/moisture/reading-lookup.ts';
import type { Store } from '../../store/store.ts';
import {
  CollectedReadings,
  countRepeats,
  type ImportedSensor,
  type ReadingsOfTransaction,
} from './collected-readings.ts';
import { markImported } from './devices/periods/written-periods.ts';

/**
 * Readings are written sensor by sensor while the next are collected. `repeatCount` is exact for
 * files in ascending or descending order of time. In other files, a repeat is missed if its first
 * row is in an earlier transaction and its instant lies within the period that had readings before
 * the import.
 */
export class ReadingBatchWriter {
  readonly #store: Store;
  readonly #companyId: number;
  readonly #onWritten: () => void;
  readonly #signal: AbortSignal | undefined;
  #collecting = new CollectedReadings();
  /** Collects the next readings while `#collecting` is written. */
  #spare = new CollectedReadings();
  #writing: Promise<void> = Promise.resolve();
  #isWriting = false;

  readonly #writtenSensors = new Set<ImportedSensor>();
  #writtenCount = 0;
  #repeatCount = 0;
  #from: number | null = null;
  #to: number | null = null;

  constructor(
    store: Store,
    companyId: number,
    { onWritten, signal }: { onWritten: () => void; signal?: AbortSignal | undefined },
  ) {
    this.#store = store;
    this.#companyId = companyId;
    this.#onWritten = onWritten;
    this.#signal = signal;
  }

  get isFull(): boolean {
    return this.#collecting.isFull;
  }

  get isWriting(): boolean {
    return this.#isWriting;
  }

  get writtenCount(): number {
    return this.#writtenCount;
  }

  get repeatCount(): number {
    return this.#repeatCount;
  }

  get sensorCount(): number {
    return this.#writtenSensors.size;
  }

  /** The instants of the first and the last reading; null without any. */
  get period(): { readonly from: number | null; readonly to: number | null } {
    return { from: this.#from, to: this.#to };
  }

  add(sensor: ImportedSensor, at: number, value: number): void {
    this.#collecting.add(sensor, at, value);
  }

  /**
   * Starts to write the collected readings once the previous batch is written. Throws if that batch
   * failed.
   */
  async write(): Promise<void> {
    await this.#writing;
    if (this.#collecting.length === 0) return;

    const readings = this.#collecting;
    this.#collecting = this.#spare;
    this.#spare = readings;

    this.#isWriting = true;
    this.#writing = this.#writeAll(readings).finally(() => {
      readings.clear();
      this.#isWriting = false;
    });
    // A failure is thrown by the next `write` or `settle`.
    this.#writing.catch(() => undefined);
    // SQLite writes within this turn of the event loop, so its lock is not held while rows are read.
    await nextTurn();
  }

  /** Resolves once the last batch is written. Throws if that batch failed. */
  settle(): Promise<void> {
    return this.#writing;
  }

  async #writeAll(readings: CollectedReadings): Promise<void> {
    for (const batch of readings.batches()) {
      await this.#writeBatch(batch);
      if (this.#signal?.aborted) return;
    }
  }

  async #writeBatch(batch: ReadingsOfTransaction): Promise<void> {
    const { sensorIds, instants, values, length } = batch;
    const sensors = new Set(batch.importedSensors);
    const repeats = await this.#store.write(this.#companyId, async (db) => {
      for (const sensor of sensors)
        if (sensor.storedSpan === undefined) sensor.storedSpan = await readingPeriod(db, sensor.id);
      const repeatCount = batch.repeatCandidates.length === 0 ? 0 : await countRepeats(db, batch);
      const rows = { sensorIds, at: instants, values, length };
      const context = await readingContext(
        db,
        [...sensors].map(({ id }) => id),
      );
      await markImported(db, context.periods, rows);
      await recordReadings(db, rows, context);
      return repeatCount;
    });

    this.#repeatCount += repeats;
    this.#writtenCount += length;
    for (const sensor of sensors) this.#writtenSensors.add(sensor);
    this.#extendPeriod(instants, length);
    this.#onWritten();
  }

  #extendPeriod(instants: Float64Array, length: number): void {
    for (let row = 0; row < length; row++) {
      const at = instants[row]!;
      if (this.#from === null || at < this.#from) this.#from = at;
      if (this.#to === null || at > this.#to) this.#to = at;
    }
  }
}
