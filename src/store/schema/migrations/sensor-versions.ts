import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('change_counts').addColumn('sensors_version', 'text').execute();
}
