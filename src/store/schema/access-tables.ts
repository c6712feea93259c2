import { sql } from 'kysely';
import { reference, type SchemaBuilder } from './schema-builder.ts';

export async function createAccessTables(schema: SchemaBuilder): Promise<void> {
  const { instant } = schema.types;

  await schema
    .numbered('api_keys')
    .addColumn('hash', 'text', schema.types.uniqueText)
    .addColumn('family', 'text', (c) => c.notNull())
    .addColumn('user_id', 'integer')
    .addColumn('scopes', 'text', (c) => c.notNull())
    .addColumn('channel', 'text', (c) => c.notNull())
    .addColumn('created_at', instant, (c) => c.notNull())
    .addColumn('expires_at', instant)
    .addColumn('revoked_at', instant)
    .addColumn('last_used_at', instant)
    .$call(reference('api_keys_user', 'user_id', 'users'))
    .addCheckConstraint('api_keys_channel', sql`channel in ('api', 'mcp')`)
    .execute();

  await schema
    .numbered('sessions')
    .addColumn('hash', 'text', schema.types.uniqueText)
    .addColumn('user_id', 'integer', (c) => c.notNull())
    .addColumn('created_at', instant, (c) => c.notNull())
    .addColumn('expires_at', instant, (c) => c.notNull())
    .addColumn('signed_in_at', instant)
    .addColumn('revoked_at', instant)
    .addColumn('last_used_at', instant)
    .addColumn('device', 'text')
    .addColumn('push_subscription', 'text')
    .addForeignKeyConstraint(
      'sessions_user',
      ['company_id', 'user_id'],
      'users',
      ['company_id', 'id'],
      (key) => key.onDelete('cascade'),
    )
    .execute();

  for (const table of ['api_keys', 'sessions'])
    for (const column of ['id', 'hash']) await schema.indexAcrossCompanies(table, column);
}
