import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('waterings').addColumn('block_id', 'integer').execute();
}
