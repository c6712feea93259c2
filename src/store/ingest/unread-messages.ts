import type { Kysely, Selectable } from 'kysely';
import { chunksOf } from '../../domain/groups.ts';
import { surplusMessages } from '../../domain/ingest/unread-messages.ts';
import type { CompanyDb, CompanyTables, Tables } from '../tables.ts';

const ROWS_PER_QUERY = 500;
const MAX_READ = 300;

export type UnreadMessage = Selectable<CompanyTables['unread_messages']>;

/** The newest first. */
export const unreadMessages = (db: CompanyDb): Promise<UnreadMessage[]> =>
  db
    .selectFrom('unread_messages')
    .selectAll()
    .orderBy('received_at', 'desc')
    .orderBy('sender')
    .execute();

/** Those of all companies, the newest first. */
export const unreadMessagesOfAll = (all: Kysely<Tables>) =>
  all
    .selectFrom('unread_messages')
    .select(['sender', 'reason'])
    .orderBy('received_at', 'desc')
    .limit(MAX_READ)
    .execute();

/** Deletes the oldest messages above the limits. */
export async function saveUnreadMessages(
  db: CompanyDb,
  rows: readonly UnreadMessage[],
): Promise<void> {
  for (const row of rows) {
    const { via, reason, payload } = row;
    await db
      .insertInto('unread_messages')
      .values(row)
      .onConflict((conflict) =>
        conflict.columns(['sender', 'received_at']).doUpdateSet({ via, reason, payload }),
      )
      .execute();
  }

  for (const { sender, received_at: receivedAt } of surplusMessages(await unreadMessages(db)))
    await db
      .deleteFrom('unread_messages')
      .where('sender', '=', sender)
      .where('received_at', '=', receivedAt)
      .execute();
}

export async function deleteUnreadMessages(
  db: CompanyDb,
  senders: readonly string[],
): Promise<void> {
  for (const chunk of chunksOf(senders, ROWS_PER_QUERY))
    await db.deleteFrom('unread_messages').where('sender', 'in', chunk).execute();
}

export async function unreadSenders(db: CompanyDb): Promise<ReadonlySet<string>> {
  const rows = await db.selectFrom('unread_messages').select('sender').distinct().execute();
  return new Set(rows.map(({ sender }) => sender));
}
