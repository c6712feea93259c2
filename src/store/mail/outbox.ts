import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { MailKind } from '../../schema/alert.ts';
import type { CompanyDb, Tables } from '../tables.ts';

/** A message to one recipient of an alert, as it will be sent. */
export interface NewMail {
  readonly alertId: string;
  readonly kind: MailKind;
  readonly userId: number;
  /** An e-mail address. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Adds messages that wait to be sent, due at once; `at` is when they were composed, in ms. */
export async function addMail(db: CompanyDb, messages: readonly NewMail[], at: number): Promise<void> {
  if (messages.length === 0) return;
  await db
    .insertInto('outbox')
    .values(
      messages.map(({ alertId, kind, userId, to, subject, text, html }) => ({
        id: randomUUID(),
        alert_id: alertId,
        kind,
        user_id: userId,
        to_address: to,
        subject,
        text,
        html,
        created_at: at,
        state: 'waiting',
        message_id: null,
        tries: 0,
        next_try_at: 0,
        last_answer: null,
        sent_at: null,
      })),
    )
    .execute();
}

/** Who is told of an alert, in the order in which they were added. */
export const mailRecipients = (db: CompanyDb, alertId: string): Promise<{ userId: number; email: string }[]> =>
  db
    .selectFrom('alert_recipients')
    .innerJoin('users', 'users.id', 'alert_recipients.user_id')
    .select(['users.id as userId', 'users.email'])
    .where('alert_recipients.alert_id', '=', alertId)
    .orderBy('alert_recipients.seq')
    .execute();

/** A message that is to be tried. */
export interface DueMail {
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** When it was composed, ms. */
  readonly createdAt: number;
  /** Null until it is first tried. */
  readonly messageId: string | null;
  /** How often it was tried. */
  readonly tries: number;
}

/** Spelled out in a query, so that the index of those that wait serves. */
const WAITING = sql.lit('waiting');

/** Of any company, the oldest message that is due at `now` (real time, ms). */
export async function nextDueMail(all: Kysely<Tables>, now: number): Promise<DueMail | null> {
  const row = await all
    .selectFrom('outbox')
    .select([
      'id',
      'to_address as to',
      'subject',
      'text',
      'html',
      'created_at as createdAt',
      'message_id as messageId',
      'tries',
    ])
    .where('state', '=', WAITING)
    .where('next_try_at', '<=', now)
    .orderBy('seq')
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

/** Writes that a message is being tried under an id that stays its own, and when it is due again unless more is heard. */
export async function beginDelivery(
  all: Kysely<Tables>,
  { id, messageId, nextTryAt }: { id: string; messageId: string; nextTryAt: number },
): Promise<void> {
  await all
    .updateTable('outbox')
    .set((eb) => ({ message_id: messageId, tries: eb('tries', '+', 1), next_try_at: nextTryAt }))
    .where('id', '=', id)
    .execute();
}

/** What became of a try, in the mail server's words; `at` and `nextTryAt` are real time, ms. */
export type DeliveryResult =
  | { readonly state: 'sent' | 'refused'; readonly answer: string; readonly at: number }
  | { readonly state: 'waiting'; readonly answer: string; readonly nextTryAt: number };

export async function finishDelivery(all: Kysely<Tables>, id: string, result: DeliveryResult): Promise<void> {
  await all
    .updateTable('outbox')
    .set({
      state: result.state,
      last_answer: result.answer,
      ...(result.state === 'sent' && { sent_at: result.at }),
      ...(result.state === 'waiting' && { next_try_at: result.nextTryAt }),
    })
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .execute();
}

/** Has refused messages wait again, due at once; returns how many there were. */
export async function retryRefused(all: Kysely<Tables>): Promise<number> {
  const { numUpdatedRows } = await all
    .updateTable('outbox')
    .set({ state: 'waiting', tries: 0, next_try_at: 0 })
    .where('state', '=', 'refused')
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** How many messages wait, of all companies. */
export async function waitingMessageCount(all: Kysely<Tables>): Promise<number> {
  const { count } = await all
    .selectFrom('outbox')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('state', '=', WAITING)
    .executeTakeFirstOrThrow();
  return count;
}

/** Messages that have not gone out. */
export interface UndeliveredMail {
  readonly waiting: number;
  readonly refused: number;
  /** The mail server's words on the newest of them that was tried; null where none was. */
  readonly lastAnswer: string | null;
}

/** By alert, where it has any. */
export async function undeliveredByAlert(
  db: CompanyDb,
  alertIds: readonly string[],
): Promise<Map<string, UndeliveredMail>> {
  const found = new Map<string, UndeliveredMail>();
  if (alertIds.length === 0) return found;
  const rows = await db
    .selectFrom('outbox')
    .select(['alert_id', 'state', 'last_answer'])
    .where('alert_id', 'in', alertIds)
    .where('state', 'in', ['waiting', 'refused'])
    .orderBy('seq')
    .execute();
  for (const { alert_id, state, last_answer } of rows) {
    const before = found.get(alert_id) ?? { waiting: 0, refused: 0, lastAnswer: null };
    found.set(alert_id, {
      waiting: before.waiting + (state === 'waiting' ? 1 : 0),
      refused: before.refused + (state === 'refused' ? 1 : 0),
      lastAnswer: last_answer ?? before.lastAnswer,
    });
  }
  return found;
}

/** How the outbox of the whole store stands. */
export interface OutboxStatistics extends UndeliveredMail {
  /** When the oldest message that waits was composed, in ms. */
  readonly oldestWaitingAt: number | null;
}

export async function outboxStatistics(all: Kysely<Tables>): Promise<OutboxStatistics> {
  const counts = await all
    .selectFrom('outbox')
    .select(['state', (eb) => eb.fn.countAll<number>().as('count'), (eb) => eb.fn.min('created_at').as('oldestAt')])
    .where('state', 'in', ['waiting', 'refused'])
    .groupBy('state')
    .execute();
  const tried = await all
    .selectFrom('outbox')
    .select('last_answer')
    .where('state', 'in', ['waiting', 'refused'])
    .where('last_answer', 'is not', null)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  const of = (state: string) => counts.find((each) => each.state === state);
  return {
    waiting: of('waiting')?.count ?? 0,
    refused: of('refused')?.count ?? 0,
    oldestWaitingAt: of('waiting')?.oldestAt ?? null,
    lastAnswer: tried?.last_answer ?? null,
  };
}
