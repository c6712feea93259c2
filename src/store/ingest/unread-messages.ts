import type { Kysely, Selectable } from 'kysely';
import { chunksOf } from '../../domain/groups.ts';
import { isListed, surplusMessages } from '../../domain/ingest/unread-messages.ts';
import {
  decodeReason,
  encodeReason,
  type UnreadReason,
} from '../../domain/ingest/unread-reason.ts';
import { preparedQuery } from '../queries/prepared-query.ts';
import type { CompanyDb, CompanyTables, Tables } from '../tables.ts';

const ROWS_PER_QUERY = 500;
const MAX_READ = 300;

type StoredMessage = Selectable<CompanyTables['unread_messages']>;

export type UnreadMessage = Omit<StoredMessage, 'reason'> & { readonly reason: UnreadReason };

const withReason = <Row extends Pick<StoredMessage, 'reason'>>(row: Row) => ({
  ...row,
  reason: decodeReason(row.reason),
});

/** The newest first. */
export async function unreadMessages(db: CompanyDb, now: number): Promise<UnreadMessage[]> {
  const messages = await storedMessages(db);
  return messages.filter((message) => isListed(message, now)).map(withReason);
}

const storedMessages = (db: CompanyDb): Promise<StoredMessage[]> =>
  db
    .selectFrom('unread_messages')
    .selectAll()
    .orderBy('received_at', 'desc')
    .orderBy('sender')
    .execute();

/** The unread messages of all companies, the newest first. */
export async function unreadMessagesOfAll(all: Kysely<Tables>, now: number) {
  const messages = await all
    .selectFrom('unread_messages')
    .select(['sender', 'via', 'received_at', 'reason'])
    .orderBy('received_at', 'desc')
    .limit(MAX_READ)
    .execute();
  return messages.filter((message) => isListed(message, now)).map(withReason);
}

/** `rows` are of one time. Deletes the oldest messages above the limits, and writes none of those. */
export async function saveUnreadMessages(
  db: CompanyDb,
  rows: readonly UnreadMessage[],
  now: number,
): Promise<void> {
  const aboveLimits = new Set(surplusMessages(rows, now));
  for (const row of rows) {
    if (aboveLimits.has(row)) continue;
    const { via, payload } = row;
    const reason = encodeReason(row.reason);
    await db
      .insertInto('unread_messages')
      .values({ ...row, reason })
      .onConflict((conflict) =>
        conflict.columns(['sender', 'received_at']).doUpdateSet({ via, reason, payload }),
      )
      .execute();
  }

  const surplus = surplusMessages(await storedMessages(db), now);
  for (const { sender, received_at: receivedAt } of surplus)
    await db
      .deleteFrom('unread_messages')
      .where('sender', '=', sender)
      .where('received_at', '=', receivedAt)
      .execute();
}

/** Deletes messages that name the device; what came by a topic or from a module stays. */
export async function deleteUnreadMessages(
  db: CompanyDb,
  senders: readonly string[],
): Promise<void> {
  for (const chunk of chunksOf(senders, ROWS_PER_QUERY))
    await db
      .deleteFrom('unread_messages')
      .where('sender', 'in', chunk)
      .where(({ eb, ref }) => eb.or([eb('via', 'is', null), eb('via', '!=', ref('sender'))]))
      .execute();
}

export async function unreadSenders(db: CompanyDb): Promise<ReadonlySet<string>> {
  return new Set((await sendersOfUnread(db)).map(({ sender }) => sender));
}

const sendersOfUnread = preparedQuery((db) =>
  db.selectFrom('unread_messages').select('sender').distinct(),
);
