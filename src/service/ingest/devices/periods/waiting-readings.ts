import type { Call, CheckContext, StagedCall } from '../../../../operation/call.ts';
import { addChangePart } from '../../../../store/changes/change-parts.ts';
import { undoneBy } from '../../../../store/changes/changes.ts';
import { periodsOfDevice } from '../../../../store/moisture/device-periods.ts';
import { companyIdOf, recordingDb } from '../../../../store/scope/company-db.ts';
import { RowRecorder } from '../../../../store/scope/row-recorder.ts';
import type { CompanyDb } from '../../../../store/tables.ts';
import { writeInSteps } from '../../../write-in-steps.ts';
import { ingestBatch } from '../../batch/batch-ingest.ts';
import { hasWaitingReadings, loadDevices, WAITING_READINGS_PER_STEP } from '../device-readings.ts';
import { isCurrent } from './written-periods.ts';

// Readings wait for the assignment of their device. Its transaction writes them if they are few;
// otherwise later ones each write some, the oldest first, as parts of the change. After a kill, the
// jobs and the next messages of the device write the rest.

type DeviceNames = ReadonlySet<string>;

/**
 * Writes the readings that devices sent before they were assigned: in this transaction or, if there
 * are many, after it.
 */
export async function writeWaitingReadings(call: Call, devices: DeviceNames): Promise<void> {
  const { db } = call;
  const waiting = await loadDevices(db, devices, WAITING_READINGS_PER_STEP + 1);
  const { length } = waiting.unassignedReadings;
  if (length === 0) return;
  if (length <= WAITING_READINGS_PER_STEP)
    return writeSome(db, call, { devices, isRecorded: true });

  const companyId = companyIdOf(db);
  const assigned = JSON.stringify([...waiting.assignments]);
  call.afterRecording(async (changeId) => {
    const change = { id: changeId, devices, assigned };
    call.afterCommit((store, signal) =>
      writeInSteps(store, companyId, (inStep) => writeNextPart(inStep, call, change), signal),
    );
  });
}

interface AssigningChange {
  readonly id: number;
  readonly devices: DeviceNames;
  /** The assignments that it made. */
  readonly assigned: string;
}

async function writeNextPart(
  db: CompanyDb,
  context: CheckContext,
  { id, devices, assigned }: AssigningChange,
): Promise<{ readonly isFinished: boolean }> {
  const { assignments, unassignedReadings } = await loadDevices(db, devices, 1);
  const isAssignedAsThen = JSON.stringify([...assignments]) === assigned;
  if (unassignedReadings.length === 0 || !isAssignedAsThen) return { isFinished: true };
  if ((await undoneBy(db, id)) !== null) return { isFinished: true };

  // Among readings of its own, what the device sent before is taken back with them.
  const isRecorded = !(await areWriting(db, devices));
  const recorder = new RowRecorder();
  await writeSome(isRecorded ? recordingDb(db, recorder) : db, context, { devices, isRecorded });
  await addChangePart(db, id, recorder);
  return { isFinished: false };
}

async function areWriting(db: CompanyDb, devices: DeviceNames): Promise<boolean> {
  for (const device of devices)
    if ((await periodsOfDevice(db, device)).some(isCurrent)) return true;
  return false;
}

/** Writes those of all devices, as their next messages would. */
export async function writeSomeWaitingReadings(
  db: CompanyDb,
  context: CheckContext,
): Promise<{ readonly isFinished: boolean }> {
  await writeSome(db, context, { devices: null, isRecorded: false });
  return { isFinished: !(await hasWaitingReadings(db)) };
}

async function writeSome(
  db: CompanyDb,
  { now, zone }: CheckContext,
  { devices, isRecorded }: { readonly devices: DeviceNames | null; readonly isRecorded: boolean },
): Promise<void> {
  const inTransaction: StagedCall['write'] = (body) => body(db);
  const transactions = { read: inTransaction, write: inTransaction };
  const names = devices === null ? null : { devices, imeis: new Set<string>() };
  const call = { sender: 'waiting readings', now, zone, ...transactions };
  const writeLastStage = await ingestBatch(call, { readings: [], isRecorded }, names);
  await writeLastStage(db);
}
