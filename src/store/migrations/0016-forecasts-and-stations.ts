import { type Kysely, sql } from 'kysely';
import type { ColumnTypes } from './column-types.ts';

export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  const { instant, real } = types;
  await types
    .clusteredTable(db.schema.createTable('station_readings'))
    .addColumn('company_id', 'integer', (c) => c.notNull())
    .addColumn('module_id', 'integer', (c) => c.notNull())
    .addColumn('type', 'text', (c) => c.notNull())
    .addColumn('at', instant, (c) => c.notNull())
    .addColumn('value', real, (c) => c.notNull())
    .addPrimaryKeyConstraint('station_readings_key', ['company_id', 'module_id', 'type', 'at'])
    .addForeignKeyConstraint('station_readings_module', ['company_id', 'module_id'], 'modules', [
      'company_id',
      'id',
    ])
    .addCheckConstraint('station_readings_type', sql`type in ('wind', 'radiation')`)
    .execute();
  await types
    .clusteredTable(db.schema.createTable('forecasts'))
    .addColumn('company_id', 'integer', (c) => c.notNull().references('companies.id'))
    .addColumn('provider', 'text', (c) => c.notNull())
    .addColumn('tried_at', instant, (c) => c.notNull())
    .addColumn('fetched_at', instant)
    .addColumn('body', 'text')
    .addColumn('failure', 'text')
    .addPrimaryKeyConstraint('forecasts_key', ['company_id', 'provider'])
    .execute();
}
