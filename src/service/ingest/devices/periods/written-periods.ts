import {
  afterOthers,
  type DevicePeriod,
  type PeriodChanges,
  startPeriod,
} from '../../../../domain/ingest/device-periods.ts';
import { itemAt } from '../../../../domain/items.ts';
import type { ReadingBatch, ReadingContext } from '../../../../store/ingest/reading-writes.ts';
import {
  deleteDevicePeriod,
  insertDevicePeriods,
  periodsOfDevice,
  periodsOfSensors,
  updateDevicePeriod,
} from '../../../../store/moisture/device-periods.ts';
import { sensorReadingBounds } from '../../../../store/moisture/reading-lookup.ts';
import type { CompanyDb } from '../../../../store/tables.ts';

/** To be called before the readings of the batch are written. */
export async function writePeriods(
  db: CompanyDb,
  { started, changed }: PeriodChanges,
  now: number,
): Promise<void> {
  for (const period of changed) await updateDevicePeriod(db, period);
  if (started.length === 0) return;

  const sensorIds = started.map(({ sensorId }) => sensorId);
  const newest = await newestOfSensors(db, sensorIds);
  // Another batch of the device may have started some since this one was read.
  const current = (await periodsOfSensors(db, sensorIds)).filter(isCurrent);
  const added = started.filter(
    ({ device, sensorId }) =>
      !current.some((period) => period.device === device && period.sensorId === sensorId),
  );
  await insertDevicePeriods(
    db,
    added.map((start) => startPeriod(start, newest.get(start.sensorId) ?? null)),
    now,
  );
}

export const isCurrent = ({ untilAt }: DevicePeriod): boolean => untilAt === null;

async function newestOfSensors(
  db: CompanyDb,
  sensorIds: readonly number[],
): Promise<Map<number, number | null>> {
  const bounds = await sensorReadingBounds(db, sensorIds, { start: 0, end: 0 });
  return new Map(bounds.map(({ sensorId, newest }) => [sensorId, newest]));
}

/** Ends the periods of a device whose assignment changes. */
export async function endPeriods(db: CompanyDb, device: string): Promise<void> {
  const current = (await periodsOfDevice(db, device)).filter(isCurrent);
  const newest = await newestOfSensors(
    db,
    current.map(({ sensorId }) => sensorId),
  );
  for (const period of current) {
    const untilAt = newest.get(period.sensorId) ?? null;
    await (untilAt === null || untilAt < period.fromAt
      ? deleteDevicePeriod(db, period.id)
      : updateDevicePeriod(db, { ...period, untilAt }));
  }
}

/** To be called before the readings of a file are written. */
export async function markImported(
  db: CompanyDb,
  periods: ReadingContext['periods'],
  batch: ReadingBatch,
): Promise<void> {
  for (const period of [...periods.values()].flat()) {
    const next = afterOthers(period, instantsOf(batch, period.sensorId));
    if (next !== period) await updateDevicePeriod(db, next);
  }
}

function instantsOf({ sensorIds, at, length }: ReadingBatch, sensorId: number) {
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let row = 0; row < length; row++) {
    if (sensorIds[row] !== sensorId) continue;
    from = Math.min(from, itemAt(at, row));
    to = Math.max(to, itemAt(at, row));
  }
  return { from, to };
}
