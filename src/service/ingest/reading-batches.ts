import { setImmediate as nextTurn } from 'node:timers/promises';
import { recordReadings } from '../../store/ingest/reading-writes.ts';
import { existingInstants, readingPeriod } from '../../store/moisture/reading-lookup.ts';
import type { Store } from '../../store/store.ts';
import type { CompanyDb } from '../../store/tables.ts';

/** In readings: enough to be fast, and few enough not to delay other writes. */
const BATCH_SIZE = 10_000;

export interface ImportedSensor {
  readonly id: number;
  from: number;
  to: number;
  /** The period of the readings stored before this file, in ms; null without any, undefined until it is loaded. */
  storedSpan: { from: number; to: number } | null | undefined;
}

export const newImportedSensor = (id: number): ImportedSensor => ({
  id,
  from: Number.POSITIVE_INFINITY,
  to: Number.NEGATIVE_INFINITY,
  storedSpan: undefined,
});

type RepeatLikelihood = 'certain' | 'possible';

/**
 * A batch is written while the next is collected, one transaction each. `repeatCount` is exact for files sorted by time,
 * either way. In other files, a repeat is missed if its first row is in an earlier batch and its instant lies within the
 * period that had readings before the import.
 */
interface ReadingBatchWriter {
  add(sensor: ImportedSensor, at: number, value: number): void;
  readonly isFull: boolean;
  readonly writtenCount: number;
  readonly repeatCount: number;
  readonly sensorCount: number;
  readonly from: number | null;
  readonly to: number | null;
  readonly isWriting: boolean;
  /** Starts to write the collected readings once the previous batch is written. Throws if that batch failed. */
  write(): Promise<void>;
  /** Resolves once the last batch is written. Throws if that batch failed. */
  settle(): Promise<void>;
}

class PendingBatch {
  sensorIds = new Float64Array(BATCH_SIZE);
  instants = new Float64Array(BATCH_SIZE);
  values = new Float64Array(BATCH_SIZE);
  importedSensors: ImportedSensor[] = [];
  possibleRepeats: { row: number; likelihood: RepeatLikelihood }[] = [];
  length = 0;

  add(sensor: ImportedSensor, at: number, value: number): void {
    const row = this.length;
    if (row === this.sensorIds.length) this.#grow();
    this.sensorIds[row] = sensor.id;
    this.instants[row] = at;
    this.values[row] = value;
    this.importedSensors[row] = sensor;
    if (at === sensor.to || at === sensor.from) this.possibleRepeats.push({ row, likelihood: 'certain' });
    else if (at < sensor.to && at > sensor.from) this.possibleRepeats.push({ row, likelihood: 'possible' });
    if (at > sensor.to) sensor.to = at;
    if (at < sensor.from) sensor.from = at;
    this.length++;
  }

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

async function countRepeats(
  db: CompanyDb,
  { importedSensors, instants, possibleRepeats, length }: PendingBatch,
): Promise<number> {
  const likelihoods = new Map(possibleRepeats.map(({ row, likelihood }) => [row, likelihood]));
  const instantsInBatch = new Map(possibleRepeats.map(({ row }) => [importedSensors[row]!, new Set<number>()]));
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
    repeats += storedInstants.filter((at) => !storedSpan || at < storedSpan.from || at > storedSpan.to).length;
  }
  return repeats;
}

export function createReadingBatchWriter(
  store: Store,
  companyId: number,
  onWritten: () => void = () => {},
): ReadingBatchWriter {
  let collecting = new PendingBatch();
  let spare = new PendingBatch();
  let writing: Promise<void> = Promise.resolve();
  const writtenSensors = new Set<ImportedSensor>();

  const writeBatch = async (batch: PendingBatch): Promise<void> => {
    const { sensorIds, instants, values, length } = batch;
    const sensors = new Set(batch.importedSensors);
    const repeats = await store.write(companyId, async (db) => {
      for (const sensor of sensors)
        if (sensor.storedSpan === undefined) sensor.storedSpan = await readingPeriod(db, sensor.id);
      const repeatCount = batch.possibleRepeats.length === 0 ? 0 : await countRepeats(db, batch);
      await recordReadings(db, { sensorIds, at: instants, values, length });
      return repeatCount;
    });
    batches.repeatCount += repeats;
    batches.writtenCount += length;
    for (const sensor of sensors) writtenSensors.add(sensor);
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
      return collecting.length >= BATCH_SIZE;
    },
    add(sensor: ImportedSensor, at: number, value: number): void {
      collecting.add(sensor, at, value);
    },
    async write(): Promise<void> {
      await writing;
      if (collecting.length === 0) return;
      const batch = collecting;
      collecting = spare;
      spare = batch;
      batches.isWriting = true;
      writing = writeBatch(batch).finally(() => {
        batch.clear();
        batches.isWriting = false;
      });
      // The next write or settle throws it.
      writing.catch(() => undefined);
      // SQLite writes within this turn of the event loop, so its lock is not held while rows are read.
      await nextTurn();
    },
    settle: (): Promise<void> => writing,
  };
  return batches;
}
