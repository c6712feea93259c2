import { sql } from 'kysely';
import { reference, type SchemaBuilder } from './schema-builder.ts';

export async function createMoistureTables(schema: SchemaBuilder): Promise<void> {
  await createSensors(schema);
  await createSoilLayers(schema);
  await createReadings(schema);
}

async function createSensors(schema: SchemaBuilder): Promise<void> {
  const { instant, real } = schema.types;

  await schema
    .numbered('sensors')
    .addColumn('module_id', 'integer', (c) => c.notNull())
    .addColumn('type', 'text', (c) => c.notNull())
    .addColumn('depth', real)
    .addColumn('label', 'text')
    .$call(reference('sensors_module', 'module_id', 'modules'))
    .execute();
  // Two nulls are two values to a unique index, hence one index for each case.
  const key = ['company_id', 'module_id', 'type'];
  await schema
    .uniqueIndex('sensors_by_depth', 'sensors', [...key, 'depth'])
    .where(sql.ref('depth'), 'is not', null)
    .execute();
  await schema
    .uniqueIndex('sensors_without_depth', 'sensors', key)
    .where(sql.ref('depth'), 'is', null)
    .execute();

  await schema
    .clusteredByParent('probe_settings')
    .addColumn('module_id', 'integer', (c) => c.notNull())
    .addColumn('valid_from', instant, (c) => c.notNull())
    .addColumn('set_at', instant, (c) => c.notNull())
    .addColumn('root_depth_cm', real)
    .addColumn('depth_weights', 'text')
    .addColumn('allowed_depletion', real)
    .addColumn('refill_percent', real)
    .addColumn('efficiency_percent', real)
    .addColumn('leaching_percent', real)
    .addColumn('hours_per_day', real)
    .addPrimaryKeyConstraint('probe_settings_key', ['company_id', 'module_id', 'valid_from'])
    .$call(reference('probe_settings_module', 'module_id', 'modules'))
    .execute();
}

async function createSoilLayers(schema: SchemaBuilder): Promise<void> {
  const { instant } = schema.types;

  await schema
    .numbered('soil_layers')
    .addColumn('parcel_id', 'integer', (c) => c.notNull())
    .addColumn('soil_horizon_id', 'integer', (c) => c.notNull())
    .addColumn('depth_top_cm', 'integer', (c) => c.notNull())
    .addColumn('depth_bottom_cm', 'integer', (c) => c.notNull())
    .addColumn('started_at', instant, (c) => c.notNull())
    .addColumn('ended_at', instant)
    .$call(reference('soil_layers_parcel', 'parcel_id', 'parcels'))
    .addCheckConstraint('soil_layers_depths', sql`depth_bottom_cm > depth_top_cm`)
    .execute();
  await schema.index('soil_layers_by_parcel', 'soil_layers', ['company_id', 'parcel_id']).execute();
}

/** Millions of rows: no foreign keys, and nothing beside the key. */
async function createReadings({ db, types }: SchemaBuilder): Promise<void> {
  const { instant, real } = types;

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
}
