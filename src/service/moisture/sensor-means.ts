import type { SensorValues } from '../../domain/facts/probe-series.ts';
import { itemAt } from '../../domain/items.ts';
import type { CalibratedSensor } from '../../domain/moisture/calibration.ts';
import { bucketStart, HOUR_MS, type Period } from '../../domain/periods.ts';
import {
  daysOfSensors,
  hoursOfSensors,
  readingsOfSensors,
  type SensorColumns,
} from '../../store/moisture/sensor-columns.ts';
import type { CompanyDb } from '../../store/tables.ts';

/** The means of a sensor by interval, oldest first, and how many readings each has. */
export interface SensorMeans extends SensorValues {
  readonly counts: readonly number[];
  /** No reading lies before this instant; null without readings. */
  readonly firstAt: number | null;
}

const NO_MEANS: SensorMeans = { at: [], values: [], counts: [], firstAt: null };

/** The means of a sensor; empty without readings in the period. */
export type MeansOfSensor = (sensorId: number) => SensorMeans;

/** Reads stored sums for whole hours, and single readings for what remains. */
export async function meansOfSensors(
  db: CompanyDb,
  sensors: readonly CalibratedSensor[],
  period: Period,
  intervalMs: number,
): Promise<MeansOfSensor> {
  const parts = intervalMs % HOUR_MS === 0 ? hourlyParts(period) : [{ readings: period }];
  const sums = new Map<number, BucketSums>();
  for (const part of parts) {
    const columns =
      'hours' in part
        ? await hoursOfSensors(db, sensors, part.hours)
        : await readingsOfSensors(db, sensors, part.readings);
    for (const [id, sensor] of columns) {
      const ofSensor = sums.get(id) ?? new BucketSums(intervalMs);
      sums.set(id, ofSensor);
      ofSensor.add(sensor);
    }
  }

  const means = new Map([...sums].map(([id, ofSensor]) => [id, ofSensor.means()]));
  return (sensorId) => means.get(sensorId) ?? NO_MEANS;
}

type Part = { readonly hours: Period } | { readonly readings: Period };

/** In the order of time. */
function hourlyParts({ start, end }: Period): Part[] {
  const firstHour = Math.ceil(start / HOUR_MS) * HOUR_MS;
  const endHour = Math.floor(end / HOUR_MS) * HOUR_MS;
  if (firstHour >= endHour) return [{ readings: { start, end } }];
  return [
    { readings: { start, end: firstHour } },
    { hours: { start: firstHour, end: endHour } },
    { readings: { start: endHour, end } },
  ];
}

/** The means of the whole local days that begin in the period, by their first instant. */
export async function dailyMeansOfSensors(
  db: CompanyDb,
  sensors: readonly CalibratedSensor[],
  period: Period,
  zone: string,
): Promise<(sensorId: number) => SensorValues> {
  const days = await daysOfSensors(db, sensors, period, zone);
  return (sensorId) => {
    const { at, values, counts } = days.get(sensorId) ?? NO_MEANS;
    return { at, values: values.map((sum, row) => sum / itemAt(counts, row)) };
  };
}

/** The means of longer intervals from those of shorter ones, from an instant on. */
export function meansOver(means: SensorMeans, from: number, intervalMs: number): SensorMeans {
  const sums = new BucketSums(intervalMs);
  const first = means.at.findIndex((at) => at >= from);
  if (first < 0) return NO_MEANS;
  const counts = means.counts.slice(first);
  sums.add({
    at: means.at.slice(first),
    values: means.values.slice(first).map((value, row) => value * itemAt(counts, row)),
    counts,
  });
  return sums.means();
}

/** Adds up values in the order of time. */
class BucketSums {
  readonly #intervalMs: number;
  readonly #at: number[] = [];
  readonly #sums: number[] = [];
  readonly #counts: number[] = [];
  #firstAt: number | null = null;

  constructor(intervalMs: number) {
    this.#intervalMs = intervalMs;
  }

  /** Values are sums, or without counts single readings. */
  add({ at, values, counts }: SensorColumns & { readonly counts?: readonly number[] }): void {
    this.#firstAt ??= at[0] ?? null;
    for (let row = 0; row < at.length; row++) {
      const start = bucketStart(at[row]!, this.#intervalMs);
      const count = counts === undefined ? 1 : counts[row]!;
      let last = this.#at.length - 1;
      if (this.#at[last] !== start) {
        last++;
        this.#at.push(start);
        this.#sums.push(0);
        this.#counts.push(0);
      }
      this.#sums[last]! += values[row]!;
      this.#counts[last]! += count;
    }
  }

  means(): SensorMeans {
    return {
      at: this.#at,
      values: this.#sums.map((sum, index) => sum / this.#counts[index]!),
      counts: this.#counts,
      firstAt: this.#firstAt,
    };
  }
}
