import type { WaitingDevices } from '../../../domain/facts/farm-facts.ts';
import { groupBy } from '../../../domain/groups.ts';
import { firstOf } from '../../../domain/items.ts';
import type { ListedDevice, ListedUnread } from '../../../schema/ingest/device.ts';

interface ListedDevices {
  /** Those without a module. */
  readonly data: readonly ListedDevice[];
  /** The newest first. An older service does not list them. */
  readonly unread?: readonly ListedUnread[];
}

export const toWaitingDevices = ({ data, unread = [] }: ListedDevices): WaitingDevices => ({
  unassigned: data.map(({ device, newest }) => ({ name: device, newest })),
  unread: [...groupBy(unread, ({ sender }) => sender).values()].map((messages) => {
    const { sender, reason } = firstOf(messages);
    return { sender, reason };
  }),
});
