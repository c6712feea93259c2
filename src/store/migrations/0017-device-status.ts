import { type Kysely, sql } from 'kysely';
import type { ColumnTypes } from './column-types.ts';

export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  const { instant, real } = types;
  await types
    .clusteredTable(db.schema.createTable('device_status'))
    .addColumn('company_id', 'integer', (c) => c.notNull().references('companies.id'))
    .addColumn('device', 'text', (c) => c.notNull())
    .addColumn('last_seen_at', instant, (c) => c.notNull())
    .addColumn('payload', 'text')
    .addColumn('battery_percent', real)
    .addColumn('battery_v', real)
    .addColumn('gateway', 'text')
    .addColumn('rssi', real)
    .addColumn('snr', real)
    .addPrimaryKeyConstraint('device_status_key', ['company_id', 'device'])
    .execute();
  await sql`insert into device_status (company_id, device, last_seen_at, payload)
    select company_id, name, last_seen_at, payload from devices`.execute(db);
  await db.schema.alterTable('devices').dropColumn('last_seen_at').execute();
  await db.schema.alterTable('devices').dropColumn('payload').execute();
}
