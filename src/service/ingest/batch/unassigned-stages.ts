import { chunksOf, groupBy } from '../../../domain/groups.ts';
import type { StagedCall } from '../../../operation/call.ts';
import { devicesNamed } from '../../../store/ingest/devices.ts';
import {
  type UnassignedReading,
  upsertUnassignedReadings,
} from '../../../store/ingest/unassigned-readings.ts';
import type { CompanyDb } from '../../../store/tables.ts';
import {
  type DeviceContext,
  type LastUnassigned,
  namesSent,
  saveDevices,
} from '../devices/device-updates.ts';
import type { SentByDevices } from '../devices/sent-by-devices.ts';
import type { BatchPace } from './batch-context.ts';
import { pauseBetweenStages } from './batch-writes.ts';
import { ROWS_PER_PART } from './item-kind.ts';

/**
 * Stores the readings of unassigned devices in stages. Returns the last, which the caller commits.
 */
export async function storeUnassignedInStages(
  { write }: Pick<StagedCall, 'write'>,
  context: DeviceContext & BatchPace,
  sent: SentByDevices,
): Promise<LastUnassigned> {
  const readings = sent.unassigned.map(({ reading }) => reading);
  if (readings.length <= ROWS_PER_PART) return { last: readings, storedBefore: 0, admitted: null };

  const devices = await write((db) => saveDevices(db, context, sent, namesSent(sent)));
  // Together, because the readings that are stored of a device are read for each stage.
  const byDevice = groupBy(readings, ({ device }) => device);
  const ofDevices = [...byDevice].flatMap(([device, own]) => (devices.has(device) ? own : []));
  const stages = chunksOf(ofDevices, ROWS_PER_PART);
  const last = stages.pop() ?? [];

  const letOthersWrite = pauseBetweenStages(context);
  let storedBefore = 0;
  for (const stage of stages) {
    await letOthersWrite();
    storedBefore += await write((db) => storeStage(db, stage));
  }
  return { last, storedBefore, admitted: new Set(devices.keys()) };
}

/** Leaves out the readings of devices that were deleted since they were admitted. */
async function storeStage(db: CompanyDb, readings: readonly UnassignedReading[]): Promise<number> {
  const names = new Set(readings.map(({ device }) => device));
  const existing = new Set((await devicesNamed(db, [...names])).map(({ name }) => name));
  return upsertUnassignedReadings(
    db,
    readings.filter(({ device }) => existing.has(device)),
  );
}
