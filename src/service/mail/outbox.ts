import type { Kysely } from 'kysely';
import { itemAt } from '../../domain/items.ts';
import { MINUTE_MS } from '../../domain/periods.ts';
import { releaseLease } from '../../store/leases.ts';
import {
  beginDelivery,
  type Channel,
  type DeliveryResult,
  type DueMail,
  deleteMessage,
  finishDelivery,
  type NewMail,
  nextDueMail,
} from '../../store/mail/outbox.ts';
import type { Store } from '../../store/store.ts';
import type { Tables } from '../../store/tables.ts';
import { claimLease, type LeaseClaim } from '../lease.ts';

/** Each channel has its own lease, so that neither waits for the other. */
const LEASES: Readonly<Record<Channel, string>> = { mail: 'outbox', push: 'push outbox' };
/**
 * A push message is deleted after this many attempts, which take about an hour and a half: later it
 * is of no use.
 */
const MAX_PUSH_ATTEMPTS = 5;
const ATTEMPT_MS = 45_000;
/** How long an attempt may continue after the process got the signal to stop. */
const SHUTDOWN_GRACE_MS = 3_000;
/** Longer than an attempt, so that no other process sends the same message meanwhile. */
const LEASE_MS = MINUTE_MS;
const RETRY_PAUSES_MIN = [1, 5, 15, 60, 120, 240];
/** Pauses vary by this share, so that messages that failed together are not retried together. */
const RETRY_JITTER = 0.1;
const LONGEST_PAUSE_MS = Math.max(...RETRY_PAUSES_MIN) * MINUTE_MS * (1 + RETRY_JITTER);
const MAX_CONSECUTIVE_FAILURES = 3;

/** Every attempt to send a message has the same message id. */
export interface OutgoingMail extends Pick<NewMail, 'to' | 'subject' | 'text' | 'html'> {
  readonly createdAt: number;
  readonly messageId: string;
  /** Null for a message about a probe in doubt. */
  readonly alertId: string | null;
  /** Null for mail. */
  readonly sessionId: number | null;
}

export interface Delivery {
  /**
   * `deferred` is the server's request to retry; `unreachable` includes timeouts and failed logins.
   */
  readonly outcome: 'sent' | 'refused' | 'deferred' | 'unreachable';
  readonly answer: string;
}

export interface MailTransport {
  readonly domain: string;
  send(mail: OutgoingMail, signal: AbortSignal): Promise<Delivery>;
}

export interface OutboxOptions {
  readonly store: Store;
  /** Default: mail. */
  readonly channel?: Channel;
  readonly openTransport: () => Promise<MailTransport>;
  readonly holder: string;
  readonly signal?: AbortSignal | undefined;
  readonly onDelivery?: (outcome: Delivery['outcome']) => void;
}

export interface SendReport {
  readonly sent: number;
  readonly refused: number;
}

/** A message is sent again under the same id if the answer to it could not be recorded. */
export async function sendOutbox({
  store,
  channel = 'mail',
  openTransport,
  holder,
  signal,
  onDelivery,
}: OutboxOptions): Promise<SendReport> {
  const report = { sent: 0, refused: 0 };
  if (signal?.aborted || !(await store.readAll((all) => dueMail(all, channel, Date.now()))))
    return report;

  const transport = await openTransport();
  const lease = { name: LEASES[channel], holder, durationMs: LEASE_MS };
  try {
    for (let failures = 0; failures < MAX_CONSECUTIVE_FAILURES && !signal?.aborted; ) {
      const message = await claimNextMessage(store, { channel, domain: transport.domain, lease });
      if (message === null) break;

      const delivery = await attemptDelivery(transport, message, signal);
      const { outcome } = delivery;
      const isUndeliverable =
        outcome === 'refused' || (outcome !== 'sent' && message.attempts >= MAX_PUSH_ATTEMPTS);
      await store.writeUnlocked((all) =>
        channel === 'push' && isUndeliverable
          ? deleteMessage(all, message.id)
          : finishDelivery(all, message.id, toDeliveryResult(delivery, message.attempts)),
      );

      onDelivery?.(outcome);
      if (outcome === 'sent' || outcome === 'refused') report[outcome]++;
      // There are several push services, and the push transport itself stops asking one that fails.
      failures = outcome === 'unreachable' && channel === 'mail' ? failures + 1 : 0;
    }

    return report;
  } finally {
    await store.writeUnlocked((all) => releaseLease(all, lease));
  }
}

const dueMail = (all: Kysely<Tables>, channel: Channel, now: number): Promise<DueMail | null> =>
  nextDueMail(all, channel, now, now + LONGEST_PAUSE_MS);

type ClaimedMessage = DueMail & { readonly messageId: string };

/** The lease row is locked first, so this needs no company lock: calls only ever add messages. */
const claimNextMessage = (
  store: Store,
  { channel, domain, lease }: { channel: Channel; domain: string; lease: LeaseClaim },
): Promise<ClaimedMessage | null> =>
  store.writeUnlocked(async (all) => {
    if (!(await claimLease(all, lease))) return null;
    const now = Date.now();
    const due = await dueMail(all, channel, now);
    if (due === null) return null;
    const messageId = due.messageId ?? `<${due.id}@${domain}>`;
    await beginDelivery(all, { id: due.id, messageId, nextAttemptAt: now + LEASE_MS });
    return { ...due, messageId, attempts: due.attempts + 1 };
  });

async function attemptDelivery(
  transport: MailTransport,
  mail: OutgoingMail,
  signal: AbortSignal | undefined,
): Promise<Delivery> {
  const timeout = new AbortController();
  const abortAfter = (ms: number) => setTimeout(() => timeout.abort(), ms);

  const timers = [abortAfter(ATTEMPT_MS)];
  const onStop = () => timers.push(abortAfter(SHUTDOWN_GRACE_MS));

  if (signal?.aborted) onStop();
  signal?.addEventListener('abort', onStop, { once: true });

  try {
    return await transport.send(mail, timeout.signal);
  } finally {
    signal?.removeEventListener('abort', onStop);
    for (const timer of timers) clearTimeout(timer);
  }
}

function toDeliveryResult({ outcome, answer }: Delivery, attempts: number): DeliveryResult {
  const at = Date.now();
  if (outcome === 'sent' || outcome === 'refused') return { state: outcome, answer, at };
  return { state: 'waiting', answer, nextAttemptAt: at + retryPauseMs(attempts, Math.random()) };
}

export function retryPauseMs(attempts: number, random: number): number {
  const minutes = itemAt(RETRY_PAUSES_MIN, Math.min(attempts, RETRY_PAUSES_MIN.length) - 1);
  return Math.round(minutes * MINUTE_MS * (1 + RETRY_JITTER * (2 * random - 1)));
}
