import { normalizeDeviceId } from '../../../domain/ingest/payload-values.ts';
import { receivedReason } from '../../../domain/ingest/unread-reason.ts';
import { visibleText } from '../../../domain/strings.ts';
import { describeRejections } from '../../../language/ingest/import-report.ts';
import { unreadReasons } from '../../../language/ingest/unread-reasons.ts';
import type { ListedUnread } from '../../../schema/ingest/device.ts';
import { type UnreadItem, unreadItem } from '../../../schema/ingest/ingest-items.ts';
import { toIso } from '../../../schema/wire-format.ts';
import {
  deleteUnreadMessages,
  saveUnreadMessages,
  type UnreadMessage,
  unreadSenders,
} from '../../../store/ingest/unread-messages.ts';
import type { CompanyDb } from '../../../store/tables.ts';
import { itemExcerpt } from '../batch/item-rejections.ts';
import type { ParsedItems } from '../batch/parsed-items.ts';
import type { SentByDevices } from './sent-by-devices.ts';

/** Invalid items are left out, because they are about messages that gave nothing. */
export function parseUnread(values: Iterable<unknown> = []): UnreadItem[] {
  return [...values].flatMap((value) => {
    const { data } = unreadItem.safeParse(value);
    return data === undefined ? [] : [{ ...data, reason: receivedReason(data.reason) }];
  });
}

/** True for a message without a known field, where a person chose or can choose them. */
export const isOfKnownFields = (
  { sender, reason }: UnreadItem,
  sendersOfFields: ReadonlySet<string>,
): boolean => reason.code === 'no_known_field' && sendersOfFields.has(normalizeDeviceId(sender));

/** Readings of devices that were rejected: the network that sent them reads no answers. */
export function rejectedAsUnread(kinds: readonly ParsedItems<unknown>[]): UnreadItem[] {
  const isReadInPart = (device: string) => kinds.some(({ accepted }) => accepted.has(device));
  return kinds.flatMap(({ rejectedByDevice }) =>
    [...rejectedByDevice].map(([device, { item, reasons }]) => {
      const why = describeRejections(reasons, 'en');
      return {
        sender: device,
        reason: isReadInPart(device)
          ? unreadReasons.valueRefused(why)
          : unreadReasons.noValidValue(why),
        payload: itemExcerpt(item),
      };
    }),
  );
}

/** A device that gives readings again is no longer listed. */
export async function updateUnread(
  db: CompanyDb,
  now: number,
  { senders, items }: SentByDevices,
  unread: readonly UnreadItem[],
): Promise<void> {
  const assignedByMap = [...items].flatMap(([name, { module }]) =>
    module === undefined ? [] : [name],
  );
  const read = [...senders, ...assignedByMap];
  if (read.length > 0) {
    const listed = await unreadSenders(db);
    await deleteUnreadMessages(
      db,
      read.filter((name) => listed.has(name)),
    );
  }

  const rows = new Map<string, UnreadMessage>();
  for (const { sender, via, reason, payload } of unread) {
    const name = visibleText(normalizeDeviceId(sender));
    rows.set(name, {
      sender: name,
      received_at: now,
      via: via === undefined ? null : visibleText(via),
      reason: { ...reason, text: visibleText(reason.text) },
      payload: payload === undefined ? null : visibleText(payload),
    });
  }
  if (rows.size > 0) await saveUnreadMessages(db, [...rows.values()], now);
}

export const listedUnread = ({
  sender,
  via,
  received_at: receivedAt,
  reason,
  payload,
}: UnreadMessage): ListedUnread => ({
  sender,
  via,
  receivedAt: toIso(receivedAt),
  reason: reason.text,
  payload,
});
