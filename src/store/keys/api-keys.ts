import type { Insertable, Kysely, Selectable } from 'kysely';
import type { Role } from '../../schema/scope.ts';
import type { CompanyRow } from '../company/companies.ts';
import { repeatedGlobalQuery } from '../queries/prepared-query.ts';
import type { CompanyDb, CompanyTables, Tables } from '../tables.ts';

export type ApiKeyRow = Selectable<CompanyTables['api_keys']>;

interface KeyWithOwner {
  readonly key: ApiKeyRow;
  readonly company: CompanyRow;
  readonly role: Role | null;
}

const keyColumns = [
  'id',
  'hash',
  'family',
  'user_id',
  'scopes',
  'channel',
  'created_at',
  'expires_at',
  'revoked_at',
  'last_used_at',
] as const;

type KeyWithOwnerRow = CompanyRow & { role: Role | null } & {
  [K in keyof ApiKeyRow as `key_${K}`]: ApiKeyRow[K];
};

const keyRowByHash = repeatedGlobalQuery((db, hash: string) =>
  db
    .selectFrom('api_keys')
    .innerJoin('companies', 'companies.id', 'api_keys.company_id')
    .leftJoin('users', 'users.id', 'api_keys.user_id')
    .selectAll('companies')
    .select(keyColumns.map((column) => `api_keys.${column} as key_${column}` as const))
    .select('users.role')
    .where('api_keys.hash', '=', hash)
    .$castTo<KeyWithOwnerRow>(),
);

/** Finds a key of any company, even a revoked or expired one. Runs at every call over HTTP. */
export async function keyByHash(db: Kysely<Tables>, hash: string): Promise<KeyWithOwner | null> {
  const [row] = await keyRowByHash(db, hash);
  return row === undefined ? null : toKeyWithOwner(row);
}

function toKeyWithOwner(row: KeyWithOwnerRow): KeyWithOwner {
  const {
    role,
    id,
    name,
    legal_name,
    country_code,
    currency,
    city,
    postal_code,
    region,
    timezone,
    units,
  } = row;

  return {
    role,
    company: {
      id,
      name,
      legal_name,
      country_code,
      currency,
      city,
      postal_code,
      region,
      timezone,
      units,
    },
    key: {
      id: row.key_id,
      hash: row.key_hash,
      family: row.key_family,
      user_id: row.key_user_id,
      scopes: row.key_scopes,
      channel: row.key_channel,
      created_at: row.key_created_at,
      expires_at: row.key_expires_at,
      revoked_at: row.key_revoked_at,
      last_used_at: row.key_last_used_at,
    },
  };
}

export const keyById = (db: Kysely<Tables>, id: number) =>
  db.selectFrom('api_keys').selectAll().where('id', '=', id).executeTakeFirst();

export const companyKeyById = (db: CompanyDb, id: number): Promise<ApiKeyRow | undefined> =>
  db.selectFrom('api_keys').selectAll().where('id', '=', id).executeTakeFirst();

export const allKeys = (db: CompanyDb) =>
  db
    .selectFrom('api_keys')
    .leftJoin('users', 'users.id', 'api_keys.user_id')
    .selectAll('api_keys')
    .select('users.email')
    .orderBy('api_keys.id')
    .execute();

export async function addKey(
  db: CompanyDb,
  row: Insertable<CompanyTables['api_keys']>,
): Promise<number> {
  return (await db.insertInto('api_keys').values(row).returning('id').executeTakeFirstOrThrow()).id;
}

export async function changeKey(
  db: CompanyDb,
  id: number,
  changes: { expires_at?: number; revoked_at?: number },
): Promise<void> {
  await db.updateTable('api_keys').set(changes).where('id', '=', id).execute();
}

/**
 * Updates the rows in the order of their ids, so that two processes that update the same ones
 * cannot deadlock.
 */
export async function recordUses(
  db: Kysely<Tables>,
  table: 'api_keys' | 'sessions',
  ids: readonly number[],
  at: number,
): Promise<void> {
  for (const id of [...ids].sort((a, b) => a - b))
    await db
      .updateTable(table)
      .set({ last_used_at: at })
      .where('id', '=', id)
      .where((eb) => eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<', at)]))
      .execute();
}

export const keysOfUser = (db: CompanyDb, userId: number): Promise<ApiKeyRow[]> =>
  db.selectFrom('api_keys').selectAll().where('user_id', '=', userId).orderBy('id').execute();

export async function deleteKeysOfUser(db: CompanyDb, userId: number): Promise<void> {
  await db.deleteFrom('api_keys').where('user_id', '=', userId).execute();
}
