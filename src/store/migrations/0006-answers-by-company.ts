import type { Kysely } from 'kysely';

// Expired answers are looked up per company, so the index begins with the company, like every
// other.

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex('idempotency_by_age').execute();
  await db.schema
    .createIndex('idempotency_by_age')
    .on('idempotency')
    .columns(['company_id', 'created_at'])
    .execute();
}
