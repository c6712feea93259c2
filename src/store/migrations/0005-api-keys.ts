import { type Kysely, sql } from 'kysely';
import type { ColumnTypes } from './column-types.ts';

export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  const { instant } = types;
  await types
    .companyTable(db.schema.createTable('api_keys'), 'api_keys', 'id')
    .addColumn('id', 'integer', types.companyRowId)
    .addColumn('company_id', 'integer', (c) => c.notNull().references('companies.id'))
    .addColumn('hash', 'text', types.uniqueText)
    .addColumn('family', 'text', (c) => c.notNull())
    .addColumn('user_id', 'integer')
    .addColumn('scopes', 'text', (c) => c.notNull())
    .addColumn('surface', 'text', (c) => c.notNull())
    .addColumn('created_at', instant, (c) => c.notNull())
    .addColumn('expires_at', instant)
    .addColumn('revoked_at', instant)
    .addColumn('last_used_at', instant)
    .addForeignKeyConstraint('api_keys_user', ['company_id', 'user_id'], 'users', [
      'company_id',
      'id',
    ])
    .addCheckConstraint('api_keys_surface', sql`surface in ('api', 'mcp')`)
    .execute();
  for (const column of ['id', 'hash']) await types.indexAcrossCompanies(db, 'api_keys', column);
}
