import {
  type DevicePeriod,
  type PeriodChanges,
  startPeriod,
  withOtherReadings,
} from '../../../../domain/ingest/device-periods.ts';
import { itemAt } from '../../../../domain/items.ts';
import type { ReadingBatch, ReadingContext } from '../../../../store/ingest/reading-writes.ts';
import {
  deleteDevicePeriod,
  insertDevicePeriods,
  periodsOfDevice,
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

  const newest = await newestOfSensors(
    db,
    started.map(({ sensorId }) => sensorId),
  );
  await insertDevicePeriods(
    db,
    started.map((start) => startPeriod(start, newest.get(start.sensorId) ?? null)),
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
  if (periods.size === 0) return;

  for (const [sensorId, instants] of instantsBySensor(batch))
    for (const period of periods.get(sensorId) ?? []) {
      const next = withOtherReadings(period, instants);
      if (next !== period) await updateDevicePeriod(db, next);
    }
}

/** The first and the last instant of each sensor, by its id. */
function instantsBySensor({ sensorIds, at, length }: ReadingBatch) {
  const bySensor = new Map<number, { from: number; to: number }>();
  for (let row = 0; row < length; row++) {
    const sensorId = itemAt(sensorIds, row);
    const instant = itemAt(at, row);
    const instants = bySensor.get(sensorId);
    if (instants === undefined) bySensor.set(sensorId, { from: instant, to: instant });
    else if (instant < instants.from) instants.from = instant;
    else if (instant > instants.to) instants.to = instant;
  }
  return bySensor;
}
