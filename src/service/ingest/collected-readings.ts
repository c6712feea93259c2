import { chunksOf } from '../../domain/groups.ts';
import { entryOf, itemAt } from '../../domain/items.ts';
import { existingInstants } from '../../store/moisture/reading-lookup.ts';
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
  /** The instants of its first and last reading in this import, so far. */
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

/** A reading whose sensor and instant may be those of an earlier row. */
interface RepeatCandidate {
  readonly row: number;
  readonly likelihood: RepeatLikelihood;
}

export interface ReadingsOfTransaction {
  readonly sensorIds: Float64Array;
  readonly instants: Float64Array;
  readonly values: Float64Array;
  readonly importedSensors: readonly ImportedSensor[];
  readonly repeatCandidates: readonly RepeatCandidate[];
  readonly length: number;
}

export class CollectedReadings {
  sensorIds = new Float64Array(BATCH_SIZE);
  instants = new Float64Array(BATCH_SIZE);
  values = new Float64Array(BATCH_SIZE);
  importedSensors: ImportedSensor[] = [];
  readonly #sensors = new Set<ImportedSensor>();
  repeatCandidates: RepeatCandidate[] = [];
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
      this.repeatCandidates.push({ row, likelihood: 'certain' });
    else if (at < sensor.to && at > sensor.from)
      this.repeatCandidates.push({ row, likelihood: 'possible' });

    if (at > sensor.to) sensor.to = at;
    if (at < sensor.from) sensor.from = at;
    this.length++;
  }

  get isFull(): boolean {
    const wanted = this.#sensors.size * COLLECTED_PER_SENSOR;
    return this.length >= Math.min(MAX_COLLECTED, Math.max(BATCH_SIZE, wanted));
  }

  /** Batches of at most BATCH_SIZE readings, ordered by sensor and then by row. */
  *batches(): Generator<ReadingsOfTransaction> {
    if (this.length <= BATCH_SIZE) {
      yield this;
      return;
    }
    const rows = this.#rowsBySensor();
    const likelihoods = new Map(
      this.repeatCandidates.map(({ row, likelihood }) => [row, likelihood]),
    );
    for (const part of chunksOf(rows, BATCH_SIZE)) yield this.#batchOf(part, likelihoods);
  }

  clear(): void {
    this.importedSensors = [];
    this.#sensors.clear();
    this.repeatCandidates = [];
    this.length = 0;
  }

  #rowsBySensor(): number[] {
    const bySensor = new Map<ImportedSensor, number[]>(
      [...this.#sensors].map((sensor) => [sensor, []]),
    );
    for (let row = 0; row < this.length; row++)
      entryOf(bySensor, itemAt(this.importedSensors, row)).push(row);
    return [...bySensor.values()].flat();
  }

  #batchOf(
    rows: readonly number[],
    likelihoods: ReadonlyMap<number, RepeatLikelihood>,
  ): ReadingsOfTransaction {
    const repeatCandidates: RepeatCandidate[] = [];
    for (const [position, row] of rows.entries()) {
      const likelihood = likelihoods.get(row);
      if (likelihood !== undefined) repeatCandidates.push({ row: position, likelihood });
    }

    return {
      sensorIds: Float64Array.from(rows, (row) => itemAt(this.sensorIds, row)),
      instants: Float64Array.from(rows, (row) => itemAt(this.instants, row)),
      values: Float64Array.from(rows, (row) => itemAt(this.values, row)),
      importedSensors: rows.map((row) => itemAt(this.importedSensors, row)),
      repeatCandidates,
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

export async function countRepeats(
  db: CompanyDb,
  { importedSensors, instants, repeatCandidates, length }: ReadingsOfTransaction,
): Promise<number> {
  const likelihoods = new Map(repeatCandidates.map(({ row, likelihood }) => [row, likelihood]));
  const instantsInBatch = new Map(
    repeatCandidates.map(({ row }) => [itemAt(importedSensors, row), new Set<number>()]),
  );
  const uncertainInstants = new Map<ImportedSensor, number[]>();
  let repeats = 0;

  for (let row = 0; row < length; row++) {
    const sensor = itemAt(importedSensors, row);
    const earlierInstants = instantsInBatch.get(sensor);
    const hasCandidates = earlierInstants !== undefined;
    if (!hasCandidates) continue;

    const at = itemAt(instants, row);
    const likelihood = likelihoods.get(row);
    if (likelihood === 'certain' || earlierInstants.has(at)) repeats++;
    else if (likelihood === 'possible') {
      const instantsToCheck = uncertainInstants.get(sensor);
      if (instantsToCheck === undefined) uncertainInstants.set(sensor, [at]);
      else instantsToCheck.push(at);
    }

    earlierInstants.add(at);
  }

  // Outside the period of the readings stored before, only this import can have stored them.
  for (const [sensor, instantsToCheck] of uncertainInstants) {
    const { storedSpan } = sensor;
    const storedInstants = await existingInstants(db, sensor.id, instantsToCheck);
    repeats += storedInstants.filter(
      (at) => !storedSpan || at < storedSpan.from || at > storedSpan.to,
    ).length;
  }

  return repeats;
}
