import type { Kysely } from 'kysely';

// Expired answers are looked for in one company after the other: their index begins with it, as every other does.

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex('idempotency_by_age').execute();
  await db.schema.createIndex('idempotency_by_age').on('idempotency').columns(['company_id', 'created_at']).execute();
}
