import type { CompanyDb } from './tables.ts';

/** A write's stored answer. */
export interface Recorded {
  readonly fingerprint: string;
  /** The body as it was answered, JSON text. */
  readonly body: string;
  readonly remarks: readonly string[];
  readonly createdAt: number;
}

export interface RecordKey {
  readonly caller: string;
  readonly operation: string;
  readonly key: string;
}

/** How long a key replays its answer: 24 h. */
export const REPLAY_WINDOW_MS = 24 * 3_600_000;

/** The answer recorded under a key and still within its window. */
export async function recordedAnswer(
  db: CompanyDb,
  { caller, operation, key }: RecordKey,
  now: number,
): Promise<Recorded | null> {
  const row = await db
    .selectFrom('idempotency')
    .select(['fingerprint', 'body', 'remarks', 'created_at'])
    .where('caller', '=', caller)
    .where('operation', '=', operation)
    .where('key', '=', key)
    .where('created_at', '>', now - REPLAY_WINDOW_MS)
    .executeTakeFirst();
  if (!row) return null;
  return { fingerprint: row.fingerprint, body: row.body, remarks: JSON.parse(row.remarks), createdAt: row.created_at };
}

/** Records an answer in the write's own transaction; an expired record of the same key gives way. */
export async function recordAnswer(
  db: CompanyDb,
  { caller, operation, key }: RecordKey,
  answer: Recorded,
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
      remarks: JSON.stringify(answer.remarks),
      created_at: answer.createdAt,
    })
    .execute();
}

/** Whether records stand that replay no more. */
export const expiredAnswers = async (db: CompanyDb, now: number): Promise<boolean> =>
  (await db
    .selectFrom('idempotency')
    .select('key')
    .where('created_at', '<=', now - REPLAY_WINDOW_MS)
    .limit(1)
    .executeTakeFirst()) !== undefined;

/** Forgets the records that replay no more; returns how many. */
export async function forgetAnswers(db: CompanyDb, now: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('idempotency')
    .where('created_at', '<=', now - REPLAY_WINDOW_MS)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
