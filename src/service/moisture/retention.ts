import { setTimeout as pause } from 'node:timers/promises';
import { LocalDay } from '../../domain/local-day.ts';
import {
  dayOfAge,
  hoursStandBefore,
  type ReadingAge,
  type ReadingRetention,
} from '../../domain/moisture/reading-retention.ts';
import { DEFAULT_TIME_ZONE } from '../../schema/company/company.ts';
import { type CompanyRow, companyById } from '../../store/company/companies.ts';
import { hasLocalDays } from '../../store/company/local-day-zone.ts';
import { advanceLocalDays } from '../../store/moisture/local-days.ts';
import {
  countReadingsOfStep,
  deleteReadingsOfStep,
  hoursWithoutSums,
  keepReadingsFrom,
  nextReadingsStep,
  type ReadingsStep,
  writeMissingSums,
} from '../../store/moisture/retention-steps.ts';
import type { Store } from '../../store/store.ts';
import { airSensorIds } from '../../store/weather/station-readings.ts';
import { PAUSE_BETWEEN_STEPS_MS } from '../write-in-steps.ts';

// Readings go in three phases, each in steps of a transaction: sums that are missing are written;
// one row says from when on single readings are kept, which every answer and every write follows
// from then on; the readings before it are deleted. A run that was killed is completed by the next.
// Those of stations in the air stay: the lowest and highest values of a day, from which its weather
// follows, are in no sum.

export interface RetentionMonitor {
  onReadings(step: 'check' | 'delete', count: number): void;
  readonly signal: AbortSignal;
}

export interface RetentionReport {
  /** Single readings of this local day and of later ones are kept. */
  readonly keptFrom: LocalDay;
  readonly zone: string;
  /** Readings before it: those that would go, or that went. */
  readonly readings: number;
  readonly sensors: number;
  /** Hours that were summed anew, because a sum was missing. */
  readonly summedHours: number;
}

/** What would go; nothing is written. */
export async function countOldReadings(
  store: Store,
  company: CompanyRow,
  { age, now }: { readonly age: ReadingAge; readonly now: number },
  monitor: RetentionMonitor,
): Promise<RetentionReport> {
  const { keptFrom, zone, before } = boundOf(company, age, now);
  let readings = 0;
  const sensors = new Set<number>();
  for await (const step of stepsToDelete(store, company.id, before, monitor.signal)) {
    const count = await store.read(company.id, (db) => countReadingsOfStep(db, step));
    readings += count;
    sensors.add(step.sensorId);
    monitor.onReadings('check', count);
  }
  return { keptFrom, zone, readings, sensors: sensors.size, summedHours: 0 };
}

/** There is no undo. Throws the reason of the signal once it is aborted. */
export async function deleteOldReadings(
  store: Store,
  company: CompanyRow,
  { age, now }: { readonly age: ReadingAge; readonly now: number },
  monitor: RetentionMonitor,
): Promise<RetentionReport> {
  let summedHours = 0;
  for (;;) {
    // The zone may have changed since the last attempt.
    const { zone, before } = boundOf(await currentRow(store, company), age, now);
    await completeLocalDays(store, company.id, zone, monitor.signal);
    summedHours += await completeSums(store, company.id, { before, zone }, monitor);
    const retention = await store.write(company.id, (db) => keepReadingsFrom(db, before, zone));
    if (retention === null) continue;

    const deleted = await deleteReadings(store, company.id, retention, monitor);
    return { keptFrom: LocalDay.at(retention.keptFrom, zone), zone, ...deleted, summedHours };
  }
}

const currentRow = async (store: Store, company: CompanyRow): Promise<CompanyRow> =>
  (await store.readAll((all) => companyById(all, company.id))) ?? company;

async function deleteReadings(
  store: Store,
  companyId: number,
  retention: ReadingRetention,
  { onReadings, signal }: RetentionMonitor,
): Promise<Pick<RetentionReport, 'readings' | 'sensors'>> {
  let readings = 0;
  const sensors = new Set<number>();
  for await (const step of stepsToDelete(store, companyId, hoursStandBefore(retention), signal)) {
    const count = await store.write(companyId, (db) => deleteReadingsOfStep(db, step, retention));
    readings += count;
    sensors.add(step.sensorId);
    onReadings('delete', count);
    await pause(PAUSE_BETWEEN_STEPS_MS);
  }
  return { readings, sensors: sensors.size };
}

function boundOf({ timezone }: CompanyRow, age: ReadingAge, now: number) {
  const zone = timezone ?? DEFAULT_TIME_ZONE;
  const keptFrom = dayOfAge(now, age, zone);
  return { keptFrom, zone, before: keptFrom.startIn(zone) };
}

async function* stepsToDelete(
  store: Store,
  companyId: number,
  before: number,
  signal: AbortSignal,
): AsyncGenerator<ReadingsStep, void> {
  const ofAir = await store.read(companyId, airSensorIds);
  yield* stepsBefore(store, companyId, before, signal, ofAir);
}

async function* stepsBefore(
  store: Store,
  companyId: number,
  before: number,
  signal: AbortSignal,
  except: ReadonlySet<number> = new Set(),
): AsyncGenerator<ReadingsStep, void> {
  let last: ReadingsStep | null = null;
  for (;;) {
    signal.throwIfAborted();
    const previous: ReadingsStep | null = last;
    last = await store.read(companyId, (db) => nextReadingsStep(db, before, previous, except));
    if (last === null) return;
    yield last;
  }
}

async function completeLocalDays(
  store: Store,
  companyId: number,
  zone: string,
  signal: AbortSignal,
): Promise<void> {
  for (
    let isDone = await store.read(companyId, (db) => hasLocalDays(db, zone));
    !isDone;
    await pause(PAUSE_BETWEEN_STEPS_MS)
  ) {
    signal.throwIfAborted();
    isDone = await store.write(companyId, (db) => advanceLocalDays(db, zone));
  }
}

async function completeSums(
  store: Store,
  companyId: number,
  { before, zone }: { readonly before: number; readonly zone: string },
  { onReadings, signal }: RetentionMonitor,
): Promise<number> {
  let summedHours = 0;
  for await (const step of stepsBefore(store, companyId, before, signal)) {
    const { hours, count } = await store.read(companyId, async (db) => ({
      hours: await hoursWithoutSums(db, step, zone),
      count: await countReadingsOfStep(db, step),
    }));
    if (hours.length > 0) {
      await store.write(companyId, (db) => writeMissingSums(db, hours, zone));
      await pause(PAUSE_BETWEEN_STEPS_MS);
    }
    summedHours += hours.length;
    onReadings('check', count);
  }
  return summedHours;
}
