import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { reference, type SchemaBuilder } from './schema-builder.ts';

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

  async '0006-parcel-settings'(schema) {
    const { instant, real } = schema.types;

    await schema
      .clusteredByParent('parcel_settings')
      .addColumn('parcel_id', 'integer', (c) => c.notNull())
      .addColumn('valid_from', instant, (c) => c.notNull())
      .addColumn('set_at', instant, (c) => c.notNull())
      .addColumn('root_depth_cm', real)
      .addColumn('depth_weights', 'text')
      .addColumn('allowed_depletion', real)
      .addColumn('refill_percent', real)
      .addColumn('efficiency_percent', real)
      .addColumn('leaching_percent', real)
      .addColumn('hours_per_day', real)
      .addPrimaryKeyConstraint('parcel_settings_key', ['company_id', 'parcel_id', 'valid_from'])
      .$call(reference('parcel_settings_parcel', 'parcel_id', 'parcels'))
      .execute();

    for (const table of ['probe_settings', 'parcel_settings'])
      for (const column of ['rest_from', 'rest_until'])
        await schema.db.schema.alterTable(table).addColumn(column, 'text').execute();
  },

  async '0007-seasons'(schema) {
    const { instant, real } = schema.types;
    await schema
      .numbered('seasons')
      .addColumn('parcel_id', 'integer', (c) => c.notNull())
      .addColumn('set_at', instant, (c) => c.notNull())
      .addColumn('crop', 'text')
      .addColumn('planted_on', 'text')
      .addColumn('harvested_on', 'text')
      .addColumn('stage', 'text')
      .addColumn('stage_on', 'text')
      .addColumn('root_depth_cm', real)
      .$call(reference('seasons_parcel', 'parcel_id', 'parcels'))
      .execute();
    await schema.index('seasons_by_parcel', 'seasons', ['company_id', 'parcel_id']).execute();
  },

  async '0008-emitter-spacings'({ db, types: { real } }) {
    for (const column of ['emitter_spacing_m', 'line_spacing_m'])
      await db.schema.alterTable('installation_versions').addColumn(column, real).execute();
  },

  async '0009-line-checks'({ db, types: { real } }) {
    for (const column of ['suggested_height', 'confirmed_height'])
      await db.schema.alterTable('annotations').addColumn(column, real).execute();
  },

  async '0010-units'({ db }) {
    await db.schema.alterTable('companies').addColumn('units', 'text').execute();
  },

  /** Of modules that are stored already, it is not known whether a person gave the date. */
  async '0011-assumed-commissioning'({ db }) {
    await db.schema
      .alterTable('modules')
      .addColumn('commissioning_is_assumed', 'integer', (c) => c.notNull().defaultTo(1))
      .execute();
  },

  async '0012-unread-messages'(schema) {
    await schema
      .clustered('unread_messages')
      .addColumn('sender', 'text', (c) => c.notNull())
      .addColumn('received_at', schema.types.instant, (c) => c.notNull())
      .addColumn('via', 'text')
      .addColumn('reason', 'text', (c) => c.notNull())
      .addColumn('payload', 'text')
      .addPrimaryKeyConstraint('unread_messages_key', ['company_id', 'sender', 'received_at'])
      .execute();
  },

  async '0013-probe-doubts'(schema) {
    const { instant } = schema.types;

    await schema
      .clusteredByParent('probe_doubts')
      .addColumn('module_id', 'integer', (c) => c.notNull())
      .addColumn('reason', 'text', (c) => c.notNull())
      .addColumn('since', instant, (c) => c.notNull())
      .addColumn('gone_since', instant)
      .addColumn('messaged_at', instant)
      .addPrimaryKeyConstraint('probe_doubts_key', ['company_id', 'module_id', 'reason'])
      .execute();
    await schema
      .clusteredByParent('doubt_checks')
      .addColumn('checked_at', instant, (c) => c.notNull())
      .addColumn('change_count', 'integer', (c) => c.notNull())
      .addPrimaryKeyConstraint('doubt_checks_key', ['company_id'])
      .execute();

    // SQLite can do this since 3.53.0.
    await sql`alter table outbox alter column alert_id drop not null`.execute(schema.db);
    await sql`alter table outbox drop constraint outbox_kind`.execute(schema.db);
    await sql`alter table outbox add constraint outbox_kind
      check (kind in ('fired', 'reminder', 'resolved', 'stale', 'doubt'))`.execute(schema.db);
  },

  async '0014-uncalibrated-levels'({ db, types: { real } }) {
    await db.schema.alterTable('annotations').addColumn('uncalibrated_height', real).execute();
    await db.schema.alterTable('alerts').addColumn('uncalibrated_threshold', real).execute();
  },

  async '0015-device-sources'({ db }) {
    await db.schema.alterTable('device_status').addColumn('source', 'text').execute();
  },

  async '0016-rain-counters'({ db }) {
    await db.schema.alterTable('device_status').addColumn('rain_counter', 'text').execute();
  },

  async '0017-device-fields'(schema) {
    const { db } = schema;
    await db.schema.alterTable('devices').addColumn('fields', 'text').execute();
    await db.schema.alterTable('device_status').addColumn('model', 'text').execute();
    await schema
      .clustered('device_models')
      .addColumn('model', 'text', (c) => c.notNull())
      .addColumn('fields', 'text', (c) => c.notNull())
      .addColumn('depths', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('device_models_key', ['company_id', 'model'])
      .execute();
  },

  async '0018-daily-rows'(schema) {
    await schema
      .clusteredByParent('daily_rows')
      .addColumn('day', 'integer', (c) => c.notNull())
      .addColumn('row_count', 'integer', (c) => c.notNull())
      .addPrimaryKeyConstraint('daily_rows_key', ['company_id', 'day'])
      .execute();
  },

  async '0019-recent-deliveries'(schema) {
    await schema
      .clusteredByParent('recent_deliveries')
      .addColumn('user_id', 'integer', (c) => c.notNull())
      .addColumn('session_id', 'integer', (c) => c.notNull())
      .addColumn('message_id', 'text', (c) => c.notNull())
      .addColumn('composed_at', schema.types.instant, (c) => c.notNull())
      .addPrimaryKeyConstraint('recent_deliveries_key', [
        'company_id',
        'user_id',
        'session_id',
        'message_id',
      ])
      .execute();
  },

  async '0020-job-rounds'({ db, types: { instant, table } }) {
    await table(db.schema.createTable('job_rounds'))
      .addColumn('runner', 'text', (c) => c.notNull())
      .addColumn('has_mail_server', 'integer', (c) => c.notNull())
      .addColumn('ran_at', instant, (c) => c.notNull())
      .addColumn('delivered_at', instant)
      .addColumn('failed_at', instant)
      .addPrimaryKeyConstraint('job_rounds_key', ['runner', 'has_mail_server'])
      .addCheckConstraint('job_rounds_runner', sql`runner in ('stdio', 'serve', 'tick')`)
      .addCheckConstraint('job_rounds_mail_server', sql`has_mail_server in (0, 1)`)
      .execute();
  },

  async '0021-doses-in-steps'(schema) {
    const { instant } = schema.types;

    await schema
      .clusteredByParent('pending_doses')
      .addColumn('module_id', 'integer', (c) => c.notNull())
      .addColumn('change_id', 'integer')
      .addColumn('changed_at', instant, (c) => c.notNull())
      .addColumn('waterings', 'text', (c) => c.notNull())
      .addColumn('after_started_at', instant)
      .addColumn('after_id', 'integer')
      .addPrimaryKeyConstraint('pending_doses_key', ['company_id', 'module_id'])
      .$call(reference('pending_doses_module', 'module_id', 'modules'))
      .addCheckConstraint(
        'pending_doses_waterings',
        sql`waterings in ('recorded', 'all', 'of_parcel')`,
      )
      .execute();
    await schema
      .clusteredByParent('change_parts')
      .addColumn('change_id', 'integer', (c) => c.notNull())
      .addColumn('part', 'integer', (c) => c.notNull())
      .addColumn('row_count', 'integer', (c) => c.notNull())
      .addColumn('changed_rows', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('change_parts_key', ['company_id', 'change_id', 'part'])
      .execute();
  },

  async '0022-undo-in-steps'(schema) {
    await schema
      .clusteredByParent('pending_undos')
      .addColumn('change_id', 'integer', (c) => c.notNull())
      .addColumn('undoes', 'integer', (c) => c.notNull())
      .addColumn('after_part', 'integer', (c) => c.notNull())
      .addPrimaryKeyConstraint('pending_undos_key', ['company_id', 'change_id'])
      .execute();
  },

  async '0023-tried-mail-servers'({ db, types: { instant } }) {
    await db.schema.alterTable('job_rounds').addColumn('tried_at', instant).execute();
    await db.schema.alterTable('job_rounds').addColumn('stopped_at', instant).execute();
  },

  async '0024-device-periods'(schema) {
    const { instant } = schema.types;
    await schema
      .numbered('device_periods')
      .addColumn('device', 'text', (c) => c.notNull())
      .addColumn('sensor_id', 'integer', (c) => c.notNull())
      .addColumn('started_at', instant, (c) => c.notNull())
      .addColumn('from_at', instant, (c) => c.notNull())
      .addColumn('first_at', instant, (c) => c.notNull())
      .addColumn('until_at', instant)
      .addColumn('early_at', instant)
      .addColumn('is_shared', 'integer', (c) => c.notNull())
      .addColumn('undone_assignment', 'text')
      .addCheckConstraint('device_periods_flag', sql`is_shared in (0, 1)`)
      .execute();
    await schema
      .index('device_periods_by_sensor', 'device_periods', ['company_id', 'sensor_id'])
      .execute();
  },

  async '0025-pending-parts'(schema) {
    await schema
      .clusteredByParent('pending_parts')
      .addColumn('change_id', 'integer', (c) => c.notNull())
      .addColumn('after_part', 'integer', (c) => c.notNull())
      .addPrimaryKeyConstraint('pending_parts_key', ['company_id', 'change_id'])
      .execute();
  },
};

export const MIGRATION_COUNT = Object.keys(migrations).length;
