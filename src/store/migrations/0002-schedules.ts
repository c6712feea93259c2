import { type Kysely, sql } from 'kysely';
import type { ColumnTypes } from './column-types.ts';

export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  const { instant, real } = types;
  await types
    .companyTable(db.schema.createTable('schedules'), 'schedules', 'id')
    .addColumn('id', 'integer', types.companyRowId)
    .addColumn('company_id', 'integer', (c) => c.notNull().references('companies.id'))
    .addColumn('target_module_id', 'integer')
    .addColumn('target_parcel_id', 'integer')
    .addColumn('label', 'text')
    .addColumn('freq', 'text', (c) => c.notNull())
    .addColumn('interval_days', 'integer')
    .addColumn('weekdays', 'text')
    .addColumn('start_times', 'text', (c) => c.notNull())
    .addColumn('timezone', 'text', (c) => c.notNull())
    .addColumn('input_mode', 'text', (c) => c.notNull())
    .addColumn('duration_min', 'integer')
    .addColumn('input_depth_mm', real)
    .addColumn('input_volume_m3', real)
    .addColumn('starts_on', 'text', (c) => c.notNull())
    .addColumn('ends_on', 'text')
    .addColumn('confirmation_policy', 'text', (c) => c.notNull())
    .addColumn('auto_from', instant)
    .addColumn('is_active', 'integer', (c) => c.notNull())
    .addColumn('materialized_until', instant)
    .addColumn('created_by', 'integer')
    .addColumn('created_at', instant, (c) => c.notNull())
    .addForeignKeyConstraint('schedules_module', ['company_id', 'target_module_id'], 'modules', [
      'company_id',
      'id',
    ])
    .addForeignKeyConstraint('schedules_parcel', ['company_id', 'target_parcel_id'], 'parcels', [
      'company_id',
      'id',
    ])
    .addCheckConstraint(
      'schedules_target',
      sql`(target_module_id is null) <> (target_parcel_id is null)`,
    )
    .addCheckConstraint('schedules_freq', sql`freq in ('daily', 'weekly')`)
    .addCheckConstraint('schedules_policy', sql`confirmation_policy in ('auto', 'manual')`)
    .execute();
  await db.schema
    .createIndex('schedules_by_company')
    .on('schedules')
    .columns(['company_id', 'id'])
    .unique()
    .execute();
  await types.indexAcrossCompanies(db, 'schedules', 'id');

  await db.schema.alterTable('waterings').addColumn('slot', 'text').execute();
  await db.schema
    .createIndex('waterings_by_slot')
    .unique()
    .on('waterings')
    .columns(['company_id', 'schedule_id', 'module_id', 'slot'])
    .where(sql.ref('schedule_id'), 'is not', null)
    .execute();
  await db.schema
    .createIndex('waterings_by_schedule')
    .on('waterings')
    .columns(['company_id', 'schedule_id', 'status', 'started_at'])
    .where(sql.ref('schedule_id'), 'is not', null)
    .execute();

  await types
    .table(db.schema.createTable('leases'))
    .addColumn('name', 'text', (c) => c.primaryKey())
    .addColumn('holder', 'text', (c) => c.notNull())
    .addColumn('held_until', instant, (c) => c.notNull())
    .execute();
}
