import { randomUUID } from 'node:crypto';
import { type ExpressionBuilder, type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import { isFormerMember } from '../../domain/company/former-member.ts';
import { chunksOf } from '../../domain/groups.ts';
import { entryOf } from '../../domain/items.ts';
import type { MailKind } from '../../schema/alerts/alert.ts';
import { rowCount } from '../store-statistics.ts';
import type { CompanyDb, Tables } from '../tables.ts';

export interface NewMail {
  /** Null for a message about suspect readings of a probe. */
  readonly alertId: string | null;
  readonly kind: MailKind;
  readonly userId: number;
  /** The session whose device gets it as a push message; absent for mail. */
  readonly sessionId?: number;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export async function addMail(
  db: CompanyDb,
  messages: readonly NewMail[],
  at: number,
): Promise<void> {
  if (messages.length === 0) return;

  await db
    .insertInto('outbox')
    .values(
      messages.map(({ alertId, kind, userId, sessionId = null, to, subject, text, html }) => ({
        id: randomUUID(),
        alert_id: alertId,
        kind,
        user_id: userId,
        session_id: sessionId,
        to_address: to,
        subject,
        text,
        html,
        created_at: at,
        state: 'waiting',
        attempts: 0,
        next_attempt_at: 0,
      })),
    )
    .execute();
}

export interface MailRecipient {
  readonly userId: number;
  readonly email: string;
}

/** No mail reaches a former member, who stays a recipient in the record. */
const membersAmong = async (recipients: Promise<MailRecipient[]>): Promise<MailRecipient[]> =>
  (await recipients).filter((recipient) => !isFormerMember(recipient));

export const mailRecipients = (db: CompanyDb, alertId: string): Promise<MailRecipient[]> =>
  membersAmong(
    db
      .selectFrom('alert_recipients')
      .innerJoin('users', 'users.id', 'alert_recipients.user_id')
      .select(['users.id as userId', 'users.email'])
      .where('alert_recipients.alert_id', '=', alertId)
      .orderBy('alert_recipients.seq')
      .execute(),
  );

/** The recipients of the active alerts of a probe and of its parcel. */
export const alertRecipientsOfProbe = (
  db: CompanyDb,
  module: { readonly id: number; readonly parcelId: number | null },
): Promise<MailRecipient[]> =>
  membersAmong(
    db
      .selectFrom('alert_recipients')
      .innerJoin('alerts', 'alerts.id', 'alert_recipients.alert_id')
      .innerJoin('users', 'users.id', 'alert_recipients.user_id')
      .select(['users.id as userId', 'users.email'])
      .distinct()
      .where('alerts.is_active', '=', 1)
      .where((eb) =>
        eb.or([
          eb('alerts.module_id', '=', module.id),
          ...(module.parcelId === null ? [] : [eb('alerts.parcel_id', '=', module.parcelId)]),
        ]),
      )
      .orderBy('users.id')
      .execute(),
  );

export const ownerRecipients = (db: CompanyDb): Promise<MailRecipient[]> =>
  db
    .selectFrom('users')
    .select(['id as userId', 'email'])
    .where('role', '=', 'OWNER')
    .orderBy('id')
    .execute();

/** Literals, without which the partial indexes on these states would not apply. */
const WAITING = sql.lit('waiting' as const);
const SENT = sql.lit('sent' as const);

export type Channel = 'mail' | 'push';

export interface Recipient {
  readonly companyId: number;
  readonly userId: number;
  /** Null for mail. */
  readonly sessionId: number | null;
  readonly to: string;
}

/** The recipients of messages that are due, by the fewest attempts, then by the oldest message. */
export async function waitingRecipients(
  db: Kysely<Tables>,
  channel: Channel,
  { now, latestDueAt }: DueTime,
): Promise<Recipient[]> {
  return db
    .selectFrom('outbox')
    .select([
      'company_id as companyId',
      'user_id as userId',
      'session_id as sessionId',
      'to_address as to',
    ])
    .where('state', '=', WAITING)
    .where('session_id', channel === 'mail' ? 'is' : 'is not', null)
    .where(isDue(now, latestDueAt))
    .groupBy(['company_id', 'user_id', 'session_id', 'to_address'])
    .orderBy((eb) => eb.fn.min('attempts'))
    .orderBy((eb) => eb.fn.min('seq'))
    .execute();
}

/**
 * A message whose next attempt is after `latestDueAt` was attempted while a clock was wrong, and is
 * due now.
 */
interface DueTime {
  readonly now: number;
  readonly latestDueAt: number;
}

const isDue = (now: number, latestDueAt: number) => (eb: ExpressionBuilder<Tables, 'outbox'>) =>
  eb.or([eb('next_attempt_at', '<=', now), eb('next_attempt_at', '>', latestDueAt)]);

/** Messages of one delivery: enough for all that are written within some minutes. */
const MAX_MESSAGES = 1_000;

/** The messages that are due, in the order in which they were queued. */
export const waitingMessagesOf = (
  db: Kysely<Tables>,
  { companyId, userId, sessionId, to }: Recipient,
  { now, latestDueAt }: DueTime,
) =>
  db
    .selectFrom('outbox')
    .select([
      'id',
      'alert_id as alertId',
      'kind',
      'created_at as createdAt',
      'message_id as messageId',
      'attempts',
    ])
    .where('state', '=', WAITING)
    .where('company_id', '=', companyId)
    .where('user_id', '=', userId)
    .where('session_id', sessionId === null ? 'is' : '=', sessionId)
    .where('to_address', '=', to)
    .where(isDue(now, latestDueAt))
    .orderBy('seq')
    .limit(MAX_MESSAGES)
    .execute();

export type DueMessage = Awaited<ReturnType<typeof waitingMessagesOf>>[number];

/** When messages of the kind about the alert were written for the person since an instant. */
export async function earlierMessages(
  db: Kysely<Tables>,
  { companyId, userId, sessionId }: Recipient,
  { alertId, kind, createdAt }: Pick<DueMessage, 'alertId' | 'kind' | 'createdAt'>,
  since: number,
): Promise<number[]> {
  const rows = await db
    .selectFrom('outbox')
    .select('created_at')
    .where('company_id', '=', companyId)
    .where('alert_id', '=', alertId)
    .where('kind', '=', kind)
    .where('user_id', '=', userId)
    .where('session_id', sessionId === null ? 'is' : '=', sessionId)
    .where('created_at', '>=', since)
    .where('created_at', '<', createdAt)
    .execute();
  return rows.map(({ created_at }) => created_at);
}

/** The texts come in the order of the ids. */
export async function messageTexts(db: Kysely<Tables>, ids: readonly string[]) {
  const texts = new Map<string, { subject: string; text: string; html: string }>();
  for (const chunk of chunksOf(ids, IDS_PER_STATEMENT))
    for (const { id, ...text } of await db
      .selectFrom('outbox')
      .select(['id', 'subject', 'text', 'html'])
      .where('id', 'in', chunk)
      .execute())
      texts.set(id, text);
  return ids.map((id) => entryOf(texts, id));
}

const IDS_PER_STATEMENT = 500;

/**
 * Records that an attempt begins. `nextAttemptAt` is when the messages are due again if the process
 * ends during the attempt.
 */
export async function beginDelivery(
  db: Kysely<Tables>,
  {
    ids,
    messageId,
    nextAttemptAt,
  }: { ids: readonly string[]; messageId: string; nextAttemptAt: number },
): Promise<void> {
  for (const chunk of chunksOf(ids, IDS_PER_STATEMENT))
    await db
      .updateTable('outbox')
      .set((eb) => ({
        message_id: messageId,
        attempts: eb('attempts', '+', 1),
        next_attempt_at: nextAttemptAt,
      }))
      .where('id', 'in', chunk)
      .execute();
}

/** `answer` is the reply of the mail server. `at` and `nextAttemptAt` are real time. */
export type DeliveryResult =
  | { readonly state: 'sent' | 'refused'; readonly answer: string; readonly at: number }
  | { readonly state: 'waiting'; readonly answer: string; readonly nextAttemptAt: number };

export async function finishDelivery(
  db: Kysely<Tables>,
  ids: readonly string[],
  result: DeliveryResult,
): Promise<void> {
  // Kysely leaves out what is undefined.
  for (const chunk of chunksOf(ids, IDS_PER_STATEMENT))
    await db
      .updateTable('outbox')
      .set({
        state: result.state,
        last_response: result.answer,
        sent_at: result.state === 'sent' ? result.at : undefined,
        next_attempt_at: result.state === 'waiting' ? result.nextAttemptAt : undefined,
      })
      .where('id', 'in', chunk)
      .where('state', '=', 'waiting')
      .execute();
}

export async function deleteMessages(db: Kysely<Tables>, ids: readonly string[]): Promise<void> {
  for (const chunk of chunksOf(ids, IDS_PER_STATEMENT))
    await db.deleteFrom('outbox').where('id', 'in', chunk).execute();
}

export const messagesOfUser = (db: CompanyDb, userId: number) =>
  db.selectFrom('outbox').selectAll().where('user_id', '=', userId).orderBy('seq').execute();

/** How many messages to a person are kept. */
export async function messagesToUser(
  db: CompanyDb,
  userId: number,
): Promise<{ readonly sent: number; readonly waiting: number }> {
  const messages = db.selectFrom('outbox').where('user_id', '=', userId);
  return {
    sent: await rowCount(messages.where('state', '=', SENT)),
    waiting: await rowCount(messages.where('state', '!=', SENT)),
  };
}

export async function deleteMailOfUser(db: CompanyDb, userId: number): Promise<void> {
  await db.deleteFrom('outbox').where('user_id', '=', userId).execute();
  await db.deleteFrom('recent_deliveries').where('user_id', '=', userId).execute();
}

export async function retryRefused(db: Kysely<Tables>): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('outbox')
    .set({ state: 'waiting', attempts: 0, next_attempt_at: 0 })
    // Follows from the next condition, but the partial index needs it.
    .where('state', '!=', SENT)
    .where('state', '=', 'refused')
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Makes the next attempts of mail due now, which may be hours ahead after several failures. */
export async function retryWaitingMail(db: Kysely<Tables>): Promise<void> {
  await db
    .updateTable('outbox')
    .set({ next_attempt_at: 0 })
    // Follows from the next condition, but the partial index needs it.
    .where('state', '!=', SENT)
    .where('state', '=', WAITING)
    .where('session_id', 'is', null)
    .where('attempts', '>', 0)
    .execute();
}

export const waitingMessageCount = (db: Kysely<Tables>): Promise<number> =>
  rowCount(db.selectFrom('outbox').where('state', '=', WAITING));

export interface UndeliveredMessages {
  readonly waiting: number;
  readonly refused: number;
  readonly oldestWaitingAt: number | null;
  readonly lastAnswer: string | null;
}

/** The mail of these alerts; without `alertIds`, all mail of the company. */
export async function undeliveredMail(
  db: CompanyDb,
  alertIds?: readonly string[],
): Promise<UndeliveredMessages> {
  let mail = db.selectFrom('outbox').where('state', '!=', SENT).where('session_id', 'is', null);
  // No alert has the id '': PostgreSQL refuses an empty list.
  if (alertIds) mail = mail.where('alert_id', 'in', alertIds.length > 0 ? alertIds : ['']);
  return statisticsOf(mail);
}

/** Includes push messages, and the mail of all companies. */
export const outboxStatistics = (db: Kysely<Tables>): Promise<UndeliveredMessages> =>
  statisticsOf(db.selectFrom('outbox').where('state', '!=', SENT));

type OutboxTable = Pick<Tables, 'outbox'>;

async function statisticsOf(
  messages: SelectQueryBuilder<OutboxTable, 'outbox', object>,
): Promise<UndeliveredMessages> {
  const rows = await messages.select(['state', countRows, oldestRow]).groupBy('state').execute();
  const answer = await messages
    .select('last_response')
    .where('last_response', 'is not', null)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  return toUndelivered(rows, answer);
}

type OutboxExpressions = ExpressionBuilder<OutboxTable, 'outbox'>;

const countRows = (eb: OutboxExpressions) => eb.fn.countAll<number>().as('count');
const oldestRow = (eb: OutboxExpressions) => eb.fn.min('created_at').as('oldestAt');

function toUndelivered(
  rows: readonly { readonly state: string; readonly count: number; readonly oldestAt: number }[],
  answer: { readonly last_response: string | null } | undefined,
): UndeliveredMessages {
  const rowOf = (state: string) => rows.find((row) => row.state === state);
  return {
    waiting: rowOf('waiting')?.count ?? 0,
    refused: rowOf('refused')?.count ?? 0,
    oldestWaitingAt: rowOf('waiting')?.oldestAt ?? null,
    lastAnswer: answer?.last_response ?? null,
  };
}

/** The reply to the newest mail that was tried to one of these people; null if it was sent. */
export async function lastUnacceptedAnswer(
  db: CompanyDb,
  userIds: readonly number[],
): Promise<string | null> {
  for (const userId of userIds) {
    const newest = await db
      .selectFrom('outbox')
      .innerJoin('users', 'users.id', 'outbox.user_id')
      .select(['outbox.state', 'outbox.last_response'])
      .where('outbox.user_id', '=', userId)
      .where('outbox.session_id', 'is', null)
      // An earlier address says nothing of this one.
      .whereRef('outbox.to_address', '=', 'users.email')
      .where('outbox.attempts', '>', 0)
      .where('outbox.last_response', 'is not', null)
      .orderBy('outbox.seq', 'desc')
      .limit(1)
      .executeTakeFirst();
    if (newest && newest.state !== 'sent') return newest.last_response;
  }
  return null;
}

/** Messages that were not sent; also those that the mail server refused, which can be sent again. */
export async function deleteUnsentMessages(db: Kysely<Tables>): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('outbox')
    .where('state', '!=', SENT)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
