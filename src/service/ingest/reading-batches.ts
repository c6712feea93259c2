import { setImmediate as nextTurn } from 'node:timers/promises';
import { chunksOf } from '../../domain/groups.ts';
import { recordReadings } from '../../store/ingest/reading-writes.ts';
import { existingInstants, readingPeriod } from '../../store/moisture/reading-lookup.ts';
import type { Store } from '../../store/store.ts';
import type { CompanyDb } from '../../store/tables.ts';

/** Readings of one transaction: enough to be fast, and few enough not to delay other writes. */
const BATCH_SIZE = 10_000;

/**
 * Readings of a sensor that are collected before they are written, as far as the memory allows. In
 * a file in order of time a batch has few readings of each sensor, and writing them changes a page
 * for each sensor and table.
 */
const COLLECTED_PER_SENSOR = 500;
/** Two collections of this size take some 10 MB. */
const MAX_COLLECTED = 16 * BATCH_SIZE;

export interface ImportedSensor {
  readonly id: number;
  from: number;
  to: number;
  /**
   * The period of the readings stored before this file, in ms; null without any, undefined until it
   * is loaded.
   */
  storedSpan: { from: number; to: number } | null | undefined;
}

export const newImportedSensor = (id: number): ImportedSensor => ({
  id,
  from: Number.POSITIVE_INFINITY,
  to: Number.NEGATIVE_INFINITY,
  storedSpan: undefined,
});

type RepeatLikelihood = 'certain' | 'possible';

interface PossibleRepeat {
  readonly row: number;
  readonly likelihood: RepeatLikelihood;
}

interface ReadingsOfTransaction {
  readonly sensorIds: Float64Array;
  readonly instants: Float64Array;
  readonly values: Float64Array;
  readonly importedSensors: readonly ImportedSensor[];
  readonly possibleRepeats: readonly PossibleRepeat[];
  readonly length: number;
}

class CollectedReadings {
  sensorIds = new Float64Array(BATCH_SIZE);
  instants = new Float64Array(BATCH_SIZE);
  values = new Float64Array(BATCH_SIZE);
  importedSensors: ImportedSensor[] = [];
  readonly #sensors = new Set<ImportedSensor>();
  possibleRepeats: PossibleRepeat[] = [];
  length = 0;

  add(sensor: ImportedSensor, at: number, value: number): void {
    const row = this.length;
    if (row === this.sensorIds.length) this.#grow();
    this.sensorIds[row] = sensor.id;
    this.instants[row] = at;
    this.values[row] = value;
    this.importedSensors[row] = sensor;
    this.#sensors.add(sensor);

    if (at === sensor.to || at === sensor.from)
      this.possibleRepeats.push({ row, likelihood: 'certain' });
    else if (at < sensor.to && at > sensor.from)
      this.possibleRepeats.push({ row, likelihood: 'possible' });

    if (at > sensor.to) sensor.to = at;
    if (at < sensor.from) sensor.from = at;
    this.length++;
  }

  get isFull(): boolean {
    const wanted = this.#sensors.size * COLLECTED_PER_SENSOR;
    return this.length >= Math.min(MAX_COLLECTED, Math.max(BATCH_SIZE, wanted));
  }

  /** At most BATCH_SIZE readings each, of few sensors. Those of a sensor keep their order. */
  *batches(): Generator<ReadingsOfTransaction> {
    if (this.length <= BATCH_SIZE) {
      yield this;
      return;
    }
    const rows = this.#rowsBySensor();
    const likelihoods = new Map(
      this.possibleRepeats.map(({ row, likelihood }) => [row, likelihood]),
    );
    for (const part of chunksOf(rows, BATCH_SIZE)) yield this.#batchOf(part, likelihoods);
  }

  clear(): void {
    this.importedSensors = [];
    this.#sensors.clear();
    this.possibleRepeats = [];
    this.length = 0;
  }

  #rowsBySensor(): number[] {
    const bySensor = new Map<ImportedSensor, number[]>(
      [...this.#sensors].map((sensor) => [sensor, []]),
    );
    for (let row = 0; row < this.length; row++) bySensor.get(this.importedSensors[row]!)!.push(row);
    return [...bySensor.values()].flat();
  }

  #batchOf(
    rows: readonly number[],
    likelihoods: ReadonlyMap<number, RepeatLikelihood>,
  ): ReadingsOfTransaction {
    const possibleRepeats: PossibleRepeat[] = [];
    for (const [position, row] of rows.entries()) {
      const likelihood = likelihoods.get(row);
      if (likelihood !== undefined) possibleRepeats.push({ row: position, likelihood });
    }

    return {
      sensorIds: Float64Array.from(rows, (row) => this.sensorIds[row]!),
      instants: Float64Array.from(rows, (row) => this.instants[row]!),
      values: Float64Array.from(rows, (row) => this.values[row]!),
      importedSensors: rows.map((row) => this.importedSensors[row]!),
      possibleRepeats,
      length: rows.length,
    };
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

async function countRepeats(
  db: CompanyDb,
  { importedSensors, instants, possibleRepeats, length }: ReadingsOfTransaction,
): Promise<number> {
  const likelihoods = new Map(possibleRepeats.map(({ row, likelihood }) => [row, likelihood]));
  const instantsInBatch = new Map(
    possibleRepeats.map(({ row }) => [importedSensors[row]!, new Set<number>()]),
  );
  const uncertain = new Map<ImportedSensor, number[]>();
  let repeats = 0;
  for (let row = 0; row < length; row++) {
    const sensor = importedSensors[row]!;
    const earlier = instantsInBatch.get(sensor);
    if (earlier === undefined) continue;

    const at = instants[row]!;
    const likelihood = likelihoods.get(row);
    if (likelihood === 'certain' || earlier.has(at)) repeats++;
    else if (likelihood === 'possible') {
      const instantsToCheck = uncertain.get(sensor);
      if (instantsToCheck === undefined) uncertain.set(sensor, [at]);
      else instantsToCheck.push(at);
    }

    earlier.add(at);
  }

  for (const [sensor, instantsToCheck] of uncertain) {
    const { storedSpan } = sensor;
    const storedInstants = await existingInstants(db, sensor.id, instantsToCheck);
    repeats += storedInstants.filter(
      (at) => !storedSpan || at < storedSpan.from || at > storedSpan.to,
    ).length;
  }

  return repeats;
}

/**
 * Readings are written in order of sensors while the next are collected. `repeatCount` is exact for
 * files sorted by time, either way. In other files, a repeat is missed if its first row is in an
 * earlier transaction and its instant lies within the period that had readings before the import.
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
    // The next write or settle throws it.
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
      const repeatCount = batch.possibleRepeats.length === 0 ? 0 : await countRepeats(db, batch);
      await recordReadings(db, { sensorIds, at: instants, values, length });
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
