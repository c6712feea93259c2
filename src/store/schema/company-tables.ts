import { sql } from 'kysely';
import { reference, type SchemaBuilder } from './schema-builder.ts';

export async function createCompanyTables(schema: SchemaBuilder): Promise<void> {
  await createCompanies(schema);
  await createParcels(schema);
  await createModules(schema);
}

async function createCompanies(schema: SchemaBuilder): Promise<void> {
  const { db, types } = schema;

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

  await schema
    .numbered('users')
    .addColumn('email', 'text', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('role', 'text', (c) => c.notNull())
    .addCheckConstraint('users_role', sql`role in ('OWNER', 'MANAGER', 'VIEWER')`)
    .execute();
  await schema.uniqueIndex('users_by_email', 'users', ['company_id', 'email']).execute();
  await schema.uniqueIndex('users_by_id', 'users', ['company_id', 'id']).execute();
}

async function createParcels(schema: SchemaBuilder): Promise<void> {
  const { real } = schema.types;

  await schema
    .numbered('parcels')
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('type', 'text')
    .addColumn('geometry', 'text')
    .addColumn('farm_installation', 'text')
    .addColumn('area_m2', real)
    .execute();
  await schema.uniqueIndex('parcels_by_id', 'parcels', ['company_id', 'id']).execute();
  await schema.uniqueIndex('parcels_by_name', 'parcels', ['company_id', 'name']).execute();
  await schema.indexAcrossCompanies('parcels');
}

async function createModules(schema: SchemaBuilder): Promise<void> {
  const { instant, real } = schema.types;

  await schema
    .numbered('gateways')
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
  await schema.uniqueIndex('gateways_by_id', 'gateways', ['company_id', 'id']).execute();
  await schema.uniqueIndex('gateways_by_imei', 'gateways', ['company_id', 'imei']).execute();

  await schema
    .numbered('modules')
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
    .addColumn('farm_installation', 'text')
    .addColumn('removed_at', instant)
    .$call(reference('modules_parcel', 'parcel_id', 'parcels'))
    .$call(reference('modules_gateway', 'gateway_id', 'gateways'))
    .execute();
  await schema.uniqueIndex('modules_by_id', 'modules', ['company_id', 'id']).execute();
  await schema.uniqueIndex('modules_by_uid', 'modules', ['company_id', 'uid']).execute();
  await schema.uniqueIndex('modules_by_name', 'modules', ['company_id', 'name']).execute();
  await schema.index('modules_by_parcel', 'modules', ['company_id', 'parcel_id']).execute();
  await schema.indexAcrossCompanies('modules');
}
