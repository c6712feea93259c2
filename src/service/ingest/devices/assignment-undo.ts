import { entryOf } from '../../../domain/items.ts';
import type { Call } from '../../../operation/call.ts';
import { type Reversal, storedImages } from '../../../store/changes/reversals.ts';
import type { DeviceRow } from '../../../store/ingest/devices.ts';
import { deleteReadings } from '../../../store/ingest/reading-writes.ts';
import {
  type RecordedReading,
  toUnassignedReading,
  type UnassignedReading,
} from '../../../store/ingest/unassigned-readings.ts';
import { type ChangedRow, isSameImage } from '../../../store/scope/recorded-rows.ts';
import { deleteStationReadings } from '../../../store/weather/station-readings.ts';
import { findSensor } from '../sensor-index.ts';
import { loadSensorIndex } from '../sensor-index-cache.ts';
import {
  assignmentOf,
  type DeviceAssignment,
  sensorReadingsOfDevices,
  weatherOfDevices,
} from './device-readings.ts';

/**
 * Leaves out rain that later totals of the device changed: an undo keeps it, as it keeps later
 * readings of the device.
 */
export async function withoutRainSince(
  { db }: Pick<Call, 'db'>,
  rows: readonly ChangedRow[],
): Promise<readonly ChangedRow[]> {
  if (!rows.some(({ table }) => table === 'device_readings')) return rows;
  const keys = rows.flatMap(({ table, key }) => (table === 'rain' ? [key] : []));
  const stored = await storedImages(db, 'rain', keys);
  const isNewer = ({ key, after }: ChangedRow): boolean =>
    stored.get(key)?.source === 'gauge' && !isSameImage(entryOf(stored, key), after);
  return rows.filter((row) => row.table !== 'rain' || !isNewer(row));
}

/**
 * Deletes the readings that the assignment wrote, unless another value has replaced them since. The
 * reversals then store them as those of an unassigned device.
 */
export async function deleteReadingsOfAssignment(
  { db }: Pick<Call, 'db'>,
  reversals: readonly Reversal[],
): Promise<void> {
  const written = {
    assignments: undoneAssignments(reversals),
    unassignedReadings: writtenReadings(reversals),
  };

  await deleteStationReadings(
    db,
    weatherOfDevices(written).map(({ moduleId, ...reading }) => ({
      module_id: moduleId,
      ...reading,
    })),
  );

  const index = await loadSensorIndex(db);
  await deleteReadings(
    db,
    sensorReadingsOfDevices(written).flatMap(({ moduleId, type, depth, at, value }) => {
      const sensor = findSensor(index, moduleId, type, depth);
      return sensor === undefined ? [] : [{ sensorId: sensor.id, at, value }];
    }),
  );
}

/** The readings that waited for the assignment. */
export const writtenReadings = (reversals: readonly Reversal[]): UnassignedReading[] =>
  reversals.flatMap(({ table, to }) =>
    table === 'device_readings' && to !== null
      ? [toUnassignedReading(to as unknown as RecordedReading)]
      : [],
  );

/**
 * Rows of an undo that made readings of devices wait again: once it is undone, they are written like
 * all that wait.
 */
export const isWrittenAnew = (rows: readonly ChangedRow[]): boolean =>
  rows.some(({ table, after }) => table === 'device_readings' && after !== null);

/** The assignments that an undo ends, by device. */
export function undoneAssignments(
  reversals: readonly (Pick<Reversal, 'key' | 'from'> & { readonly table: string })[],
): Map<string, DeviceAssignment> {
  const assignments = new Map<string, DeviceAssignment>();
  for (const { table, key, from } of reversals) {
    if (table !== 'devices' || from === null) continue;
    const assignment = assignmentOf(from as unknown as DeviceRow);
    if (assignment !== null) assignments.set(String(key), assignment);
  }
  return assignments;
}
