import { type NoteOrText, parseNotes } from '../../schema/note.ts';
import type { CompanyDb } from '../tables.ts';

/** A write's stored answer. */
export interface StoredResponse {
  readonly fingerprint: string;
  /** The body as it was answered, JSON text. */
  readonly body: string;
  readonly notes: readonly NoteOrText[];
  readonly createdAt: number;
}

export interface IdempotencyKey {
  readonly caller: string;
  readonly operation: string;
  readonly key: string;
}

/** How long a key replays its answer: 24 h. */
export const REPLAY_WINDOW_MS = 24 * 3_600_000;

/** The answer recorded under a key and still within its window. */
export async function findIdempotencyRecord(
  db: CompanyDb,
  { caller, operation, key }: IdempotencyKey,
  now: number,
): Promise<StoredResponse | null> {
  const row = await db
    .selectFrom('idempotency')
    .select(['fingerprint', 'body', 'remarks', 'created_at'])
    .where('caller', '=', caller)
    .where('operation', '=', operation)
    .where('key', '=', key)
    .where('created_at', '>', now - REPLAY_WINDOW_MS)
    .executeTakeFirst();
  if (!row) return null;
  const { fingerprint, body, remarks, created_at: createdAt } = row;
  return { fingerprint, body, notes: parseNotes(JSON.parse(remarks)), createdAt };
}

/** Records an answer in the write's own transaction; an expired record of the same key gives way. */
export async function saveIdempotencyRecord(
  db: CompanyDb,
  { caller, operation, key }: IdempotencyKey,
  answer: StoredResponse,
): Promise<void> {
  await db
    .deleteFrom('idempotency')
    .where('caller', '=', caller)
    .where('operation', '=', operation)
    .where('key', '=', key)
    .execute();
  await db
    .insertInto('idempotency')
    .values({
      caller,
      operation,
      key,
      fingerprint: answer.fingerprint,
      body: answer.body,
      remarks: JSON.stringify(answer.notes),
      created_at: answer.createdAt,
    })
    .execute();
}

/** Whether records stand that replay no more. */
export const hasExpiredIdempotencyRecords = async (db: CompanyDb, now: number): Promise<boolean> =>
  (await db
    .selectFrom('idempotency')
    .select('key')
    .where('created_at', '<=', now - REPLAY_WINDOW_MS)
    .limit(1)
    .executeTakeFirst()) !== undefined;

/** Forgets the records that replay no more; returns how many. */
export async function deleteExpiredIdempotencyRecords(db: CompanyDb, now: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('idempotency')
    .where('created_at', '<=', now - REPLAY_WINDOW_MS)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
