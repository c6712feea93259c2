import { DAY_MS } from '../periods.ts';

const MAX_MESSAGES_PER_SENDER = 3;
/** `others` are no devices: anybody may publish under any topic. */
export const MAX_SENDERS = { devices: 100, others: 20 };
const MAX_AGE_OF_OTHERS_MS = 7 * DAY_MS;

interface Unread {
  readonly sender: string;
  readonly via: string | null;
  readonly received_at: number;
}

/** A message that names no device has as its sender what it came by: a topic, preset or map. */
const namesDevice = ({ sender, via }: Unread): boolean => sender !== via;

/** False for an old message without a device: nothing shows whether its sender was corrected. */
export const isListed = (message: Unread, now: number): boolean =>
  namesDevice(message) || message.received_at > now - MAX_AGE_OF_OTHERS_MS;

/**
 * Messages above the limits: of a sender all but its newest three, and all of the senders whose last
 * message is the oldest. `messages` are the newest first.
 */
export function surplusMessages<Message extends Unread>(
  messages: readonly Message[],
  now: number,
): Message[] {
  const countBySender = new Map<string, number>();
  const senders = { devices: 0, others: 0 };

  return messages.filter((message) => {
    if (!isListed(message, now)) return true;

    const count = countBySender.get(message.sender) ?? 0;
    if (count === 0) {
      const kind = namesDevice(message) ? 'devices' : 'others';
      if (senders[kind] === MAX_SENDERS[kind]) return true;
      senders[kind]++;
    }

    countBySender.set(message.sender, count + 1);
    return count >= MAX_MESSAGES_PER_SENDER;
  });
}
