import { sql } from 'kysely';
import type { SchemaBuilder } from './schema-builder.ts';

export async function createServiceTables(schema: SchemaBuilder): Promise<void> {
  await createCoordination(schema);
  await createIdempotency(schema);
  await createChanges(schema);
}

async function createCoordination({ db, types }: SchemaBuilder): Promise<void> {
  await types
    .table(db.schema.createTable('leases'))
    .addColumn('name', 'text', (c) => c.primaryKey())
    .addColumn('holder', 'text', (c) => c.notNull())
    .addColumn('expires_at', types.instant, (c) => c.notNull())
    .execute();

  await types
    .table(db.schema.createTable('secrets'))
    .addColumn('name', 'text', (c) => c.primaryKey())
    .addColumn('value', 'text', (c) => c.notNull())
    .execute();
}

async function createIdempotency(schema: SchemaBuilder): Promise<void> {
  const { db, types } = schema;

  await types
    .table(db.schema.createTable('idempotency'))
    .addColumn('company_id', 'integer', (c) => c.notNull().references('companies.id'))
    .addColumn('caller', 'text', (c) => c.notNull())
    .addColumn('operation', 'text', (c) => c.notNull())
    .addColumn('key', 'text', (c) => c.notNull())
    .addColumn('fingerprint', 'text', (c) => c.notNull())
    .addColumn('body', 'text', (c) => c.notNull())
    .addColumn('advisories', 'text', (c) => c.notNull())
    .addColumn('created_at', types.instant, (c) => c.notNull())
    .addPrimaryKeyConstraint('idempotency_key', ['company_id', 'caller', 'operation', 'key'])
    .execute();
  await schema.index('idempotency_by_age', 'idempotency', ['company_id', 'created_at']).execute();
}

async function createChanges(schema: SchemaBuilder): Promise<void> {
  const { db, types } = schema;

  // No foreign key to the company, because the change that deletes it stays.
  await types
    .companyTable(db.schema.createTable('changes'), 'changes', 'id')
    .addColumn('id', 'integer', types.companyRowId)
    .addColumn('company_id', 'integer', (c) => c.notNull())
    .addColumn('at', types.instant, (c) => c.notNull())
    .addColumn('caller', 'text', (c) => c.notNull())
    .addColumn('user_id', 'integer')
    .addColumn('channel', 'text', (c) => c.notNull())
    .addColumn('operation', 'text', (c) => c.notNull())
    .addColumn('scope', 'text', (c) => c.notNull())
    .addColumn('undoes', 'integer')
    .addColumn('changed_rows', 'text')
    .execute();
  await schema.index('changes_by_caller', 'changes', ['company_id', 'caller', 'id']).execute();
  await schema
    .index('changes_by_undone', 'changes', ['company_id', 'undoes', 'id'])
    .where(sql.ref('undoes'), 'is not', null)
    .execute();
  await types.indexWithinCompany(db, 'changes', 'id');
  await schema.indexAcrossCompanies('changes');

  await schema
    .clustered('change_counts')
    // Like an instant, an integer of 64 bits.
    .addColumn('count', types.instant, (c) => c.notNull())
    .addPrimaryKeyConstraint('change_counts_key', ['company_id'])
    .execute();
}
