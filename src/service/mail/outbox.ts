import type { Kysely } from 'kysely';
import type { JobRunner } from '../../domain/alerts/job-rounds.ts';
import { itemAt, lastOf } from '../../domain/items.ts';
import { MINUTE_MS } from '../../domain/periods.ts';
import { recordMailAttempt } from '../../store/job-rounds.ts';
import { releaseLease } from '../../store/leases.ts';
import {
  beginDelivery,
  type Channel,
  type DeliveryResult,
  deleteMessages,
  finishDelivery,
  type Recipient,
} from '../../store/mail/outbox.ts';
import { recordDelivery } from '../../store/mail/recent-deliveries.ts';
import type { Store } from '../../store/store.ts';
import type { Tables } from '../../store/tables.ts';
import { claimLease, type LeaseClaim } from '../lease.ts';
import { composeDelivery } from './composed-delivery.ts';
import { MessageTurns } from './message-turns.ts';
import type { Delivery, MailTransport, OutgoingMail } from './transport.ts';

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

export interface OutboxOptions {
  readonly store: Store;
  /** Default: mail. */
  readonly channel?: Channel;
  readonly openTransport: () => Promise<MailTransport>;
  readonly holder: string;
  /** The answers of a mail server are recorded for this kind of process; default: not at all. */
  readonly runner?: JobRunner | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onDelivery?: (outcome: Delivery['outcome']) => void;
}

export interface SendReport {
  readonly sent: number;
  readonly refused: number;
  /** When messages are due that are still being gathered; null without any. */
  readonly nextDueAt: number | null;
}

/** A message is sent again under the same id if the answer to it could not be recorded. */
export async function sendOutbox({
  store,
  channel = 'mail',
  openTransport,
  holder,
  runner,
  signal,
  onDelivery,
}: OutboxOptions): Promise<SendReport> {
  const turns = new MessageTurns(channel, LONGEST_PAUSE_MS);
  const report = { sent: 0, refused: 0 };
  const isAnyDue = () => store.readAll((all) => turns.next(all, Date.now()));
  if (signal?.aborted || (await isAnyDue()) === null)
    return { ...report, nextDueAt: turns.nextDueAt };

  const transport = await openTransport();
  const lease = { name: LEASES[channel], holder, durationMs: LEASE_MS };
  try {
    for (let failures = 0; failures < MAX_CONSECUTIVE_FAILURES && !signal?.aborted; ) {
      const claimed = await claimNext(store, { turns, domain: transport.domain, lease });
      if (claimed === null) break;

      const { recipient, ids, mail, attempts } = claimed;
      const delivery = await attemptDelivery(transport, mail, signal);
      const { outcome } = delivery;
      const isUndeliverable =
        outcome === 'refused' || (outcome !== 'sent' && attempts >= MAX_PUSH_ATTEMPTS);
      await store.writeUnlocked(async (all) => {
        if (channel === 'push' && isUndeliverable) return deleteMessages(all, ids);
        await finishDelivery(all, ids, toDeliveryResult(delivery, attempts));
        if (outcome === 'sent') await recordDelivery(all, recipient, claimed);
        if (channel === 'mail' && runner) await recordOutcome(all, runner, outcome);
      });
      turns.record(recipient);

      onDelivery?.(outcome);
      if (outcome === 'sent' || outcome === 'refused') report[outcome]++;
      // There are several push services, and the push transport itself stops asking one that fails.
      failures = outcome === 'unreachable' && channel === 'mail' ? failures + 1 : 0;
    }

    return { ...report, nextDueAt: turns.nextDueAt };
  } finally {
    await store.writeUnlocked((all) => releaseLease(all, lease));
  }
}

/** A server that rejects or postpones one message can be reached, and may accept the next one. */
async function recordOutcome(
  all: Kysely<Tables>,
  runner: JobRunner,
  outcome: Delivery['outcome'],
): Promise<void> {
  const now = Date.now();
  if (outcome === 'sent') await recordMailAttempt(all, runner, 'delivered', now);
  if (outcome === 'unreachable') await recordMailAttempt(all, runner, 'failed', now);
}

interface ClaimedDelivery {
  readonly recipient: Recipient;
  readonly ids: readonly string[];
  readonly mail: OutgoingMail;
  readonly attempts: number;
  /** As the recent deliveries have it. */
  readonly id: string;
  readonly composedAt: number;
}

/** The lease row is locked first, so this needs no company lock: calls only ever add messages. */
const claimNext = (
  store: Store,
  { turns, domain, lease }: { turns: MessageTurns; domain: string; lease: LeaseClaim },
): Promise<ClaimedDelivery | null> =>
  store.writeUnlocked(async (all) => {
    if (!(await claimLease(all, lease))) return null;
    const now = Date.now();
    const next = await turns.next(all, now);
    if (next === null) return null;

    const { recipient, messages } = next;
    const [first] = messages;
    const ids = messages.map(({ id }) => id);
    const messageId = first.messageId ?? `<${first.id}@${domain}>`;
    await beginDelivery(all, { ids, messageId, nextAttemptAt: now + LEASE_MS });

    return {
      recipient,
      ids,
      mail: { ...(await composeDelivery(all, next)), createdAt: first.createdAt, messageId },
      attempts: first.attempts + 1,
      id: first.id,
      composedAt: lastOf(messages).createdAt,
    };
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
