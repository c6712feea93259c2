import type { Kysely } from 'kysely';
import type { ColumnTypes } from './column-types.ts';

export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  const { instant } = types;
  await types
    .companyTable(db.schema.createTable('sessions'), 'sessions', 'id')
    .addColumn('id', 'integer', types.companyRowId)
    .addColumn('company_id', 'integer', (c) => c.notNull().references('companies.id'))
    .addColumn('hash', 'text', types.uniqueText)
    .addColumn('user_id', 'integer', (c) => c.notNull())
    .addColumn('created_at', instant, (c) => c.notNull())
    .addColumn('expires_at', instant, (c) => c.notNull())
    .addColumn('signed_in_at', instant)
    .addColumn('revoked_at', instant)
    .addColumn('last_used_at', instant)
    .addColumn('device', 'text')
    .addColumn('push', 'text')
    .addForeignKeyConstraint(
      'sessions_user',
      ['company_id', 'user_id'],
      'users',
      ['company_id', 'id'],
      (key) => key.onDelete('cascade'),
    )
    .execute();
  await db.schema.alterTable('outbox').addColumn('session_id', 'integer').execute();
  for (const column of ['id', 'hash']) await types.indexAcrossCompanies(db, 'sessions', column);
}
