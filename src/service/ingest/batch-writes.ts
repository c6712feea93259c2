import { setTimeout as pause } from 'node:timers/promises';
import type { TimeSlice } from '../../domain/event-loop.ts';
import { chunksOf } from '../../domain/groups.ts';
import type { LastStage, StagedCall } from '../../operation/call.ts';
import { recordReadings } from '../../store/ingest/reading-writes.ts';
import { readingsAtInstants } from '../../store/moisture/reading-lookup.ts';
import type { CompanyDb } from '../../store/tables.ts';
import { type StationReading, saveStationReadings } from '../../store/weather/station-readings.ts';
import { type validateGatewayStatuses, writeGatewayStatuses } from './gateways.ts';
import { type RainCounts, type readGaugeRain, writeGaugeRain } from './station-rows.ts';

export interface ReadingCounts {
  /** Readings at instants that had none stored. */
  readonly written: number;
  readonly changed: number;
  readonly unchanged: number;
}

/** By sensor, then by instant. */
type ReadingPart = ReadonlyMap<number, ReadonlyMap<number, number>>;

interface ReadingPeriod {
  readonly count: number;
  readonly from: number;
  readonly to: number;
}

/** The last reading of a batch for each sensor and instant. */
export interface ReadingBuffer {
  add(sensor: { readonly id: number }, at: number, value: number): void;
  readonly count: number;
  readonly repeatedCount: number;
  /** By sensor, in ms. */
  periods(): ReadonlyMap<number, ReadingPeriod>;
  /** Parts of `size` readings (the last may be smaller), each of few sensors and a short period. */
  parts(size: number): Generator<ReadingPart, void>;
}

export function createReadingBuffer(): ReadingBuffer {
  const bySensor = new Map<number, Map<number, number>>();
  const buffer = {
    count: 0,
    repeatedCount: 0,
    add({ id }: { readonly id: number }, at: number, value: number): void {
      const values = bySensor.get(id) ?? new Map<number, number>();
      if (values.has(at)) buffer.repeatedCount++;
      else buffer.count++;
      bySensor.set(id, values.set(at, value));
    },
    periods: () => new Map([...bySensor].map(([id, values]) => [id, periodOf(values)])),
    *parts(size: number): Generator<ReadingPart, void> {
      let part = new Map<number, Map<number, number>>();
      let remaining = size;

      for (const [id, values] of bySensor) {
        const instants = Float64Array.from(values.keys()).sort();
        for (let start = 0; start < instants.length; ) {
          const chunk = instants.subarray(start, start + remaining);
          part.set(id, new Map(Array.from(chunk, (at) => [at, values.get(at)!])));
          start += chunk.length;
          remaining -= chunk.length;
          if (remaining > 0) continue;
          yield part;
          part = new Map();
          remaining = size;
        }
      }

      if (part.size > 0) yield part;
    },
  };

  return buffer;
}

/**
 * Writes only what is new or changed, so that a repeated batch triggers no evaluation of alerts.
 */
async function writeReadings(db: CompanyDb, part: ReadingPart): Promise<ReadingCounts> {
  const { counts, rows } = await compareReadings(db, part);
  if (rows.at.length > 0) await recordReadings(db, { ...rows, length: rows.at.length });
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

/** Sensors with the same instants, such as those of a probe, share a query. */
function groupByInstants(
  bySensor: ReadonlyMap<number, ReadonlyMap<number, number>>,
): Iterable<SensorValues[]> {
  const groups = new Map<string, SensorValues[]>();
  for (const [id, values] of bySensor) {
    const key = [...values.keys()].join();
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [[id, values]]);
    else group.push([id, values]);
  }
  return groups.values();
}

async function storedValues(
  db: CompanyDb,
  sensors: readonly SensorValues[],
): Promise<Map<number, Map<number, number>>> {
  const stored = new Map<number, Map<number, number>>();
  const instants = [...sensors[0]![1].keys()];
  const ids = sensors.map(([id]) => id);
  for (const { sensorId, at, value } of await readingsAtInstants(db, ids, instants))
    stored.set(sensorId, (stored.get(sensorId) ?? new Map<number, number>()).set(at, value));
  return stored;
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
 * One transaction writes this many, which blocks other writers for well under 100 ms, even if no
 * two share an hour.
 */
export const READINGS_PER_STAGE = 500;
const GATEWAYS_PER_STAGE = 500;
const RAIN_PER_STAGE = 500;
const WEATHER_PER_STAGE = 500;

/**
 * After writing for this long, a batch pauses for STAGE_PAUSE_MS, which is longer than another
 * process waits between two attempts to lock.
 */
const MAX_BUSY_MS = 50;
const STAGE_PAUSE_MS = 25;

interface BatchContent {
  readonly buffer: ReadingBuffer;
  readonly rain: Awaited<ReturnType<typeof readGaugeRain>>;
  readonly weather: readonly StationReading[];
  readonly statuses: Awaited<ReturnType<typeof validateGatewayStatuses>>;
}

/** Writes all stages but the last, which it returns. */
export async function writeInStages(
  { write }: StagedCall,
  { buffer, rain, weather, statuses }: BatchContent,
  slice: TimeSlice,
): Promise<LastStage<StageCounts>> {
  const readingParts = buffer.parts(READINGS_PER_STAGE);
  const rainParts = chunksOf(rain, RAIN_PER_STAGE).values();
  const weatherParts = chunksOf(weather, WEATHER_PER_STAGE).values();
  const statusParts = chunksOf([...statuses], GATEWAYS_PER_STAGE)
    .map((part) => new Map(part))
    .values();
  const stageCount = Math.max(
    Math.ceil(buffer.count / READINGS_PER_STAGE),
    Math.ceil(rain.length / RAIN_PER_STAGE),
    Math.ceil(weather.length / WEATHER_PER_STAGE),
    Math.ceil(statuses.size / GATEWAYS_PER_STAGE),
    1,
  );

  const nextStage = () => {
    const part: ReadingPart = readingParts.next().value ?? new Map();
    const rainPart = rainParts.next().value ?? [];
    const weatherPart = weatherParts.next().value ?? [];
    const statusPart = statusParts.next().value ?? new Map();

    return async (db: CompanyDb): Promise<StageCounts> => {
      await saveStationReadings(db, weatherPart);
      return {
        readings: await writeReadings(db, part),
        rain: await writeGaugeRain(db, rainPart),
        gateways: await writeGatewayStatuses(db, statusPart),
      };
    };
  };

  const counts: StageCounts[] = [];
  let pausedAt = performance.now();
  for (let stage = 1; stage < stageCount; stage++) {
    counts.push(await write(nextStage()));
    const isPauseDue = performance.now() - pausedAt >= MAX_BUSY_MS;
    await (isPauseDue ? pause(STAGE_PAUSE_MS) : slice.renew());
    if (isPauseDue) pausedAt = performance.now();
  }

  const writeLastStage = nextStage();
  return async (db) => [...counts, await writeLastStage(db)].reduce(addCounts);
}

interface StageCounts {
  readonly readings: ReadingCounts;
  readonly rain: RainCounts;
  readonly gateways: { readonly changed: number; readonly unchanged: number };
}

const addCounts = (a: StageCounts, b: StageCounts): StageCounts => ({
  readings: {
    written: a.readings.written + b.readings.written,
    changed: a.readings.changed + b.readings.changed,
    unchanged: a.readings.unchanged + b.readings.unchanged,
  },
  rain: {
    written: a.rain.written + b.rain.written,
    changed: a.rain.changed + b.rain.changed,
    unchanged: a.rain.unchanged + b.rain.unchanged,
    lower: a.rain.lower + b.rain.lower,
  },
  gateways: {
    changed: a.gateways.changed + b.gateways.changed,
    unchanged: a.gateways.unchanged + b.gateways.unchanged,
  },
});
