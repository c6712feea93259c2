import { type Kysely, sql } from 'kysely';
import type { ColumnTypes } from './column-types.ts';

// A change of many planned waterings takes several transactions. These rows say what is still to be
// done.

export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  const { instant } = types;
  await types
    .clusteredTable(db.schema.createTable('pending_plans'))
    .addColumn('company_id', 'integer', (c) => c.notNull())
    .addColumn('schedule_id', 'integer', (c) => c.notNull())
    .addColumn('module_id', 'integer', (c) => c.notNull())
    .addColumn('changed_at', instant, (c) => c.notNull())
    .addColumn('planned_from', instant)
    .addColumn('start_time_pairs', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('pending_plans_key', ['company_id', 'schedule_id', 'module_id'])
    .addForeignKeyConstraint('pending_plans_schedule', ['company_id', 'schedule_id'], 'schedules', [
      'company_id',
      'id',
    ])
    .addForeignKeyConstraint('pending_plans_module', ['company_id', 'module_id'], 'modules', [
      'company_id',
      'id',
    ])
    .execute();

  // A probe can have thousands of planned waterings, but few without a dose, or that no schedule
  // changes.
  const columns = ['company_id', 'module_id', 'started_at', 'id'];
  await db.schema
    .createIndex('waterings_without_dose')
    .on('waterings')
    .columns(columns)
    .where(sql<boolean>`water_mm is null or dose_installation_id is null`)
    .execute();
  await db.schema
    .createIndex('waterings_by_hand')
    .on('waterings')
    .columns(columns)
    .where(sql<boolean>`schedule_id is null or is_detached = 1`)
    .execute();
}
