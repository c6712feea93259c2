import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import {
  flag,
  instant,
  integer,
  json,
  oneOf,
  real,
  referenceTo,
  sequence,
  text,
} from '../../schema/tables/column.ts';
import type { SchemaChanges } from './schema-changes.ts';

type Migrate = (schema: SchemaChanges) => Promise<void>;

/**
 * By name, in order. A released migration never changes, nor does its name: each store records
 * which it has applied. A new store is made from the descriptions in src/schema/tables, and counts
 * as having applied all.
 */
export const migrations: Readonly<Record<string, Migrate>> = {
  /** The tables that every store had at first; test/store/first-store has them. */
  async '0001-first-schema'() {},

  async '0002-sensor-versions'(schema) {
    await schema.addColumns('change_counts', { sensors_version: text.orNull });
  },

  /** Housekeeping computes the sums of readings that are stored already. */
  async '0003-local-days'(schema) {
    await schema.createTable('local_day_zones', {
      columns: { zone: text, next_sensor_id: integer.orNull },
      key: [],
    });
    await schema.createTable('reading_local_days', {
      columns: { sensor_id: integer, bucket_at: instant, count: integer, sum: real },
      key: ['sensor_id', 'bucket_at'],
      isStandalone: true,
    });
  },

  async '0004-reading-versions'(schema) {
    await schema.execute(
      'alter table change_counts rename column sensors_version to probes_version',
    );
    await schema.createTable('reading_versions', {
      columns: { module_id: integer, version: text },
      key: ['module_id'],
      isStandalone: true,
    });
    await sql`insert into reading_versions (company_id, module_id, version)
      select company_id, id, ${randomUUID()} from modules`.execute(schema.db);
  },

  async '0005-calibrations'(schema) {
    await schema.addColumns('sensors', { calibration: json.orNull });
  },

  async '0006-parcel-settings'(schema) {
    const rest = { rest_from: text.orNull, rest_until: text.orNull };
    await schema.createTable('parcel_settings', {
      columns: {
        parcel_id: referenceTo('parcels'),
        valid_from: instant,
        set_at: instant,
        root_depth_cm: real.orNull,
        depth_weights: json.orNull,
        allowed_depletion: real.orNull,
        refill_percent: real.orNull,
        efficiency_percent: real.orNull,
        leaching_percent: real.orNull,
        hours_per_day: real.orNull,
        ...rest,
      },
      key: ['parcel_id', 'valid_from'],
    });
    await schema.addColumns('probe_settings', rest);
  },

  async '0007-seasons'(schema) {
    await schema.createTable('seasons', {
      columns: {
        id: sequence,
        parcel_id: referenceTo('parcels'),
        set_at: instant,
        crop: text.orNull,
        planted_on: text.orNull,
        harvested_on: text.orNull,
        stage: text.orNull,
        stage_on: text.orNull,
        root_depth_cm: real.orNull,
      },
      key: ['id'],
      indexes: { by_parcel: { on: ['parcel_id'] } },
    });
  },

  async '0008-emitter-spacings'(schema) {
    await schema.addColumns('installation_versions', {
      emitter_spacing_m: real.orNull,
      line_spacing_m: real.orNull,
    });
  },

  async '0009-line-checks'(schema) {
    await schema.addColumns('annotations', {
      suggested_height: real.orNull,
      confirmed_height: real.orNull,
    });
  },

  async '0010-units'(schema) {
    await schema.addColumns('companies', { units: text.orNull });
  },

  /** It is not known of stored modules whether a person gave the date. */
  async '0011-assumed-commissioning'(schema) {
    await schema.addColumns('modules', { commissioning_is_assumed: flag.orDefault(1) });
  },

  async '0012-unread-messages'(schema) {
    await schema.createTable('unread_messages', {
      columns: {
        sender: text,
        received_at: instant,
        via: text.orNull,
        reason: text,
        payload: text.orNull,
      },
      key: ['sender', 'received_at'],
    });
  },

  async '0013-probe-doubts'(schema) {
    await schema.createTable('probe_doubts', {
      columns: {
        module_id: integer,
        reason: text,
        since: instant,
        gone_since: instant.orNull,
        messaged_at: instant.orNull,
      },
      key: ['module_id', 'reason'],
      isStandalone: true,
    });
    await schema.createTable('doubt_checks', {
      columns: { checked_at: instant, change_count: integer },
      key: [],
      isStandalone: true,
    });

    // SQLite can do this since 3.53.0.
    await schema.execute('alter table outbox alter column alert_id drop not null');
    await schema.execute('alter table outbox drop constraint outbox_kind');
    await schema.execute(`alter table outbox add constraint outbox_kind
      check (kind in ('fired', 'reminder', 'resolved', 'stale', 'doubt'))`);
  },

  async '0014-uncalibrated-levels'(schema) {
    await schema.addColumns('annotations', { uncalibrated_height: real.orNull });
    await schema.addColumns('alerts', { uncalibrated_threshold: real.orNull });
  },

  async '0015-device-sources'(schema) {
    await schema.addColumns('device_status', { source: text.orNull });
  },

  async '0016-rain-counters'(schema) {
    await schema.addColumns('device_status', { rain_counter: json.orNull });
  },

  async '0017-device-fields'(schema) {
    await schema.addColumns('devices', { fields: json.orNull });
    await schema.addColumns('device_status', { model: text.orNull });
    await schema.createTable('device_models', {
      columns: { model: text, fields: json, depths: json },
      key: ['model'],
    });
  },

  async '0018-daily-rows'(schema) {
    await schema.createTable('daily_rows', {
      columns: { day: integer, row_count: integer },
      key: ['day'],
      isStandalone: true,
    });
  },

  async '0019-recent-deliveries'(schema) {
    await schema.createTable('recent_deliveries', {
      columns: { user_id: integer, session_id: integer, message_id: text, composed_at: instant },
      key: ['user_id', 'session_id', 'message_id'],
      isStandalone: true,
    });
  },

  async '0020-job-rounds'(schema) {
    await schema.createTable('job_rounds', {
      columns: {
        runner: oneOf(['stdio', 'serve', 'tick']),
        has_mail_server: flag,
        ran_at: instant,
        delivered_at: instant.orNull,
        failed_at: instant.orNull,
      },
      key: ['runner', 'has_mail_server'],
      isOfCompany: false,
      isClustered: false,
      checks: { mail_server: 'has_mail_server in (0, 1)' },
    });
  },

  async '0021-doses-in-steps'(schema) {
    await schema.createTable('pending_doses', {
      columns: {
        module_id: referenceTo('modules'),
        change_id: integer.orNull,
        changed_at: instant,
        waterings: oneOf(['recorded', 'all', 'of_parcel']),
        after_started_at: instant.orNull,
        after_id: integer.orNull,
      },
      key: ['module_id'],
    });
    await schema.createTable('change_parts', {
      columns: { change_id: integer, part: integer, row_count: integer, changed_rows: text },
      key: ['change_id', 'part'],
      isStandalone: true,
    });
  },

  async '0022-undo-in-steps'(schema) {
    await schema.createTable('pending_undos', {
      columns: { change_id: integer, undoes: integer, after_part: integer },
      key: ['change_id'],
      isStandalone: true,
    });
  },

  async '0023-tried-mail-servers'(schema) {
    await schema.addColumns('job_rounds', { tried_at: instant.orNull, stopped_at: instant.orNull });
  },

  async '0024-device-periods'(schema) {
    await schema.createTable('device_periods', {
      columns: {
        id: sequence,
        device: text,
        sensor_id: integer,
        started_at: instant,
        from_at: instant,
        first_at: instant,
        until_at: instant.orNull,
        early_at: instant.orNull,
        is_shared: flag,
        undone_assignment: json.orNull,
      },
      key: ['id'],
      checks: { flag: 'is_shared in (0, 1)' },
      indexes: { by_sensor: { on: ['sensor_id'] } },
    });
  },

  async '0025-pending-parts'(schema) {
    await schema.createTable('pending_parts', {
      columns: { change_id: integer, after_part: integer },
      key: ['change_id'],
      isStandalone: true,
    });
  },

  async '0026-backup-folders'(schema) {
    await schema.createTable('backup_folders', {
      columns: {
        folder: text,
        store_id: text,
        copied_at: instant.orNull,
        checked_at: instant.orNull,
        drilled_at: instant.orNull,
        failed_at: instant.orNull,
        failure: text.orNull,
      },
      key: ['folder'],
      isOfCompany: false,
      isClustered: false,
    });
  },

  async '0027-irrigation-notes'(schema) {
    await schema.createTable('irrigation_notes', {
      columns: { id: sequence, note: text },
      key: ['id'],
      refersToCompany: false,
    });
    await schema.addColumns('waterings', { note_id: integer.orNull });
  },

  async '0028-erasures'(schema) {
    await schema.createTable('erasures', {
      columns: { user_id: integer, erased_at: instant, cleared_at: instant.orNull },
      key: ['user_id'],
      isStandalone: true,
    });
  },

  async '0029-reading-retention'(schema) {
    await schema.createTable('reading_retention', {
      columns: { kept_from: instant, day_zone: text.orNull },
      key: [],
    });
  },

  async '0030-stones-and-buried-emitters'(schema) {
    for (const table of ['probe_settings', 'parcel_settings'] as const)
      await schema.addColumns(table, {
        stones_by_depth: json.orNull,
        emitter_depth_cm: real.orNull,
      });
  },

  async '0031-waterings-of-parcels'(schema) {
    await schema.addColumns('waterings', { parcel_id: integer.orNull });
    await schema.execute('alter table waterings alter column module_id drop not null');
    await schema.execute(`alter table waterings add constraint waterings_target
      check ((module_id is null) <> (parcel_id is null))`);
    await schema.execute(`create index "waterings_by_parcel"
      on "waterings" ("company_id", "parcel_id", "started_at", "id") where parcel_id is not null`);
    await schema.execute(`create unique index "waterings_of_parcel_by_scheduled_start"
      on "waterings" ("company_id", "schedule_id", "parcel_id", "scheduled_start")
      where schedule_id is not null and parcel_id is not null`);
  },

  async '0032-water-times'(schema) {
    await schema.addColumns('probe_settings', { water_times: json.orNull });
    await schema.addColumns('parcel_settings', { water_times: json.orNull });
  },

  async '0033-moved-probes'(schema) {
    await schema.addColumns('modules', { moved_at: instant.orNull });
  },

  async '0034-earlier-stages'(schema) {
    await schema.addColumns('seasons', { earlier_stages: json.orNull });
  },

  async '0035-water-sources'(schema) {
    await schema.createTable('water_sources', {
      columns: { name: text, set_at: instant, versions: json },
      key: ['name'],
    });
    for (const table of ['probe_settings', 'parcel_settings'] as const)
      await schema.addColumns(table, { water_source: text.orNull });
  },

  async '0036-waterings-of-parcels-by-time'(schema) {
    await schema.execute(`create index "waterings_of_parcels_by_time"
      on "waterings" ("company_id", "started_at", "id") where parcel_id is not null`);
  },

  async '0037-mulch'(schema) {
    for (const table of ['probe_settings', 'parcel_settings'] as const) {
      await schema.addColumns(table, { mulch: text.orNull });
      await schema.execute(`alter table ${table} add constraint ${table}_mulch
        check (mulch is null or mulch in ('none', 'organic', 'plastic'))`);
    }
  },
};

export const MIGRATION_COUNT = Object.keys(migrations).length;
