import { DAY_MS } from '../domain/periods.ts';
import type { CompanyDb } from './tables.ts';

interface StoredResponse {
  readonly fingerprint: string;
  readonly body: string;
  /** JSON array. */
  readonly advisories: string;
  readonly createdAt: number;
}

export interface IdempotencyKey {
  readonly caller: string;
  readonly operation: string;
  readonly key: string;
}

/** A call that is repeated with its key within this time gets the stored response. */
export const REPLAY_WINDOW_MS = DAY_MS;

export async function findIdempotencyRecord(
  db: CompanyDb,
  { caller, operation, key }: IdempotencyKey,
  now: number,
): Promise<StoredResponse | null> {
  const row = await db
    .selectFrom('idempotency')
    .select(['fingerprint', 'body', 'advisories', 'created_at'])
    .where('caller', '=', caller)
    .where('operation', '=', operation)
    .where('key', '=', key)
    .where('created_at', '>', now - REPLAY_WINDOW_MS)
    .executeTakeFirst();
  if (!row) return null;

  const { fingerprint, body, advisories, created_at: createdAt } = row;
  return { fingerprint, body, advisories, createdAt };
}

/** Call it in the transaction of the write. Replaces an expired record. */
export async function saveIdempotencyRecord(
  db: CompanyDb,
  recordKey: IdempotencyKey,
  response: StoredResponse,
): Promise<void> {
  await deleteIdempotencyRecord(db, recordKey);
  const { caller, operation, key } = recordKey;
  await db
    .insertInto('idempotency')
    .values({
      caller,
      operation,
      key,
      fingerprint: response.fingerprint,
      body: response.body,
      advisories: response.advisories,
      created_at: response.createdAt,
    })
    .execute();
}

export async function deleteIdempotencyRecord(
  db: CompanyDb,
  { caller, operation, key }: IdempotencyKey,
): Promise<void> {
  await db
    .deleteFrom('idempotency')
    .where('caller', '=', caller)
    .where('operation', '=', operation)
    .where('key', '=', key)
    .execute();
}

export const hasExpiredIdempotencyRecords = async (db: CompanyDb, now: number): Promise<boolean> =>
  (await db
    .selectFrom('idempotency')
    .select('key')
    .where('created_at', '<=', now - REPLAY_WINDOW_MS)
    .limit(1)
    .executeTakeFirst()) !== undefined;

export async function deleteExpiredIdempotencyRecords(db: CompanyDb, now: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('idempotency')
    .where('created_at', '<=', now - REPLAY_WINDOW_MS)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
