import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { SchemaBuilder } from './schema-builder.ts';

type Migrate = (schema: SchemaBuilder) => Promise<void>;

/**
 * By name, in order. A released migration never changes, nor does its name: each store records
 * which it has applied.
 */
export const migrations: Readonly<Record<string, Migrate>> = {
  async '0001-first-schema'(schema) {
    const { createFirstSchema } = await import('./first-schema.ts');
    await createFirstSchema(schema);
  },

  async '0002-sensor-versions'({ db }) {
    await db.schema.alterTable('change_counts').addColumn('sensors_version', 'text').execute();
  },

  /** Housekeeping computes the sums of readings that are stored already. */
  async '0003-local-days'(schema) {
    const { instant, real } = schema.types;

    await schema
      .clustered('local_day_zones')
      .addColumn('zone', 'text', (c) => c.notNull())
      .addColumn('next_sensor_id', 'integer')
      .addPrimaryKeyConstraint('local_day_zones_key', ['company_id'])
      .execute();

    await schema
      .clusteredByParent('reading_local_days')
      .addColumn('sensor_id', 'integer', (c) => c.notNull())
      .addColumn('bucket_at', instant, (c) => c.notNull())
      .addColumn('count', 'integer', (c) => c.notNull())
      .addColumn('sum', real, (c) => c.notNull())
      .addPrimaryKeyConstraint('reading_local_days_key', ['company_id', 'sensor_id', 'bucket_at'])
      .execute();
  },

  async '0004-reading-versions'(schema) {
    await schema.db.schema
      .alterTable('change_counts')
      .renameColumn('sensors_version', 'probes_version')
      .execute();
    await schema
      .clusteredByParent('reading_versions')
      .addColumn('module_id', 'integer', (c) => c.notNull())
      .addColumn('version', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('reading_versions_key', ['company_id', 'module_id'])
      .execute();
    await sql`insert into reading_versions (company_id, module_id, version)
      select company_id, id, ${randomUUID()} from modules`.execute(schema.db);
  },

  async '0005-calibrations'({ db }) {
    await db.schema.alterTable('sensors').addColumn('calibration', 'text').execute();
  },
};
