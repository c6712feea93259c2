import { nameOnNetwork } from '../../../domain/ingest/device-sources.ts';
import { normalizeDeviceId } from '../../../domain/ingest/payload-values.ts';
import { MAX_UNASSIGNED_DEVICES } from '../../../domain/ingest/unassigned-devices.ts';
import { visibleText } from '../../../domain/strings.ts';
import type { RainCounter } from '../../../domain/weather/rain-counter.ts';
import type { DeviceItem } from '../../../schema/ingest/ingest-items.ts';
import {
  type DeviceRow,
  type DeviceStatus,
  deleteEarlyStatuses,
  saveDeviceStatus,
  statusOfDevices,
} from '../../../store/ingest/devices.ts';
import type { CompanyDb } from '../../../store/tables.ts';
import type { BatchContext } from '../batch/batch-context.ts';
import { ReadingTimeParser } from '../reading-times.ts';
import { type Receiver, recordReceivers } from './receivers.ts';
import type { SentByDevices } from './sent-by-devices.ts';

interface StatusContext extends Pick<BatchContext, 'zone' | 'now'> {
  readonly sender: string;
  readonly source: string | undefined;
}

/** Saves what the items say, and that each device was seen. */
export async function saveStatuses(
  db: CompanyDb,
  { now, zone, sender, source: batchSource }: StatusContext,
  { unassigned, items, rainCounters }: SentByDevices,
  devices: ReadonlyMap<string, DeviceRow>,
): Promise<void> {
  const statuses = await statusOfDevices(db, [...devices.keys()]);
  const sending = new Set(unassigned.map(({ reading }) => reading.device));
  const times = new ReadingTimeParser({ zone, now });
  const receivers: Receiver[] = [];

  for (const [name, { module_id: moduleId }] of devices) {
    const { payload, source = batchSource, ...item }: Partial<DeviceItem> = items.get(name) ?? {};
    // A payload without a reading is only the status that a network sends, so it is not shown.
    const payloadToShow = sending.has(name) ? payload : undefined;
    const stored = statuses.get(name);
    const status = mergeStatus(
      { ...item, payload: payloadToShow },
      timeOf(item, times, now),
      stored,
    );

    const sentBy = source ?? stored?.source ?? null;
    await saveDeviceStatus(db, {
      ...status,
      device: name,
      payload: moduleId === null ? status.payload : null,
      sender: stored?.sender ?? sender,
      source: moduleId === null ? sentBy : (stored?.source ?? source ?? null),
      model: modelOnNetwork(item.model, sentBy) ?? stored?.model ?? null,
      listed_at: stored?.listed_at ?? null,
      rain_counter: toJson(rainCounters.get(name)) ?? stored?.rain_counter ?? null,
    });
    if (moduleId !== null && status.gateway !== null)
      receivers.push({ moduleId, imei: status.gateway, at: status.last_seen_at });
  }

  await recordReceivers(db, receivers, now);
}

/**
 * Saves the battery of devices that have not given a reading yet, because some send it first, and
 * hours apart. They are not listed before.
 */
export async function saveEarlyStatuses(
  db: CompanyDb,
  { now, zone, sender }: StatusContext,
  { items }: SentByDevices,
  devices: ReadonlyMap<string, DeviceRow>,
): Promise<void> {
  const times = new ReadingTimeParser({ zone, now });
  const early = [...items]
    .filter(
      ([name, { batteryPercent, batteryV }]) =>
        !devices.has(name) && (batteryPercent ?? batteryV) !== undefined,
    )
    .map(([device, item]) => ({ device, item, at: timeOf(item, times, now) }))
    .sort((a, b) => b.at - a.at)
    .slice(0, MAX_UNASSIGNED_DEVICES);
  if (early.length === 0) return;

  const statuses = await statusOfDevices(
    db,
    early.map(({ device }) => device),
  );
  for (const { device, item, at } of early) {
    const status = mergeStatus(item, at, statuses.get(device));
    const unlisted = { source: null, model: null, listed_at: null, rain_counter: null };
    await saveDeviceStatus(db, { ...status, ...unlisted, device, payload: null, sender });
  }
  await deleteEarlyStatuses(db, MAX_UNASSIGNED_DEVICES);
}

/** Not later than the message, whatever the clock of the device. */
function timeOf({ time }: Partial<DeviceItem>, times: ReadingTimeParser, now: number): number {
  const at = time === undefined ? now : times.parse(time);
  return Number.isNaN(at) ? now : Math.min(at, now);
}

/** Networks may give different devices the same name of a model. */
const modelOnNetwork = (model: string | undefined, source: string | null): string | undefined =>
  model === undefined || source === null ? model : nameOnNetwork(visibleText(model), source);

const toJson = (counter: RainCounter | undefined): string | undefined =>
  counter && JSON.stringify(counter);

type ReportedStatus = Omit<
  DeviceStatus,
  'device' | 'sender' | 'source' | 'model' | 'listed_at' | 'rain_counter'
>;

/**
 * A message has part of the status: one of the network has the battery, a reading the signal. A
 * message older than the stored status only adds values that the stored status lacks.
 */
function mergeStatus(
  item: Partial<DeviceItem>,
  at: number,
  stored: DeviceStatus | undefined,
): ReportedStatus {
  const { payload, batteryPercent, batteryV } = item;
  const isOld = stored !== undefined && at < stored.last_seen_at;
  const preferred = <T>(sent: T | null | undefined, before: T | null | undefined): T | null =>
    (isOld ? (before ?? sent) : (sent ?? before)) ?? null;

  return {
    last_seen_at: Math.max(at, stored?.last_seen_at ?? at),
    payload: preferred(payload === undefined ? null : visibleText(payload), stored?.payload),
    battery_percent: preferred(batteryPercent, stored?.battery_percent),
    battery_v: preferred(batteryV, stored?.battery_v),
    ...(preferred(linkOfItem(item), linkOfStatus(stored)) ?? NO_LINK),
  };
}

/** The radio link to the gateway that received the message best. */
type Link = Pick<DeviceStatus, 'gateway' | 'rssi' | 'snr'>;

const NO_LINK: Link = { gateway: null, rssi: null, snr: null };

const linkOfItem = ({ gateway, rssi, snr }: Partial<DeviceItem>): Link | null =>
  gateway === undefined
    ? null
    : { gateway: normalizeDeviceId(gateway), rssi: rssi ?? null, snr: snr ?? null };

const linkOfStatus = (status: DeviceStatus | undefined): Link | null =>
  status?.gateway == null ? null : { gateway: status.gateway, rssi: status.rssi, snr: status.snr };
