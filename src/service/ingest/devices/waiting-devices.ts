import type { WaitingDevices } from '../../../domain/facts/farm-facts.ts';
import { groupBy } from '../../../domain/groups.ts';
import { isReadInPart, type UnreadReason } from '../../../domain/ingest/unread-reason.ts';
import { firstOf } from '../../../domain/items.ts';
import type { ListedDevice } from '../../../schema/ingest/device.ts';

interface MessageReason {
  readonly sender: string;
  readonly reason: UnreadReason;
}

/** `data` are the devices without a module, `unread` the messages, the newest first. */
export const toWaitingDevices = (
  data: readonly ListedDevice[],
  unread: readonly MessageReason[],
): WaitingDevices => ({
  unassigned: data.map(({ device, newest }) => ({ name: device, newest })),
  unread: [...groupBy(unread, ({ sender }) => sender).values()].map((messages) => {
    const { sender, reason } = firstOf(messages);
    return { sender, reason: reason.text, isReadInPart: isReadInPart(reason) };
  }),
});
