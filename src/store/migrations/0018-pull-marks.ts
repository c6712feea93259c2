import type { Kysely } from 'kysely';
import type { ColumnTypes } from './column-types.ts';

export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await types
    .clusteredTable(db.schema.createTable('pull_marks'))
    .addColumn('company_id', 'integer', (c) => c.notNull().references('companies.id'))
    .addColumn('provider', 'text', (c) => c.notNull())
    .addColumn('device', 'text', (c) => c.notNull())
    .addColumn('pulled_until', types.instant, (c) => c.notNull())
    .addPrimaryKeyConstraint('pull_marks_key', ['company_id', 'provider', 'device'])
    .execute();
}
