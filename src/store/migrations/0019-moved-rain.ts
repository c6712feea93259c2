import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('rain').addColumn('gauge_time', 'text').execute();
  await db.schema
    .createIndex('rain_moved')
    .on('rain')
    .columns(['company_id', 'module_id'])
    .where(sql.ref('gauge_time'), 'is not', null)
    .execute();
}
