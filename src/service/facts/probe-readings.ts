import { type LastValues, newestCycleOf } from '../../domain/facts/newest-cycle.ts';
import type { SensorValues } from '../../domain/facts/probe-series.ts';
import { firstOf, itemAt } from '../../domain/items.ts';
import type { SeriesRows } from '../../domain/moisture/bucket-means.ts';
import type { CalibratedSensor } from '../../domain/moisture/calibration.ts';
import { MAX_FRESH_AGE_MS, usualIntervalMs } from '../../domain/moisture/coverage.ts';
import type { TimedValue } from '../../domain/moisture/series.ts';
import type { SummarySource } from '../../domain/moisture/summary-source.ts';
import type { Period } from '../../domain/periods.ts';
import {
  type LastReadings,
  lastReadingsOfSensors,
  readingsOfSensors,
  type SensorColumns,
} from '../../store/moisture/sensor-columns.ts';
import type { CompanyDb } from '../../store/tables.ts';
import { CLOCK_SKEW_MS, newestCycle } from '../moisture/curve-cycles.ts';
import { INTERVAL_SAMPLE_SIZE } from '../moisture/summary-series.ts';

/** A few more than the usual interval needs, because some may lie ahead of now. */
const LAST_READINGS = INTERVAL_SAMPLE_SIZE + 10;

const NO_VALUES: SensorColumns = { at: [], values: [] };
const NO_READINGS: LastReadings = { ...NO_VALUES, newestAt: null };

/** The readings of many sensors that advice is computed from, one query for each kind. */
export class ProbeReadings {
  readonly #db: CompanyDb;
  readonly #now: number;
  readonly #last: ReadonlyMap<number, LastReadings>;
  /** By sensor id, when a cycle of it settles without another reading. */
  readonly #changesAt = new Map<number, number>();

  private constructor(db: CompanyDb, now: number, last: ReadonlyMap<number, LastReadings>) {
    this.#db = db;
    this.#now = now;
    this.#last = last;
  }

  static async load(
    db: CompanyDb,
    sensors: readonly CalibratedSensor[],
    now: number,
  ): Promise<ProbeReadings> {
    const last = await lastReadingsOfSensors(db, sensors, now + CLOCK_SKEW_MS + 1, LAST_READINGS);
    return new ProbeReadings(db, now, last);
  }

  lastOf(sensorId: number): LastReadings {
    return this.#last.get(sensorId) ?? NO_READINGS;
  }

  /** Oldest first. */
  lastPoints(sensorId: number, limit: number): TimedValue[] {
    const { at, values } = this.lastOf(sensorId);
    const first = Math.max(0, at.length - limit);
    return at.slice(first).map((instant, row) => ({
      at: instant,
      value: itemAt(values, first + row),
    }));
  }

  /** The instant of the newest reading of the curve, which may lie ahead of now. */
  newestAt({ sensors, curve }: SummarySource): number | null {
    const instants = sensors.flatMap(({ id }, index) =>
      curve.weights[index]! > 0 ? (this.lastOf(id).newestAt ?? []) : [],
    );
    return instants.length === 0 ? null : Math.max(...instants);
  }

  /** The newest settled cycle of the curve. */
  async newestCycle(source: SummarySource): Promise<SeriesRows | null> {
    const sensors = source.sensors.map(({ id }): LastValues => {
      const { at, values } = this.lastOf(id);
      return { at, values, isWhole: at.length < LAST_READINGS };
    });
    const newest = newestCycleOf(source.curve, sensors, this.#now);
    if (newest !== undefined) {
      this.#noteChange(source, newest?.nextSettlesAt ?? null);
      return newest?.cycle ?? null;
    }

    this.#noteChange(source, this.#now);
    return newestCycle(this.#db, source, this.#now);
  }

  #noteChange({ sensors }: SummarySource, at: number | null): void {
    if (at === null) return;
    for (const { id } of sensors)
      this.#changesAt.set(id, Math.min(at, this.#changesAt.get(id) ?? at));
  }

  /**
   * The last instant at which the readings of these sensors, and the cycles that were found, mean the
   * same as now.
   */
  validUntil(sensors: readonly { readonly id: number }[]): number {
    const now = this.#now;
    const newest = sensors.flatMap(({ id }) => this.lastOf(id).newestAt ?? []);
    // The first of those that lie further ahead is not known.
    if (newest.some((at) => at > now + CLOCK_SKEW_MS)) return now;

    const ahead = sensors.flatMap(({ id }) => this.lastOf(id).at.filter((at) => at >= now));
    const changes = sensors.flatMap(({ id }) => this.#changesAt.get(id) ?? []);
    return Math.min(
      ...newest.map((at) => at + MAX_FRESH_AGE_MS).filter((at) => at >= now),
      ...[...ahead, ...changes].map((at) => Math.max(now, at - 1)),
    );
  }

  /** Single readings of the last 25 hours, by sensor id. */
  async recent(sensors: readonly CalibratedSensor[]): Promise<(sensorId: number) => SensorValues> {
    const period = { start: this.#now - MAX_FRESH_AGE_MS, end: this.#now + 1 };
    const reachesBack = ({ at }: LastReadings): boolean =>
      at.length < LAST_READINGS || firstOf(at) < period.start;
    const incomplete = sensors.filter(({ id }) => !reachesBack(this.lastOf(id)));
    const read = await readingsOfSensors(this.#db, incomplete, period);

    return (sensorId) => read.get(sensorId) ?? within(this.lastOf(sensorId), period);
  }

  /**
   * The usual time between two readings of a sensor in ms; null with fewer than two readings.
   */
  usualIntervalMs(sensorId: number): number | null {
    const past = this.lastOf(sensorId).at.filter((at) => at < this.#now);
    return usualIntervalMs(past.slice(-INTERVAL_SAMPLE_SIZE));
  }
}

function within({ at, values }: SensorColumns, { start, end }: Period): SensorValues {
  const isWithin = at.map((instant) => instant >= start && instant < end);
  return {
    at: at.filter((_, row) => isWithin[row]),
    values: values.filter((_, row) => isWithin[row]),
  };
}
