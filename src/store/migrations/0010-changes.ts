import { type Kysely, sql } from 'kysely';
import type { ColumnTypes } from './column-types.ts';

// No foreign key to the company, because the change that deletes it stays.

export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await types
    .companyTable(db.schema.createTable('changes'), 'changes', 'id')
    .addColumn('id', 'integer', types.companyRowId)
    .addColumn('company_id', 'integer', (c) => c.notNull())
    .addColumn('at', types.instant, (c) => c.notNull())
    .addColumn('caller', 'text', (c) => c.notNull())
    .addColumn('user_id', 'integer')
    .addColumn('surface', 'text', (c) => c.notNull())
    .addColumn('operation', 'text', (c) => c.notNull())
    .addColumn('scope', 'text', (c) => c.notNull())
    .addColumn('undoes', 'integer')
    .addColumn('changed_rows', 'text')
    .execute();
  await db.schema
    .createIndex('changes_by_caller')
    .on('changes')
    .columns(['company_id', 'caller', 'id'])
    .execute();
  await db.schema
    .createIndex('changes_by_undone')
    .on('changes')
    .columns(['company_id', 'undoes', 'id'])
    .where(sql.ref('undoes'), 'is not', null)
    .execute();
  await types.indexAcrossCompanies(db, 'changes', 'id');
}
