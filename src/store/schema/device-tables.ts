import { sql } from 'kysely';
import { reference, type SchemaBuilder } from './schema-builder.ts';

export async function createDeviceTables(schema: SchemaBuilder): Promise<void> {
  const { instant, real } = schema.types;

  await schema
    .clusteredByParent('devices')
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('module_id', 'integer')
    .addColumn('depths', 'text')
    .addColumn('first_seen_at', instant, (c) => c.notNull())
    .addPrimaryKeyConstraint('devices_key', ['company_id', 'name'])
    .$call(reference('devices_module', 'module_id', 'modules'))
    .execute();

  await schema
    .clustered('device_status')
    .addColumn('device', 'text', (c) => c.notNull())
    .addColumn('last_seen_at', instant, (c) => c.notNull())
    .addColumn('payload', 'text')
    .addColumn('battery_percent', real)
    .addColumn('battery_v', real)
    .addColumn('gateway', 'text')
    .addColumn('rssi', real)
    .addColumn('snr', real)
    .addColumn('sender', 'text')
    .addColumn('listed_at', instant)
    .addPrimaryKeyConstraint('device_status_key', ['company_id', 'device'])
    .execute();

  await createUnassignedReadings(schema);

  await schema
    .clustered('pull_marks')
    .addColumn('provider', 'text', (c) => c.notNull())
    .addColumn('device', 'text', (c) => c.notNull())
    .addColumn('pulled_until', instant, (c) => c.notNull())
    .addPrimaryKeyConstraint('pull_marks_key', ['company_id', 'provider', 'device'])
    .execute();
}

export async function createUnassignedReadings(schema: SchemaBuilder): Promise<void> {
  const { db, types } = schema;
  const { instant, real } = types;

  await types
    .companyTable(db.schema.createTable('device_readings'), 'device_readings', 'id')
    .addColumn('id', 'integer', types.companyRowId)
    .addColumn('company_id', 'integer', (c) => c.notNull())
    .addColumn('device', 'text', (c) => c.notNull())
    .addColumn('at', instant, (c) => c.notNull())
    .addColumn('type', 'text', (c) => c.notNull())
    .addColumn('position', 'integer')
    .addColumn('depth_cm', real)
    .addColumn('minutes', real)
    .addColumn('is_day_total', 'integer', (c) => c.notNull())
    .addColumn('value', real, (c) => c.notNull())
    .$call(reference('device_readings_device', 'device', 'devices', 'name'))
    .addCheckConstraint('device_readings_flag', sql`is_day_total in (0, 1)`)
    .execute();

  // Two nulls are two values to a unique index.
  await sql`create unique index device_readings_once on device_readings (company_id, device, at,
    type, coalesce(position, -1), coalesce(depth_cm, -1), coalesce(minutes, -1),
    is_day_total)`.execute(db);
}
