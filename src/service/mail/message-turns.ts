import type { Kysely } from 'kysely';
import {
  gatheredMessages,
  gatheringEnd,
  getsMany,
  type WaitingMessage,
} from '../../domain/alerts/message-gathering.ts';
import { firstOf } from '../../domain/items.ts';
import { LocalDay } from '../../domain/local-day.ts';
import { DAY_MS } from '../../domain/periods.ts';
import { DEFAULT_TIME_ZONE } from '../../schema/company/company.ts';
import { companyById } from '../../store/company/companies.ts';
import {
  type Channel,
  type DueMessage,
  earlierMessages,
  type Recipient,
  waitingMessagesOf,
  waitingRecipients,
} from '../../store/mail/outbox.ts';
import { recentDeliveries } from '../../store/mail/recent-deliveries.ts';
import type { Tables } from '../../store/tables.ts';

/** The messages that one delivery takes to a person. */
export interface GatheredDelivery {
  readonly recipient: Recipient;
  readonly messages: readonly [DueMessage, ...DueMessage[]];
}

/** Gives the companies turns, and in a company its people, for the deliveries of one run. */
export class MessageTurns {
  readonly #channel: Channel;
  readonly #longestPauseMs: number;
  /** How many deliveries a company, or a person, has had. */
  readonly #deliveries = new Map<string, number>();
  /** When those are due for whom messages are still being gathered. */
  readonly #gathering = new Map<string, number>();

  constructor(channel: Channel, longestPauseMs: number) {
    this.#channel = channel;
    this.#longestPauseMs = longestPauseMs;
  }

  /** When the first of the messages is due that are still being gathered; null without any. */
  get nextDueAt(): number | null {
    return this.#gathering.size === 0 ? null : Math.min(...this.#gathering.values());
  }

  async next(all: Kysely<Tables>, now: number): Promise<GatheredDelivery | null> {
    const due = { now, latestDueAt: now + this.#longestPauseMs };
    const recipients = await waitingRecipients(all, this.#channel, due);
    const waiting = recipients.filter((each) => !this.#gathering.has(nameOf(each)));

    for (const recipient of this.#inTurn(waiting)) {
      const messages = togetherWithFirst(await waitingMessagesOf(all, recipient, due));
      if (messages === null) continue;

      const dueAt = await deliveryDueAt(all, recipient, messages);
      // A message of the future was written with another clock.
      if (dueAt <= now || messages[0].createdAt > now) return { recipient, messages };
      this.#gathering.set(nameOf(recipient), dueAt);
    }

    return null;
  }

  record(recipient: Recipient): void {
    for (const name of [companyNameOf(recipient), nameOf(recipient)])
      this.#deliveries.set(name, this.#count(name) + 1);
  }

  #inTurn(recipients: readonly Recipient[]): Recipient[] {
    return recipients.toSorted(
      (a, b) =>
        this.#count(companyNameOf(a)) - this.#count(companyNameOf(b)) ||
        this.#count(nameOf(a)) - this.#count(nameOf(b)),
    );
  }

  #count(name: string): number {
    return this.#deliveries.get(name) ?? 0;
  }
}

const companyNameOf = ({ companyId }: Recipient): string => `company ${companyId}`;

const nameOf = ({ companyId, userId, sessionId, to }: Recipient): string =>
  `${companyId} ${userId} ${sessionId} ${to}`;

/** A delivery that failed is repeated with the same messages, since it may have arrived. */
function togetherWithFirst(messages: readonly DueMessage[]): GatheredDelivery['messages'] | null {
  const [first] = messages;
  if (first === undefined) return null;

  const { messageId } = first;
  const others = messages.slice(1).filter((message) => message.messageId === messageId);
  if (messageId !== null) return [first, ...others];
  return [first, ...gatheredMessages([first, ...others]).slice(1)];
}

async function deliveryDueAt(
  all: Kysely<Tables>,
  recipient: Recipient,
  messages: GatheredDelivery['messages'],
): Promise<number> {
  const [{ messageId, createdAt }] = messages;
  if (messageId !== null) return createdAt;

  const recent = await recentDeliveries(all, recipient);
  // Who gets few messages waits for none, first or not.
  const isFirst = getsMany(createdAt, recent) ? await firstOfDay(all, recipient) : () => true;

  const waiting: WaitingMessage[] = [];
  for (const message of messages)
    waiting.push({ createdAt: message.createdAt, isFirst: await isFirst(message) });
  return gatheringEnd([firstOf(waiting), ...waiting.slice(1)], recent);
}

async function firstOfDay(all: Kysely<Tables>, recipient: Recipient) {
  const company = await companyById(all, recipient.companyId);
  const zone = company?.timezone ?? DEFAULT_TIME_ZONE;

  return async (message: DueMessage): Promise<boolean> => {
    const { alertId, kind, createdAt } = message;
    if (kind === 'resolved' || kind === 'reminder') return false;
    if (alertId === null) return true;

    const day = LocalDay.at(createdAt, zone).iso;
    // A local day may have 25 hours.
    const earlier = await earlierMessages(all, recipient, message, createdAt - 2 * DAY_MS);
    return earlier.every((at) => LocalDay.at(at, zone).iso !== day);
  };
}
