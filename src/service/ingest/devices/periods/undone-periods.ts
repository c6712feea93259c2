import type { DevicePeriod } from '../../../../domain/ingest/device-periods.ts';
import { withoutNulls } from '../../../../domain/items.ts';
import { DAY_MS } from '../../../../domain/periods.ts';
import { moduleDisplayName } from '../../../../language/default-names.ts';
import type { Call } from '../../../../operation/call.ts';
import { toReversals } from '../../../../store/changes/reversals.ts';
import type { Sensor } from '../../../../store/company/sensors.ts';
import { deviceNamed, insertDevice } from '../../../../store/ingest/devices.ts';
import { MAX_UNASSIGNED_READINGS } from '../../../../store/ingest/unassigned-readings.ts';
import {
  deleteDevicePeriod,
  markPeriodUndone,
  periodsOfDevice,
} from '../../../../store/moisture/device-periods.ts';
import { countReadings } from '../../../../store/moisture/reading-lookup.ts';
import { companyIdOf } from '../../../../store/scope/company-db.ts';
import { type ChangedRow, isSameImage } from '../../../../store/scope/recorded-rows.ts';
import { weatherBounds } from '../../../../store/weather/station-readings.ts';
import { type SensorIndex, sensorsOfModule } from '../../sensor-index.ts';
import { loadSensorIndex } from '../../sensor-index-cache.ts';
import { undoneAssignments } from '../assignment-undo.ts';
import type { DeviceAssignment } from '../device-readings.ts';
import { returnReadings } from './returned-readings.ts';
import { endPeriods } from './written-periods.ts';

interface UndoneChange {
  readonly at: number;
  readonly rows: readonly ChangedRow[];
}

/**
 * Takes back what each device has written since its assignment, after the commit, and says how much
 * that is, and of which period the readings are that stay because others may have written them.
 */
export async function takeBackReadings(call: Call, { at, rows }: UndoneChange): Promise<void> {
  const { db } = call;
  const changed = toReversals(rows).filter(
    ({ table, from, to }) => table === 'devices' && !isSameImage(from, to),
  );
  if (changed.length === 0) return;

  const index = await loadSensorIndex(db);
  for (const { key } of changed) await endPeriods(db, String(key));
  for (const [device, assignment] of undoneAssignments(changed)) {
    const module = index.byId.get(assignment.moduleId);
    if (module === undefined) continue;

    const periods = (await periodsOfDevice(db, device, at)).filter(
      ({ sensorId }) => index.sensorById.get(sensorId)?.moduleId === assignment.moduleId,
    );
    const name = moduleDisplayName(module, call.lang) ?? module.uid;
    await takeBack(call, { device, assignment, module: name, periods });
    const sensors = sensorsOf(index, assignment, periods);
    const windows = windowsThatStay(sensors, periods, { start: at, end: call.now + DAY_MS });
    await adviseOfReadingsThatStay(call, { id: module.id, name }, windows, at);
  }
}

interface UndoneAssignment {
  readonly device: string;
  readonly assignment: DeviceAssignment;
  readonly module: string;
  readonly periods: readonly DevicePeriod[];
}

async function takeBack(
  call: Call,
  { device, assignment, module, periods }: UndoneAssignment,
): Promise<void> {
  const { db } = call;
  const { fields, depths } = assignment;
  const total = { count: 0, from: Number.POSITIVE_INFINITY, to: Number.NEGATIVE_INFINITY };
  for (const { id, isShared, sensorId, fromAt, untilAt } of periods) {
    if (isShared || untilAt === null) continue;
    const { count, first, last } = await countReadings(db, sensorId, fromAt, untilAt);
    if (first === null || last === null) {
      await deleteDevicePeriod(db, id);
      continue;
    }
    await markPeriodUndone(db, id, JSON.stringify({ fields, depths }));
    total.count += count;
    total.from = Math.min(total.from, first);
    total.to = Math.max(total.to, last);
  }
  if (total.count === 0) return;

  const stored = await deviceNamed(db, device);
  // It has sent, so it is listed among those that are not assigned.
  if (stored === undefined)
    await insertDevice(db, {
      name: device,
      module_id: null,
      depths: null,
      fields: null,
      first_seen_at: call.now,
    });

  const isAssigned = stored !== undefined && stored.module_id !== null;
  call.advise({
    kind: 'device_readings_taken_back',
    device,
    module,
    isAssigned,
    waitingCount: Math.min(total.count, MAX_UNASSIGNED_READINGS),
    ...total,
  });
  const companyId = companyIdOf(db);
  call.afterCommit((store, signal) => returnReadings(store, companyId, signal));
}

/** The sensors that the device may have measured. */
function sensorsOf(
  index: SensorIndex,
  { moduleId, depths, fields }: DeviceAssignment,
  periods: readonly DevicePeriod[],
): Sensor[] {
  const withoutDepth = fields.some(({ position }) => position === null) ? [null] : [];
  const named = new Set<number | null>([...depths, ...withoutDepth]);
  return sensorsOfModule(index, moduleId).filter(
    ({ id, depth }) =>
      named.size === 0 || named.has(depth) || periods.some(({ sensorId }) => sensorId === id),
  );
}

/** Instants of readings of a sensor, the last one excluded. */
interface Window {
  readonly sensorId: number;
  readonly start: number;
  readonly end: number;
}

/** Where readings are that the device may have written, among those of others. */
function windowsThatStay(
  sensors: readonly Sensor[],
  periods: readonly DevicePeriod[],
  { start, end }: Omit<Window, 'sensorId'>,
): Window[] {
  return sensors.flatMap(({ id: sensorId }) => {
    const own = periods.filter((period) => period.sensorId === sensorId);
    const firstFrom = Math.min(end, ...own.map(({ fromAt }) => fromAt));
    const ofPeriods = own.flatMap(({ isShared, earlyAt, firstAt, fromAt, untilAt }) => [
      ...(isShared ? [{ start: firstAt, end: (untilAt ?? end) + 1 }] : []),
      ...(earlyAt === null ? [] : [{ start: earlyAt, end: fromAt }]),
    ]);
    return [{ start, end: firstFrom }, ...ofPeriods]
      .filter((window) => window.start < window.end)
      .map((window) => ({ sensorId, ...window }));
  });
}

async function adviseOfReadingsThatStay(
  { db, advise }: Pick<Call, 'db' | 'advise'>,
  { id, name }: { readonly id: number; readonly name: string },
  windows: readonly Window[],
  since: number,
): Promise<void> {
  const bounds: Awaited<ReturnType<typeof weatherBounds>> = await weatherBounds(db, id, since);
  for (const { sensorId, start, end } of windows)
    bounds.push(await countReadings(db, sensorId, start, end - 1));

  const instants = bounds.flatMap(({ first, last }) => withoutNulls([first, last]));
  if (instants.length === 0) return;
  const [from, to] = [Math.min(...instants), Math.max(...instants)];
  advise({ kind: 'device_readings_stay', module: name, from, to });
}
