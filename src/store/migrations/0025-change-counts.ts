import type { Kysely } from 'kysely';
import type { ColumnTypes } from './column-types.ts';

export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await types
    .clusteredTable(db.schema.createTable('change_counts'))
    .addColumn('company_id', 'integer', (c) => c.notNull().references('companies.id'))
    .addColumn('count', types.instant, (c) => c.notNull())
    .addPrimaryKeyConstraint('change_counts_key', ['company_id'])
    .execute();
}
