import { HOUR_MS, MINUTE_MS } from '../periods.ts';
import { MESSAGES_PER_HOUR } from '../shares/bounded-things.ts';

/** A minute less than the longest wait, because cron may send only once a minute. */
export const GATHERING_MS = 9 * MINUTE_MS;

/** A message that waits. Instants are in ms, by the clock that composed it. */
export interface WaitingMessage {
  readonly createdAt: number;
  /** It is the first of its kind about its alert on that day, and neither recovery nor reminder. */
  readonly isFirst: boolean;
}

/** The messages that go together with the first; `messages` are in the order of their creation. */
export function gatheredMessages<M extends { readonly createdAt: number }>(
  messages: readonly M[],
): M[] {
  const [first] = messages;
  if (first === undefined) return [];
  return messages.filter(({ createdAt }) => createdAt <= first.createdAt + GATHERING_MS);
}

/**
 * When messages to one person that go together are due. `recent` has the instants of the messages
 * that were sent to the person.
 */
export function gatheringEnd(
  messages: readonly [WaitingMessage, ...WaitingMessage[]],
  recent: readonly number[],
): number {
  const urgent = messages.find(({ isFirst }) => isFirst);
  const { createdAt } = urgent ?? messages[0];
  if (urgent === undefined && getsMany(createdAt, recent)) return createdAt + GATHERING_MS;

  const minute = minuteOf(createdAt);
  const isMinuteTaken = recent.some((at) => minuteOf(at) === minute);
  return isMinuteTaken ? (minute + 1) * MINUTE_MS : createdAt;
}

export const getsMany = (at: number, recent: readonly number[]): boolean =>
  recent.filter((sentAt) => sentAt > at - HOUR_MS).length >= MESSAGES_PER_HOUR;

const minuteOf = (at: number): number => Math.floor(at / MINUTE_MS);
