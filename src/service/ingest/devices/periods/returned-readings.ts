import type { ChosenFields } from '../../../../domain/ingest/field-choices.ts';
import type { PendingWork } from '../../../../operation/call.ts';
import { deviceNamed } from '../../../../store/ingest/devices.ts';
import { deleteNewestReadings } from '../../../../store/ingest/reading-writes.ts';
import { restoreUnassignedReadings } from '../../../../store/ingest/unassigned-readings.ts';
import {
  deleteDevicePeriod,
  firstUndonePeriod,
} from '../../../../store/moisture/device-periods.ts';
import { companyIdOf } from '../../../../store/scope/company-db.ts';
import type { Store } from '../../../../store/store.ts';
import type { CompanyDb } from '../../../../store/tables.ts';
import { writeInSteps } from '../../../write-in-steps.ts';
import { loadSensorIndex } from '../../sensor-index-cache.ts';
import { unassignedReadingOf } from '../device-readings.ts';

// The undo of an assignment marks the periods of the device. Each later transaction moves some of
// their readings from the sensor to those of the device that wait for an assignment, the newest first.

const READINGS_PER_STEP = 500;

/** Moves some readings in one transaction. */
export async function returnSomeReadings(db: CompanyDb): Promise<{ readonly isFinished: boolean }> {
  const period = await firstUndonePeriod(db);
  if (period === null) return { isFinished: true };

  const { id, device, sensorId, isShared, fromAt, untilAt, assignment } = period;
  const sensor = (await loadSensorIndex(db)).sensorById.get(sensorId);
  // Others may have written within the period since it was marked.
  const readings =
    isShared || untilAt === null || sensor === undefined
      ? []
      : await deleteNewestReadings(db, sensorId, {
          from: fromAt,
          to: untilAt,
          limit: READINGS_PER_STEP,
        });

  if (sensor !== undefined && (await deviceNamed(db, device)) !== undefined) {
    const chosen: ChosenFields = JSON.parse(assignment);
    const returned = readings.map(({ at, value }) =>
      unassignedReadingOf(chosen, device, { ...sensor, at, value }),
    );
    await restoreUnassignedReadings(db, device, returned);
  }

  if (readings.length < READINGS_PER_STEP) await deleteDevicePeriod(db, id);
  return { isFinished: false };
}

export const returnReadings = (
  store: Store,
  companyId: number,
  signal?: AbortSignal,
): Promise<void> => writeInSteps(store, companyId, returnSomeReadings, signal);

/** For a change of assignments: readings that wait to be moved. */
export const unreturnedReadings: PendingWork = async ({ db }) => {
  if ((await firstUndonePeriod(db)) === null) return null;
  const companyId = companyIdOf(db);
  return { needed: (store) => returnReadings(store, companyId) };
};
