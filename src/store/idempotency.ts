import { DAY_MS } from '../domain/periods.ts';
import { compressText, decompressText } from './compressed-text.ts';
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
  return { fingerprint, body: await decompressText(body), advisories, createdAt };
}

/**
 * Call it in the transaction of the write. Replaces an expired record. Returns the length of what is
 * stored.
 */
export async function saveIdempotencyRecord(
  db: CompanyDb,
  recordKey: IdempotencyKey,
  response: StoredResponse,
): Promise<number> {
  await deleteIdempotencyRecord(db, recordKey);
  const { caller, operation, key } = recordKey;
  const body = await compressText(response.body);
  await db
    .insertInto('idempotency')
    .values({
      caller,
      operation,
      key,
      fingerprint: response.fingerprint,
      body,
      advisories: response.advisories,
      created_at: response.createdAt,
    })
    .execute();
  return body.length + response.advisories.length;
}

export interface StoredAnswer extends IdempotencyKey {
  readonly createdAt: number;
  readonly body: string;
  readonly advisories: string;
}

/** All of a company. They are few: each is kept for a day. */
export async function storedAnswers(db: CompanyDb): Promise<StoredAnswer[]> {
  const rows = await db
    .selectFrom('idempotency')
    .select(['caller', 'operation', 'key', 'created_at', 'body', 'advisories'])
    .orderBy('created_at')
    .execute();
  const answers: StoredAnswer[] = [];
  for (const { created_at: createdAt, body, ...row } of rows)
    answers.push({ ...row, createdAt, body: await decompressText(body) });
  return answers;
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

/** Few, because they are deleted in one transaction. */
const EXPIRED_PER_STEP = 100;

/** Deletes some. Returns how many, and whether none is left. */
export async function deleteExpiredIdempotencyRecords(
  db: CompanyDb,
  now: number,
): Promise<{ readonly deleted: number; readonly isDone: boolean }> {
  const expired = await db
    .selectFrom('idempotency')
    .select(['caller', 'operation', 'key'])
    .where('created_at', '<=', now - REPLAY_WINDOW_MS)
    .orderBy('created_at')
    .limit(EXPIRED_PER_STEP)
    .execute();
  for (const record of expired) await deleteIdempotencyRecord(db, record);

  return { deleted: expired.length, isDone: expired.length < EXPIRED_PER_STEP };
}
