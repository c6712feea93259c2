import { type CreateTableBuilder, type Kysely, sql } from 'kysely';
import type { ColumnTypes } from './column-types.ts';

// The tables as of this migration, written out: later changes of src/store/tables.ts are later
// migrations.

export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  const { instant, real } = types;

  /**
   * A table of a company. A unique (company, id) lets others refer to its rows within the company
   * only.
   */
  const owned = (name: string) =>
    types
      .companyTable(db.schema.createTable(name), name, 'id')
      .addColumn('id', 'integer', types.companyRowId)
      .addColumn('company_id', 'integer', (c) => c.notNull().references('companies.id'));

  const unique = (name: string, table: string, columns: string[]) =>
    db.schema.createIndex(name).unique().on(table).columns(columns);

  const index = (name: string, table: string, columns: string[]) =>
    db.schema.createIndex(name).on(table).columns(columns);

  await types
    .table(db.schema.createTable('companies'))
    .addColumn('id', 'integer', types.id)
    .addColumn('name', 'text', (c) => c.notNull().unique())
    .addColumn('legal_name', 'text')
    .addColumn('country_code', 'text')
    .addColumn('currency', 'text')
    .addColumn('city', 'text')
    .addColumn('postal_code', 'text')
    .addColumn('region', 'text')
    .addColumn('timezone', 'text')
    .execute();

  await owned('users')
    .addColumn('email', 'text', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('role', 'text', (c) => c.notNull())
    .addCheckConstraint('users_role', sql`role in ('OWNER', 'MANAGER', 'VIEWER')`)
    .execute();
  await unique('users_by_email', 'users', ['company_id', 'email']).execute();

  await owned('parcels')
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('type', 'text')
    .addColumn('geometry', 'text')
    .addColumn('farm_installation', 'text')
    .execute();
  await unique('parcels_by_id', 'parcels', ['company_id', 'id']).execute();
  await unique('parcels_by_name', 'parcels', ['company_id', 'name']).execute();

  await owned('gateways')
    .addColumn('imei', 'text', (c) => c.notNull())
    .addColumn('serial_hex', 'text')
    .addColumn('firmware', 'text')
    .addColumn('assigned_at', instant, (c) => c.notNull())
    .addColumn('last_seen_at', instant)
    .addColumn('battery_mv', real)
    .addColumn('level', 'integer')
    .addColumn('lat', real)
    .addColumn('lon', real)
    .execute();
  await unique('gateways_by_id', 'gateways', ['company_id', 'id']).execute();
  await unique('gateways_by_imei', 'gateways', ['company_id', 'imei']).execute();

  await owned('modules')
    .addColumn('uid', 'text', (c) => c.notNull())
    .addColumn('name', 'text')
    .addColumn('number', 'integer')
    .addColumn('serial_hex', 'text')
    .addColumn('category', 'text')
    .addColumn('parcel_id', 'integer')
    .addColumn('gateway_id', 'integer')
    .addColumn('commissioned_at', instant)
    .addColumn('lat', real)
    .addColumn('lon', real)
    .addColumn('location_source', 'text')
    .addColumn('location_gateway_id', 'integer')
    .addColumn('root_depth_cm', real)
    .addColumn('depth_weights', 'text')
    .addColumn('farm_installation', 'text')
    .addForeignKeyConstraint('modules_parcel', ['company_id', 'parcel_id'], 'parcels', [
      'company_id',
      'id',
    ])
    .addForeignKeyConstraint('modules_gateway', ['company_id', 'gateway_id'], 'gateways', [
      'company_id',
      'id',
    ])
    .execute();
  await unique('modules_by_id', 'modules', ['company_id', 'id']).execute();
  await unique('modules_by_uid', 'modules', ['company_id', 'uid']).execute();
  await unique('modules_by_name', 'modules', ['company_id', 'name']).execute();
  await index('modules_by_parcel', 'modules', ['company_id', 'parcel_id']).execute();

  await ofModule(
    owned('sensors').addColumn('module_id', 'integer', (c) => c.notNull()),
    'sensors_module',
  )
    .addColumn('type', 'text', (c) => c.notNull())
    .addColumn('depth', real)
    .addColumn('label', 'text')
    .execute();
  // Two nulls are two values to a unique index, hence one index for each case.
  await unique('sensors_by_depth', 'sensors', ['company_id', 'module_id', 'type', 'depth'])
    .where(sql.ref('depth'), 'is not', null)
    .execute();
  await unique('sensors_without_depth', 'sensors', ['company_id', 'module_id', 'type'])
    .where(sql.ref('depth'), 'is', null)
    .execute();

  await owned('soil_layers')
    .addColumn('parcel_id', 'integer', (c) => c.notNull())
    .addColumn('soil_horizon_id', 'integer', (c) => c.notNull())
    .addColumn('depth_top_cm', 'integer', (c) => c.notNull())
    .addColumn('depth_bottom_cm', 'integer', (c) => c.notNull())
    .addColumn('started_at', instant, (c) => c.notNull())
    .addColumn('ended_at', instant)
    .addForeignKeyConstraint('soil_layers_parcel', ['company_id', 'parcel_id'], 'parcels', [
      'company_id',
      'id',
    ])
    .addCheckConstraint('soil_layers_depths', sql`depth_bottom_cm > depth_top_cm`)
    .execute();
  await index('soil_layers_by_parcel', 'soil_layers', ['company_id', 'parcel_id']).execute();

  await ofModule(
    owned('installation_versions')
      .addColumn('scope', 'text', (c) => c.notNull())
      .addColumn('module_id', 'integer'),
    'installation_versions_module',
  )
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
    .addForeignKeyConstraint(
      'installation_versions_parcel',
      ['company_id', 'parcel_id'],
      'parcels',
      ['company_id', 'id'],
    )
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
  await unique('installation_versions_by_module', 'installation_versions', [
    'company_id',
    'module_id',
    'valid_from',
  ])
    .where(sql.ref('module_id'), 'is not', null)
    .execute();
  await unique('installation_versions_by_parcel', 'installation_versions', [
    'company_id',
    'parcel_id',
    'valid_from',
  ])
    .where(sql.ref('parcel_id'), 'is not', null)
    .execute();

  await ofModule(
    types
      .table(db.schema.createTable('placements'))
      .addColumn('company_id', 'integer', (c) => c.notNull())
      .addColumn('module_id', 'integer', (c) => c.notNull()),
    'placements_module',
  )
    .addColumn('emitter_distance_cm', 'integer')
    .addColumn('notes', 'text')
    .addColumn('set_at', instant, (c) => c.notNull())
    .addPrimaryKeyConstraint('placements_key', ['company_id', 'module_id'])
    .execute();

  await ofModule(
    owned('waterings').addColumn('module_id', 'integer', (c) => c.notNull()),
    'waterings_module',
  )
    .addColumn('schedule_id', 'integer')
    .addColumn('is_detached', 'integer', (c) => c.notNull())
    .addColumn('started_at', instant, (c) => c.notNull())
    .addColumn('duration_min', 'integer')
    .addColumn('input_mode', 'text', (c) => c.notNull())
    .addColumn('input_depth_mm', real)
    .addColumn('input_volume_m3', real)
    .addColumn('water_mm', real)
    .addColumn('water_mm_wetted', real)
    .addColumn('dose_installation_id', 'integer')
    .addColumn('dose_scope', 'text')
    .addColumn('dose_system', 'text')
    .addColumn('dose_flow_mm_per_h', real)
    .addColumn('dose_fraction_wetted', real)
    .addColumn('dose_fraction_wetted_is_default', 'integer', (c) => c.notNull())
    .addColumn('dose_irrigated_area_m2', real)
    .addColumn('dose_computed_at', instant)
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('source', 'text', (c) => c.notNull())
    .addColumn('verified_at', instant)
    .addColumn('note', 'text')
    .addColumn('created_by', 'integer')
    .addColumn('created_at', instant, (c) => c.notNull())
    .addCheckConstraint('waterings_status', sql`status in ('planned', 'done', 'skipped')`)
    .addCheckConstraint('waterings_source', sql`source in ('manual', 'schedule', 'api', 'mcp')`)
    .addCheckConstraint('waterings_mode', sql`input_mode in ('duration', 'depth_mm', 'volume_m3')`)
    .addCheckConstraint(
      'waterings_flags',
      sql`is_detached in (0, 1) and dose_fraction_wetted_is_default in (0, 1)`,
    )
    .addCheckConstraint(
      'waterings_scope',
      sql`dose_scope is null or dose_scope in ('module', 'parcel')`,
    )
    .addCheckConstraint(
      'waterings_fraction',
      sql`dose_fraction_wetted is null or (dose_fraction_wetted > 0 and dose_fraction_wetted <= 1)`,
    )
    .execute();
  await index('waterings_by_module', 'waterings', [
    'company_id',
    'module_id',
    'started_at',
    'id',
  ]).execute();
  await index('waterings_by_start', 'waterings', ['company_id', 'started_at', 'id']).execute();

  // Millions of rows: no foreign keys, and nothing beside the key.
  await types
    .partitionedTable(db.schema.createTable('readings'), 'at')
    .addColumn('company_id', 'integer', (c) => c.notNull())
    .addColumn('sensor_id', 'integer', (c) => c.notNull())
    .addColumn('at', instant, (c) => c.notNull())
    .addColumn('value', real, (c) => c.notNull())
    .addPrimaryKeyConstraint('readings_key', ['company_id', 'sensor_id', 'at'])
    .execute();

  for (const sums of ['reading_hours', 'reading_days'])
    await types
      .clusteredTable(db.schema.createTable(sums))
      .addColumn('company_id', 'integer', (c) => c.notNull())
      .addColumn('sensor_id', 'integer', (c) => c.notNull())
      .addColumn('bucket_at', instant, (c) => c.notNull())
      .addColumn('count', 'integer', (c) => c.notNull())
      .addColumn('sum', real, (c) => c.notNull())
      .addPrimaryKeyConstraint(`${sums}_key`, ['company_id', 'sensor_id', 'bucket_at'])
      .execute();

  await types
    .table(db.schema.createTable('idempotency'))
    .addColumn('company_id', 'integer', (c) => c.notNull().references('companies.id'))
    .addColumn('caller', 'text', (c) => c.notNull())
    .addColumn('operation', 'text', (c) => c.notNull())
    .addColumn('key', 'text', (c) => c.notNull())
    .addColumn('fingerprint', 'text', (c) => c.notNull())
    .addColumn('body', 'text', (c) => c.notNull())
    .addColumn('remarks', 'text', (c) => c.notNull())
    .addColumn('created_at', instant, (c) => c.notNull())
    .addPrimaryKeyConstraint('idempotency_key', ['company_id', 'caller', 'operation', 'key'])
    .execute();
  await index('idempotency_by_age', 'idempotency', ['created_at']).execute();

  for (const table of ['parcels', 'modules', 'installation_versions', 'waterings'])
    await types.indexAcrossCompanies(db, table, 'id');
}

const ofModule = <T extends string, C extends string>(
  table: CreateTableBuilder<T, C | 'company_id' | 'module_id'>,
  name: string,
) =>
  table.addForeignKeyConstraint(name, ['company_id', 'module_id'], 'modules', ['company_id', 'id']);
