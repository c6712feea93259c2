import type { ChosenFields } from '../../../domain/ingest/field-choices.ts';
import { isReadInPart } from '../../../domain/ingest/unread-reason.ts';
import { entryOf } from '../../../domain/items.ts';
import { moduleDisplayName } from '../../../language/default-names.ts';
import type { Call } from '../../../operation/call.ts';
import type { ListedDevice } from '../../../schema/ingest/device.ts';
import { toIsoOrNull } from '../../../schema/wire-format.ts';
import { moduleNames } from '../../../store/company/modules.ts';
import {
  allDevices,
  type DeviceRow,
  type DeviceStatus,
  deviceModels,
  markDevicesListed,
  statusOfDevices,
} from '../../../store/ingest/devices.ts';
import {
  devicesWithReadings,
  newestUnassignedReadings,
  type UnassignedReading,
} from '../../../store/ingest/unassigned-readings.ts';
import { unreadMessages } from '../../../store/ingest/unread-messages.ts';
import { assignmentOf, chosenFieldsOf, depthOnDevice, toSensorReading } from './device-readings.ts';
import { listedUnread } from './unread-messages.ts';

interface DeviceQuery {
  readonly isAssigned?: boolean | undefined;
  readonly limit: number;
}

export async function listDevices(call: Call, query: DeviceQuery) {
  const data = await listedDevices(call, query);
  const unread = await unreadMessages(call.db, call.now);
  const positions = unread.flatMap(({ reason }, position) =>
    isReadInPart(reason) ? [position] : [],
  );
  if (positions.length > 0) call.advise({ kind: 'messages_read_in_part', positions });
  return { data, unread: unread.map(listedUnread) };
}

export async function listedDevices(
  call: Call,
  { isAssigned, limit }: DeviceQuery,
): Promise<ListedDevice[]> {
  const { db, lang } = call;
  const modules = new Map((await moduleNames(db)).map((module) => [module.id, module]));
  const rows = (await allDevices(db)).filter(
    (row) => isAssigned === undefined || isAssigned === (row.module_id !== null),
  );
  const names = rows.map(({ name }) => name);
  const fieldsOfModels = new Map((await deviceModels(db)).map((row) => [row.model, row]));
  const sending = await devicesWithReadings(db);
  const statuses = await statusOfDevices(db, names);
  const seenAt = (row: DeviceRow): number => statuses.get(row.name)?.last_seen_at ?? 0;

  const unassigned = rows.filter(isUnassigned).sort((a, b) => seenAt(b) - seenAt(a));
  const assigned = rows.filter((row) => !isUnassigned(row));
  const listed = [...unassigned, ...assigned].slice(0, limit);
  const data: ListedDevice[] = [];

  for (const row of listed) {
    const module = row.module_id === null ? null : entryOf(modules, row.module_id);
    const name = module && (moduleDisplayName(module, lang) ?? module.uid);
    const status = statuses.get(row.name);
    const newest = sending.has(row.name) ? await newestUnassignedReadings(db, row.name) : [];
    const chosen = chosenFieldsOf(fieldsOfModels.get(status?.model ?? ''));
    data.push({ ...listedDevice(row, status, newest, chosen), module: name });
  }

  const notListedBefore = listed.filter((row) => statuses.get(row.name)?.listed_at === null);
  markListedAfterCommit(call, notListedBefore.filter(isUnassigned));
  return data;
}

/** A device that somebody has seen is not deleted for newer ones of its sender. */
function markListedAfterCommit(
  { company, now, afterCommit }: Call,
  devices: readonly DeviceRow[],
): void {
  if (devices.length === 0) return;
  const names = devices.map(({ name }) => name);
  afterCommit((store) => store.write(company.id, (db) => markDevicesListed(db, names, now)));
}

const isUnassigned = ({ module_id: moduleId }: DeviceRow): boolean => moduleId === null;

/** `chosen` are the fields of its model. */
function listedDevice(
  row: DeviceRow,
  status: DeviceStatus | undefined,
  newest: Awaited<ReturnType<typeof newestUnassignedReadings>>,
  chosen: ChosenFields,
) {
  const assignment = assignmentOf(row);
  return {
    device: row.name,
    moduleId: row.module_id,
    depths: [...(assignment?.depths ?? [])],
    lastSeenAt: toIsoOrNull(status?.last_seen_at ?? null),
    batteryPercent: status?.battery_percent ?? null,
    batteryV: status?.battery_v ?? null,
    gateway: status?.gateway ?? null,
    rssi: status?.rssi ?? null,
    snr: status?.snr ?? null,
    storedUnassigned: newest.reduce((sum, { count }) => sum + count, 0),
    newest: newest.map((reading) => listedReading(reading, chosen)),
    payload: assignment === null ? (status?.payload ?? null) : null,
  };
}

/** A field of a known model as what it measures. */
function listedReading(reading: UnassignedReading, chosen: ChosenFields) {
  const measured = toSensorReading(reading, chosen);
  if (measured === null) return { type: reading.type, depth: null, value: reading.value };

  const { type, value } = measured;
  return { type, depth: depthOnDevice(chosen, measured), value };
}
