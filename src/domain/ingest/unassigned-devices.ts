import { entryOf } from '../items.ts';
import { DAY_MS } from '../periods.ts';

/** The limit holds per company, because anything can send on a shared broker. */
export const MAX_UNASSIGNED_DEVICES = 200;

/** After this long without a message a device may be replaced by a new one of any sender. */
const SILENT_AFTER_MS = 30 * DAY_MS;

export interface UnassignedDevice {
  readonly name: string;
  /** Null if unknown. Devices of unknown senders count as those of one. */
  readonly sender: string | null;
  readonly firstSeenAt: number;
  readonly lastSeenAt: number;
  /** Somebody has seen it in a list, or named it. */
  readonly isListed: boolean;
}

export interface NewDevices {
  readonly names: readonly string[];
  readonly sender: string;
  /** The devices of the same batch, which are not replaced. */
  readonly sending: ReadonlySet<string>;
  readonly now: number;
}

export interface AdmittedDevices {
  readonly added: ReadonlySet<string>;
  readonly replaced: readonly string[];
}

/**
 * Says which new devices are added, and which stored ones they replace. Below the limit a sender
 * may have any number. At the limit a sender with less than its share replaces devices of those
 * with more, and one with its share replaces its own devices that nobody has seen.
 */
export function admitDevices(
  stored: readonly UnassignedDevice[],
  { names, sender, sending, now }: NewDevices,
): AdmittedDevices {
  const devices = [...stored];
  const added = new Set<string>();
  const replaced: string[] = [];

  for (const name of names) {
    if (devices.length >= MAX_UNASSIGNED_DEVICES) {
      const device = deviceToReplace(devices, { sender, sending, now });
      if (device === null) break;
      devices.splice(devices.indexOf(device), 1);
      replaced.push(device.name);
    }
    devices.push({ name, sender, firstSeenAt: now, lastSeenAt: now, isListed: false });
    added.add(name);
  }

  return { added, replaced };
}

function deviceToReplace(
  devices: readonly UnassignedDevice[],
  { sender, sending, now }: Omit<NewDevices, 'names'>,
): UnassignedDevice | null {
  const replaceable = devices.filter(({ name }) => !sending.has(name));
  const silent = replaceable.filter(({ lastSeenAt }) => lastSeenAt < now - SILENT_AFTER_MS);
  if (silent.length > 0) return firstBy(byLastMessage, silent);

  const counts = countBySender(devices, sender);
  const share = Math.max(1, Math.floor(MAX_UNASSIGNED_DEVICES / counts.size));
  const countOf = (device: UnassignedDevice): number => entryOf(counts, device.sender);

  const aboveShare = replaceable.filter((device) => countOf(device) > share);
  if (entryOf(counts, sender) < share && aboveShare.length > 0) {
    const most = Math.max(...aboveShare.map(countOf));
    return firstBy(
      bySeen,
      aboveShare.filter((device) => countOf(device) === most),
    );
  }

  const isOwnUnseen = (device: UnassignedDevice): boolean =>
    device.sender === sender && !device.isListed;

  return firstBy(bySeen, replaceable.filter(isOwnUnseen));
}

function countBySender(
  devices: readonly UnassignedDevice[],
  newSender: string,
): Map<string | null, number> {
  const counts = new Map<string | null, number>([[newSender, 0]]);
  for (const { sender } of devices) counts.set(sender, (counts.get(sender) ?? 0) + 1);
  return counts;
}

type Order = (a: UnassignedDevice, b: UnassignedDevice) => number;

const byLastMessage: Order = (a, b) => a.lastSeenAt - b.lastSeenAt;

/**
 * Devices that nobody has seen come first, from the oldest; then the others, from the longest
 * silent.
 */
const bySeen: Order = (a, b) => {
  if (a.isListed !== b.isListed) return a.isListed ? 1 : -1;
  return a.isListed ? byLastMessage(a, b) : a.firstSeenAt - b.firstSeenAt;
};

const firstBy = (order: Order, devices: readonly UnassignedDevice[]): UnassignedDevice | null =>
  devices.toSorted(order)[0] ?? null;
