import type { Kysely } from 'kysely';
import type { ColumnTypes } from './column-types.ts';

export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  const { instant, real } = types;
  await types
    .clusteredTable(db.schema.createTable('devices'))
    .addColumn('company_id', 'integer', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('module_id', 'integer')
    .addColumn('depths', 'text')
    .addColumn('first_seen_at', instant, (c) => c.notNull())
    .addColumn('last_seen_at', instant, (c) => c.notNull())
    .addColumn('payload', 'text')
    .addPrimaryKeyConstraint('devices_key', ['company_id', 'name'])
    .addForeignKeyConstraint('devices_module', ['company_id', 'module_id'], 'modules', [
      'company_id',
      'id',
    ])
    .execute();
  await types
    .clusteredTable(db.schema.createTable('device_readings'))
    .addColumn('company_id', 'integer', (c) => c.notNull())
    .addColumn('device', 'text', (c) => c.notNull())
    .addColumn('at', instant, (c) => c.notNull())
    .addColumn('type', 'text', (c) => c.notNull())
    .addColumn('place', 'text', (c) => c.notNull())
    .addColumn('value', real, (c) => c.notNull())
    .addPrimaryKeyConstraint('device_readings_key', ['company_id', 'device', 'at', 'type', 'place'])
    .addForeignKeyConstraint('device_readings_device', ['company_id', 'device'], 'devices', [
      'company_id',
      'name',
    ])
    .execute();
}
