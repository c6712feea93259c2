import { periodChanges, type WrittenPeriod } from '../../../domain/ingest/device-periods.ts';
import { entryOf, firstOf } from '../../../domain/items.ts';
import { readingContext, recordReadings } from '../../../store/ingest/reading-writes.ts';
import { readingsAtInstants } from '../../../store/moisture/reading-lookup.ts';
import type { CompanyDb } from '../../../store/tables.ts';
import { writePeriods } from '../devices/periods/written-periods.ts';
import type { BatchCounts } from './item-kind.ts';

/** Values by sensor id, then by instant. */
export type ReadingPart = ReadonlyMap<number, ReadonlyMap<number, number>>;

interface ReadingPeriod {
  readonly count: number;
  readonly from: number;
  readonly to: number;
}

type GrowingPeriod = { -readonly [Name in keyof WrittenPeriod]: WrittenPeriod[Name] };

/** The last reading of a batch for each sensor and instant. */
export class ReadingBuffer {
  readonly #bySensor = new Map<number, Map<number, number>>();
  readonly #written = new Map<number, Map<string | null, GrowingPeriod>>();
  #count = 0;
  #repeatedCount = 0;

  get count(): number {
    return this.#count;
  }

  /** Readings that a later one of the batch has replaced. */
  get repeatedCount(): number {
    return this.#repeatedCount;
  }

  /** `device` is null for a reading that no assigned device sent. */
  add(sensorId: number, at: number, value: number, device: string | null = null): void {
    this.#addWritten(sensorId, at, device);
    const values = this.#bySensor.get(sensorId) ?? new Map<number, number>();
    if (values.has(at)) this.#repeatedCount++;
    else this.#count++;
    this.#bySensor.set(sensorId, values.set(at, value));
  }

  #addWritten(sensorId: number, at: number, device: string | null): void {
    const writers = this.#written.get(sensorId) ?? new Map<string | null, GrowingPeriod>();
    if (writers.size === 0) this.#written.set(sensorId, writers);
    const period = writers.get(device);
    if (period === undefined) writers.set(device, { sensorId, device, from: at, to: at });
    else if (at < period.from) period.from = at;
    else if (at > period.to) period.to = at;
  }

  /** The periods that each writer writes to a sensor. */
  writtenTo(sensorId: number): readonly WrittenPeriod[] {
    return [...(this.#written.get(sensorId)?.values() ?? [])];
  }

  /** By sensor, in ms. */
  periods(): ReadonlyMap<number, ReadingPeriod> {
    return new Map([...this.#bySensor].map(([id, values]) => [id, periodOf(values)]));
  }

  /** Parts of `size` readings (the last may be smaller), each of few sensors and a short period. */
  *parts(size: number): Generator<ReadingPart, void> {
    let part = new Map<number, Map<number, number>>();
    let remaining = size;

    for (const [id, values] of this.#bySensor) {
      const instants = Float64Array.from(values.keys()).sort();
      for (let start = 0; start < instants.length; ) {
        const chunk = instants.subarray(start, start + remaining);
        part.set(id, new Map(Array.from(chunk, (at) => [at, entryOf(values, at)])));
        start += chunk.length;
        remaining -= chunk.length;
        if (remaining > 0) continue;

        yield part;
        part = new Map();
        remaining = size;
      }
    }

    if (part.size > 0) yield part;
  }
}

/** A batch has too many readings to spread into Math.max. */
function periodOf(values: ReadonlyMap<number, number>): ReadingPeriod {
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const at of values.keys()) {
    if (at < from) from = at;
    if (at > to) to = at;
  }
  return { count: values.size, from, to };
}

/**
 * Writes only what is new or changed, so that a repeated batch triggers no evaluation of alerts.
 */
export async function writeReadings(
  db: CompanyDb,
  part: ReadingPart,
  readings: Pick<ReadingBuffer, 'writtenTo'>,
  now: number,
): Promise<BatchCounts['readings']> {
  // Asked for together with the stored readings.
  const [{ counts, rows }, context] = await Promise.all([
    compareReadings(db, part),
    readingContext(db, [...part.keys()]),
  ]);
  const { length } = rows.at;
  if (length === 0) return counts;

  const writtenPart = [...part.keys()].flatMap((id) => readings.writtenTo(id));
  await writePeriods(db, periodChanges(context.periods, writtenPart), now);
  await recordReadings(db, { ...rows, length }, context);
  return counts;
}

export async function compareReadings(db: CompanyDb, part: ReadingPart) {
  const sensorIds: number[] = [];
  const at: number[] = [];
  const values: number[] = [];
  const counts = { written: 0, changed: 0, unchanged: 0 };

  for (const sensors of groupByInstants(part)) {
    const stored = await storedValues(db, sensors);
    for (const [id, instants] of sensors)
      for (const [instant, value] of instants) {
        const before = stored.get(id)?.get(instant);
        if (before === value) counts.unchanged++;
        else {
          counts[before === undefined ? 'written' : 'changed']++;
          sensorIds.push(id);
          at.push(instant);
          values.push(value);
        }
      }
  }

  return { counts, rows: { sensorIds, at, values } };
}

type SensorValues = [sensorId: number, values: ReadonlyMap<number, number>];

/** Sensors with the same instants, such as those of a probe, so that they share a query. */
function groupByInstants(bySensor: ReadingPart): Iterable<SensorValues[]> {
  const groups = new Map<string, SensorValues[]>();
  for (const [id, values] of bySensor) {
    const key = [...values.keys()].join();
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [[id, values]]);
    else group.push([id, values]);
  }
  return groups.values();
}

/** Values by sensor id, then by instant. All `sensors` must have the same instants. */
async function storedValues(
  db: CompanyDb,
  sensors: readonly SensorValues[],
): Promise<Map<number, Map<number, number>>> {
  const stored = new Map<number, Map<number, number>>();
  const [, values] = firstOf(sensors);
  const instants = [...values.keys()];
  const ids = sensors.map(([id]) => id);
  for (const { sensorId, at, value } of await readingsAtInstants(db, ids, instants))
    stored.set(sensorId, (stored.get(sensorId) ?? new Map<number, number>()).set(at, value));
  return stored;
}
