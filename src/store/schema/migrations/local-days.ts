import type { Kysely } from 'kysely';
import type { ColumnTypes } from '../column-types.ts';
import { SchemaBuilder } from '../schema-builder.ts';

/** Housekeeping computes the sums of readings that are stored already. */
export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  const schema = new SchemaBuilder(db, types);

  await schema
    .clustered('local_day_zones')
    .addColumn('zone', 'text', (c) => c.notNull())
    .addColumn('next_sensor_id', 'integer')
    .addPrimaryKeyConstraint('local_day_zones_key', ['company_id'])
    .execute();

  await schema
    .clusteredByParent('reading_local_days')
    .addColumn('sensor_id', 'integer', (c) => c.notNull())
    .addColumn('bucket_at', types.instant, (c) => c.notNull())
    .addColumn('count', 'integer', (c) => c.notNull())
    .addColumn('sum', types.real, (c) => c.notNull())
    .addPrimaryKeyConstraint('reading_local_days_key', ['company_id', 'sensor_id', 'bucket_at'])
    .execute();
}
