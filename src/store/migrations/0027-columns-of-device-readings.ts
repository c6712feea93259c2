import { type Kysely, sql } from 'kysely';
import type { ColumnTypes } from './column-types.ts';

// Before, one text said the position ("#2"), the depth in cm, the minutes of rain, or "day".

export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  const { instant, real } = types;
  await sql`create table coded_device_readings as select * from device_readings`.execute(db);
  await db.schema.dropTable('device_readings').execute();

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
    .addForeignKeyConstraint('device_readings_device', ['company_id', 'device'], 'devices', [
      'company_id',
      'name',
    ])
    .addCheckConstraint('device_readings_flag', sql`is_day_total in (0, 1)`)
    .execute();
  // Two nulls are two values to a unique index.
  await sql`create unique index device_readings_once on device_readings (company_id, device, at, type,
    coalesce(position, -1), coalesce(depth_cm, -1), coalesce(minutes, -1), is_day_total)`.execute(
    db,
  );

  await sql`insert into device_readings
      (company_id, device, at, type, position, depth_cm, minutes, is_day_total, value)
    select company_id, device, at, type,
      case when place like '#%' then cast(substr(place, 2) as integer) end,
      case when type <> 'rain' and place not in ('', 'null') and place not like '#%'
        then cast(place as ${real}) end,
      case when type = 'rain' and place not in ('', 'day') then cast(place as ${real}) end,
      case when place = 'day' then 1 else 0 end, value
    from coded_device_readings order by company_id, device, at, type, place`.execute(db);
  await db.schema.dropTable('coded_device_readings').execute();
}
