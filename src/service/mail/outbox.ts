import { releaseLease, takeLease } from '../../store/leases.ts';
import {
  beginDelivery,
  type DeliveryResult,
  type DueMail,
  finishDelivery,
  type NewMail,
  nextDueMail,
} from '../../store/mail/outbox.ts';
import type { Store } from '../../store/store.ts';

const LEASE = 'outbox';
/** How long one attempt may take, in ms. */
const ATTEMPT_MS = 45_000;
/** How long an attempt goes on when the sender is to stop, in ms. */
const SHUTDOWN_GRACE_MS = 3_000;
/** Longer than an attempt: whoever dies in the middle holds the others up no longer than this. Real time, ms. */
const LEASE_MS = 60_000;
/** Pauses after the first attempts that failed, in minutes; the last one repeats. */
const RETRY_PAUSES_MIN = [1, 5, 15, 60, 120, 240];
/** Pauses vary by this share, so that messages that failed together do not return together. */
const RETRY_JITTER = 0.1;
/** A server that was out of reach this often in a row is left alone until the next time. */
const MAX_CONSECUTIVE_FAILURES = 3;

/** A message on its way to the mail server, always under the same id. */
export interface OutgoingMail extends Pick<NewMail, 'to' | 'subject' | 'text' | 'html'> {
  /** When it was composed, ms: what it tells of as now. */
  readonly createdAt: number;
  readonly messageId: string;
}

/**
 * What became of one attempt: taken over by the server; refused for good; put off by the server; or the server was out of
 * reach, let us wait or let us not in.
 */
export interface Delivery {
  readonly outcome: 'sent' | 'refused' | 'deferred' | 'unreachable';
  /** The server's words, or what was met instead of them. */
  readonly answer: string;
}

/** The way to a mail server. */
export interface MailTransport {
  /** The domain that ids of messages are made in. */
  readonly domain: string;
  /** One attempt, given up when `signal` says so. Never throws: what went wrong is the answer. */
  send(mail: OutgoingMail, signal: AbortSignal): Promise<Delivery>;
}

export interface OutboxOptions {
  readonly store: Store;
  /** Called when there is something to send. */
  readonly openTransport: () => Promise<MailTransport>;
  /** Names this process among those that may hold the lease. */
  readonly holder: string;
  readonly signal?: AbortSignal | undefined;
  /** Hears what became of each attempt. */
  readonly onDelivery?: (outcome: Delivery['outcome']) => void;
}

export interface SendReport {
  readonly sent: number;
  readonly refused: number;
}

/**
 * Sends what is due, oldest first, one message after the other; another process that is at it is left to it. No
 * transaction is open while the server is spoken with. A message that was answered is not sent again; one whose answer
 * was not recorded is, under the same id.
 */
export async function sendOutbox(sending: OutboxOptions): Promise<SendReport> {
  const { store, openTransport, holder, signal, onDelivery } = sending;
  const report = { sent: 0, refused: 0 };
  if (signal?.aborted || !(await store.readAll((all) => nextDueMail(all, Date.now())))) return report;
  const transport = await openTransport();
  try {
    for (let misses = 0; misses < MAX_CONSECUTIVE_FAILURES && !signal?.aborted; ) {
      const message = await claimNextMessage(store, transport.domain, holder);
      if (message === null) break;
      const delivery = await attemptDelivery(transport, message, signal);
      // One row, and only while it still waits.
      await store.writeUnlocked((all) => finishDelivery(all, message.id, toTryResult(delivery, message.tries)));
      onDelivery?.(delivery.outcome);
      if (delivery.outcome === 'sent' || delivery.outcome === 'refused') report[delivery.outcome]++;
      misses = delivery.outcome === 'unreachable' ? misses + 1 : 0;
    }
    return report;
  } finally {
    await store.writeUnlocked((all) => releaseLease(all, { name: LEASE, holder }));
  }
}

type ClaimedMessage = DueMail & { readonly messageId: string };

/**
 * The oldest message that is due, marked as tried, under a lease that outlasts the attempt; null without one, or where
 * another sends. In no company's turn: the lease's row is taken first and held to the end, so that whoever else comes
 * waits and finds it taken, and of a message books write no more than that it waits.
 */
const claimNextMessage = (store: Store, domain: string, holder: string): Promise<ClaimedMessage | null> =>
  store.writeUnlocked(async (all) => {
    const now = Date.now();
    if (!(await takeLease(all, { name: LEASE, holder, until: now + LEASE_MS }, now))) return null;
    const due = await nextDueMail(all, now);
    if (due === null) return null;
    const messageId = due.messageId ?? `<${due.id}@${domain}>`;
    await beginDelivery(all, { id: due.id, messageId, nextTryAt: now + LEASE_MS });
    return { ...due, messageId, tries: due.tries + 1 };
  });

/** One attempt, which ends in time whatever the server does, and soon when the sender is to stop. */
async function attemptDelivery(
  transport: MailTransport,
  mail: OutgoingMail,
  signal: AbortSignal | undefined,
): Promise<Delivery> {
  const giveUp = new AbortController();
  const timers = [setTimeout(() => giveUp.abort(), ATTEMPT_MS)];
  const leave = () => timers.push(setTimeout(() => giveUp.abort(), SHUTDOWN_GRACE_MS));
  if (signal?.aborted) leave();
  signal?.addEventListener('abort', leave, { once: true });
  try {
    return await transport.send(mail, giveUp.signal);
  } finally {
    signal?.removeEventListener('abort', leave);
    for (const timer of timers) clearTimeout(timer);
  }
}

function toTryResult({ outcome, answer }: Delivery, tries: number): DeliveryResult {
  const at = Date.now();
  if (outcome === 'sent' || outcome === 'refused') return { state: outcome, answer, at };
  return { state: 'waiting', answer, nextTryAt: at + retryPauseMs(tries, Math.random()) };
}

/** The pause in ms after so many attempts, drawn by a number of 0 to 1. */
export function retryPauseMs(tries: number, random: number): number {
  const minutes = RETRY_PAUSES_MIN[Math.min(tries, RETRY_PAUSES_MIN.length) - 1]!;
  return Math.round(minutes * 60_000 * (1 + RETRY_JITTER * (2 * random - 1)));
}
