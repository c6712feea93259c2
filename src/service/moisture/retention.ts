import { setTimeout as pause } from 'node:timers/promises';
import { LocalDay } from '../../domain/local-day.ts';
import {
  dayOfAge,
  hoursStandBefore,
  type ReadingAge,
  type ReadingRetention,
} from '../../domain/moisture/reading-retention.ts';
import { quote } from '../../domain/strings.ts';
import { DEFAULT_TIME_ZONE } from '../../schema/company/company.ts';
import { plainError } from '../../schema/error.ts';
import { type CompanyRow, companyById } from '../../store/company/companies.ts';
import { hasLocalDays } from '../../store/company/local-day-zone.ts';
import { advanceLocalDays } from '../../store/moisture/local-days.ts';
import { newestReadings, sensorReadingBounds } from '../../store/moisture/reading-lookup.ts';
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
import type { CompanyDb } from '../../store/tables.ts';
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
  /** Stations in the air have older readings, which stay. */
  readonly hasAirReadings: boolean;
}

interface RetentionRequest {
  readonly age: ReadingAge;
  /** What the command takes for now. */
  readonly now: number;
  /** By the clock of the machine. */
  readonly machineNow: number;
}

/** What would go; nothing is written. Throws for a bound before which everything would go. */
export async function countOldReadings(
  store: Store,
  company: CompanyRow,
  request: RetentionRequest,
  monitor: RetentionMonitor,
): Promise<RetentionReport> {
  const bound = boundOf(company, request);
  const { keptFrom, zone, before } = bound;
  await assertReadingsStay(store, company, bound, request);
  let readings = 0;
  const sensors = new Set<number>();
  for await (const step of stepsToDelete(store, company.id, before, monitor.signal)) {
    const count = await store.read(company.id, (db) => countReadingsOfStep(db, step));
    readings += count;
    sensors.add(step.sensorId);
    monitor.onReadings('check', count);
  }
  const hasAirReadings = await store.read(company.id, (db) => hasAirReadingsBefore(db, before));
  return { keptFrom, zone, readings, sensors: sensors.size, summedHours: 0, hasAirReadings };
}

/**
 * There is no undo. Throws for a bound before which everything would go, and the reason of the
 * signal once it is aborted.
 */
export async function deleteOldReadings(
  store: Store,
  company: CompanyRow,
  request: RetentionRequest,
  monitor: RetentionMonitor,
): Promise<RetentionReport> {
  let summedHours = 0;
  for (;;) {
    // The zone may have changed since the last attempt.
    const bound = boundOf(await currentRow(store, company), request);
    const { zone, before } = bound;
    await assertReadingsStay(store, company, bound, request);
    await completeLocalDays(store, company.id, zone, monitor.signal);
    summedHours += await completeSums(store, company.id, { before, zone }, monitor);
    const retention = await store.write(company.id, (db) => keepReadingsFrom(db, before, zone));
    if (retention === null) continue;

    const deleted = await deleteReadings(store, company.id, retention, monitor);
    const hasAirReadings = await store.read(company.id, (db) => hasAirReadingsBefore(db, before));
    const keptFrom = LocalDay.at(retention.keptFrom, zone);
    return { keptFrom, zone, ...deleted, summedHours, hasAirReadings };
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

interface Bound {
  readonly keptFrom: LocalDay;
  readonly zone: string;
  readonly before: number;
}

function boundOf({ timezone }: CompanyRow, { age, now }: RetentionRequest): Bound {
  const zone = timezone ?? DEFAULT_TIME_ZONE;
  const keptFrom = dayOfAge(now, age, zone);
  return { keptFrom, zone, before: keptFrom.startIn(zone) };
}

/** A wrong clock, or an age for a farm that has sent nothing for longer, would leave no reading. */
async function assertReadingsStay(
  store: Store,
  { id, name }: CompanyRow,
  { keptFrom, zone, before }: Bound,
  { machineNow }: RetentionRequest,
): Promise<void> {
  const nothingDeleted = `Nothing of ${quote(name)} was deleted.`;
  if (before > machineNow)
    throw plainError({
      code: 'bound_in_future',
      status: 400,
      message: `Single readings would be kept from ${keptFrom.iso} on, a day that has not come yet.`,
      hint: `${nothingDeleted} Correct --clock, or leave it out.`,
    });

  const { sensors, ofAir } = await store.read(id, async (db) => ({
    sensors: await newestReadings(db),
    ofAir: await airSensorIds(db),
  }));
  const read = sensors.filter((sensor) => sensor.at !== null);
  const newest = Math.max(...read.map(({ at }) => at ?? Number.NEGATIVE_INFINITY));
  if (newest >= before || read.every((sensor) => ofAir.has(sensor.id))) return;
  throw plainError({
    code: 'no_readings_kept',
    status: 409,
    message: `The newest reading of ${quote(name)} is of ${LocalDay.at(newest, zone).iso}, before ${keptFrom.iso}: no single reading would be left.`,
    hint: `${nothingDeleted} Give a greater age with --readings, or correct --clock.`,
  });
}

/** They stay. */
async function hasAirReadingsBefore(db: CompanyDb, before: number): Promise<boolean> {
  const sensorIds = [...(await airSensorIds(db))];
  const bounds = await sensorReadingBounds(db, sensorIds, { start: 0, end: before });
  return bounds.some(({ first }) => first !== null);
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
