import { type Insertable, type Kysely, type Selectable, sql } from 'kysely';
import type { MembershipRow } from '../company/companies.ts';
import { preparedGlobalQuery } from '../queries/prepared-query.ts';
import type { CompanyDb, CompanyTables, Tables } from '../tables.ts';

export type SessionRow = Selectable<CompanyTables['sessions']>;

type SessionWithMember = MembershipRow & {
  readonly session_id: number;
  readonly session_last_used_at: number | null;
};

const activeSessionRows = preparedGlobalQuery((db, hash: string, now: number) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .innerJoin('companies', 'companies.id', 'sessions.company_id')
    .selectAll('companies')
    .select(['users.id as user_id', 'users.email as user_email', 'users.role as user_role'])
    .select(['sessions.id as session_id', 'sessions.last_used_at as session_last_used_at'])
    .where('sessions.hash', '=', hash)
    .where('signed_in_at', 'is not', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .$castTo<SessionWithMember>(),
);

/** The session of a signed-in member of any company. Runs at every call of the page. */
export const activeSession = async (
  db: Kysely<Tables>,
  hash: string,
  now: number,
): Promise<SessionWithMember | undefined> => (await activeSessionRows(db, hash, now))[0];

export async function addSession(
  db: CompanyDb,
  row: Insertable<CompanyTables['sessions']>,
): Promise<number> {
  return (await db.insertInto('sessions').values(row).returning('id').executeTakeFirstOrThrow()).id;
}

interface SignIn {
  /** Hash of the secret in the link. */
  readonly linkHash: string;
  /** Hash of the secret in the cookie. */
  readonly cookieHash: string;
  readonly now: number;
  readonly expiresAt: number;
  readonly device: string | null;
}

/**
 * False if the link is not valid. A single statement decides, so that of two processes only one can
 * use the link.
 */
export async function redeemSignInLink(
  db: Kysely<Tables>,
  { linkHash, cookieHash, now, expiresAt, device }: SignIn,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('sessions')
    .set({
      hash: cookieHash,
      device,
      signed_in_at: now,
      last_used_at: now,
      expires_at: expiresAt,
    })
    .where('hash', '=', linkHash)
    .where('signed_in_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** The owner of a link that can still be used. */
export const linkOwner = (db: Kysely<Tables>, linkHash: string, now: number) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .innerJoin('companies', 'companies.id', 'sessions.company_id')
    .select(['users.name', 'users.email', 'companies.name as farm'])
    .where('hash', '=', linkHash)
    .where('signed_in_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();

export const sessionsOfCompany = (db: CompanyDb) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .selectAll('sessions')
    .select('users.email')
    .orderBy('sessions.id')
    .execute();

export const sessionById = (db: Kysely<Tables>, id: number) =>
  db.selectFrom('sessions').selectAll().where('id', '=', id).executeTakeFirst();

export async function revokeSession(db: Kysely<Tables>, id: number, at: number): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ revoked_at: at, push_subscription: null })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .execute();
}

export const sessionsOfUser = (db: CompanyDb, userId: number): Promise<SessionRow[]> =>
  db.selectFrom('sessions').selectAll().where('user_id', '=', userId).orderBy('id').execute();

/** With the push subscriptions of their devices. */
export async function deleteSessionsOfUser(db: CompanyDb, userId: number): Promise<void> {
  await db.deleteFrom('sessions').where('user_id', '=', userId).execute();
}

export async function deleteSessionsExpiredBefore(db: CompanyDb, instant: number): Promise<void> {
  await db.deleteFrom('sessions').where('expires_at', '<', instant).execute();
}

/** Returns false if the session was revoked. */
export async function setPushSubscription(
  db: Kysely<Tables>,
  id: number,
  subscription: string | null,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('sessions')
    .set({ push_subscription: subscription })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/**
 * A device gets the messages of only one session of all companies, so its endpoint is removed from
 * the others.
 */
export async function addPushSubscription(
  db: Kysely<Tables>,
  id: number,
  { endpoint, ...rest }: { readonly endpoint: string },
): Promise<void> {
  // The endpoint comes first, so that the texts of subscriptions with one endpoint begin alike.
  if (!(await setPushSubscription(db, id, JSON.stringify({ endpoint, ...rest })))) return;

  const start = JSON.stringify({ endpoint }).slice(0, -1);
  await db
    .updateTable('sessions')
    .set({ push_subscription: null })
    .where('id', '!=', id)
    // It ends with the closing quote of the endpoint, so that it does not match a longer one.
    .where(sql<string>`substr(push_subscription, 1, length(${start}))`, '=', start)
    .execute();
}

/** Null once the session was revoked or the person turned push messages off. */
export async function pushSubscriptionOf(db: Kysely<Tables>, id: number): Promise<string | null> {
  const row = await db
    .selectFrom('sessions')
    .select('push_subscription')
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.push_subscription ?? null;
}

/** The devices of a company on which members turned push messages on. */
export const pushDevices = (db: CompanyDb, now: number) =>
  db
    .selectFrom('sessions')
    .select(['id as sessionId', 'user_id as userId', 'push_subscription as push'])
    .where('push_subscription', 'is not', null)
    .where('expires_at', '>', now)
    .orderBy('id')
    .$narrowType<{ push: string }>()
    .execute();
