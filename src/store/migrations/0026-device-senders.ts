import type { Kysely } from 'kysely';
import type { ColumnTypes } from './column-types.ts';

export async function up(db: Kysely<unknown>, { instant }: ColumnTypes): Promise<void> {
  await db.schema.alterTable('device_status').addColumn('sender', 'text').execute();
  await db.schema.alterTable('device_status').addColumn('listed_at', instant).execute();
}
