import { sql } from 'kysely';
import { reference, type SchemaBuilder } from './schema-builder.ts';

export async function createIrrigationTables(schema: SchemaBuilder): Promise<void> {
  await createInstallations(schema);
  await createSchedules(schema);
  await createPendingPlans(schema);
}

async function createInstallations(schema: SchemaBuilder): Promise<void> {
  const { db, types } = schema;
  const { instant, real } = types;

  await schema
    .numbered('installation_versions')
    .addColumn('scope', 'text', (c) => c.notNull())
    .addColumn('module_id', 'integer')
    .$call(reference('installation_versions_module', 'module_id', 'modules'))
    .addColumn('parcel_id', 'integer')
    .addColumn('system', 'text', (c) => c.notNull())
    .addColumn('flow_mm_per_h', real)
    .addColumn('emitter_flow_lph', real)
    .addColumn('emitters_per_m2', real)
    .addColumn('fraction_wetted', real, (c) => c.notNull())
    .addColumn('fraction_wetted_is_default', 'integer', (c) => c.notNull())
    .addColumn('irrigated_area_m2', real)
    .addColumn('valid_from', instant, (c) => c.notNull())
    .addColumn('valid_to', instant)
    .addColumn('set_at', instant, (c) => c.notNull())
    .addColumn('notes', 'text')
    .$call(reference('installation_versions_parcel', 'parcel_id', 'parcels'))
    .addCheckConstraint(
      'installation_versions_target',
      sql`(scope = 'module' and module_id is not null and parcel_id is null)
        or (scope = 'parcel' and parcel_id is not null and module_id is null)`,
    )
    .addCheckConstraint(
      'installation_versions_fraction',
      sql`fraction_wetted > 0 and fraction_wetted <= 1`,
    )
    .addCheckConstraint('installation_versions_flag', sql`fraction_wetted_is_default in (0, 1)`)
    .addCheckConstraint(
      'installation_versions_period',
      sql`valid_to is null or valid_to >= valid_from`,
    )
    .execute();
  for (const target of ['module', 'parcel'])
    await schema
      .uniqueIndex(`installation_versions_by_${target}`, 'installation_versions', [
        'company_id',
        `${target}_id`,
        'valid_from',
      ])
      .where(sql.ref(`${target}_id`), 'is not', null)
      .execute();
  await schema.indexAcrossCompanies('installation_versions');

  await types
    .table(db.schema.createTable('placements'))
    .addColumn('company_id', 'integer', (c) => c.notNull())
    .addColumn('module_id', 'integer', (c) => c.notNull())
    .addColumn('emitter_distance_cm', 'integer')
    .addColumn('notes', 'text')
    .addColumn('set_at', instant, (c) => c.notNull())
    .$call(reference('placements_module', 'module_id', 'modules'))
    .addPrimaryKeyConstraint('placements_key', ['company_id', 'module_id'])
    .execute();
}

async function createSchedules(schema: SchemaBuilder): Promise<void> {
  const { instant, real } = schema.types;

  await schema
    .numbered('schedules')
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
    .addColumn('auto_confirm_from', instant)
    .addColumn('is_active', 'integer', (c) => c.notNull())
    .addColumn('materialized_until', instant)
    .addColumn('created_by', 'integer')
    .addColumn('created_at', instant, (c) => c.notNull())
    .addColumn('removed_at', instant)
    .$call(reference('schedules_module', 'target_module_id', 'modules'))
    .$call(reference('schedules_parcel', 'target_parcel_id', 'parcels'))
    .addCheckConstraint(
      'schedules_target',
      sql`(target_module_id is null) <> (target_parcel_id is null)`,
    )
    .addCheckConstraint('schedules_freq', sql`freq in ('daily', 'weekly')`)
    .addCheckConstraint('schedules_policy', sql`confirmation_policy in ('auto', 'manual')`)
    .execute();
  await schema.uniqueIndex('schedules_by_company', 'schedules', ['company_id', 'id']).execute();
  await schema.indexAcrossCompanies('schedules');
}

/**
 * A change of many planned waterings takes several transactions; these rows say what is still to be
 * done. Until a schedule or module is removed in the same way, its row stays, with `removed_at`.
 */
async function createPendingPlans(schema: SchemaBuilder): Promise<void> {
  const { instant } = schema.types;

  await schema
    .clusteredByParent('pending_plans')
    .addColumn('schedule_id', 'integer', (c) => c.notNull())
    .addColumn('module_id', 'integer', (c) => c.notNull())
    .addColumn('changed_at', instant, (c) => c.notNull())
    .addColumn('regenerate_from', instant)
    .addColumn('moved_start_times', 'text', (c) => c.notNull())
    .addColumn('is_removal', 'integer', (c) => c.notNull().defaultTo(0))
    .addPrimaryKeyConstraint('pending_plans_key', ['company_id', 'schedule_id', 'module_id'])
    .$call(reference('pending_plans_schedule', 'schedule_id', 'schedules'))
    .$call(reference('pending_plans_module', 'module_id', 'modules'))
    .execute();
}
