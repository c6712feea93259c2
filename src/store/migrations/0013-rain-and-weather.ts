import { type Kysely, sql } from 'kysely';
import type { ColumnTypes } from './column-types.ts';

export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  const { instant, real } = types;
  await types
    .companyTable(db.schema.createTable('rain'), 'rain', 'id')
    .addColumn('id', 'integer', types.companyRowId)
    .addColumn('company_id', 'integer', (c) => c.notNull().references('companies.id'))
    .addColumn('parcel_id', 'integer')
    .addColumn('module_id', 'integer')
    .addColumn('local_day', 'text', (c) => c.notNull())
    .addColumn('started_at', instant, (c) => c.notNull())
    .addColumn('ended_at', instant)
    .addColumn('is_whole_day', 'integer', (c) => c.notNull())
    .addColumn('mm', real, (c) => c.notNull())
    .addColumn('source', 'text', (c) => c.notNull())
    .addColumn('note', 'text')
    .addColumn('created_by', 'integer')
    .addColumn('created_at', instant, (c) => c.notNull())
    .addCheckConstraint('rain_source', sql`source in ('gauge', 'import', 'manual', 'api', 'mcp')`)
    .addForeignKeyConstraint('rain_parcel', ['company_id', 'parcel_id'], 'parcels', [
      'company_id',
      'id',
    ])
    .addForeignKeyConstraint('rain_module', ['company_id', 'module_id'], 'modules', [
      'company_id',
      'id',
    ])
    .execute();
  await db.schema
    .createIndex('rain_by_start')
    .on('rain')
    .columns(['company_id', 'started_at', 'id'])
    .execute();
  await db.schema
    .createIndex('rain_by_gauge')
    .unique()
    .on('rain')
    .columns(['company_id', 'module_id', 'is_whole_day', 'started_at'])
    .where(sql.ref('module_id'), 'is not', null)
    .execute();
  await types.indexAcrossCompanies(db, 'rain', 'id');
  await types
    .clusteredTable(db.schema.createTable('weather_days'))
    .addColumn('company_id', 'integer', (c) => c.notNull().references('companies.id'))
    .addColumn('local_day', 'text', (c) => c.notNull())
    .addColumn('temperature_min', real)
    .addColumn('temperature_max', real)
    .addColumn('humidity_min', real)
    .addColumn('humidity_max', real)
    .addColumn('dew_point', real)
    .addColumn('wind_ms', real)
    .addColumn('radiation_mj', real)
    .addColumn('set_at', instant, (c) => c.notNull())
    .addPrimaryKeyConstraint('weather_days_key', ['company_id', 'local_day'])
    .execute();
}
