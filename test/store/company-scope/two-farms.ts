import type { Kysely } from 'kysely';
import type { Store } from '../../../src/store/store.ts';
import type { CompanyTables } from '../../../src/store/tables.ts';
import { fillFarm } from '../sample-rows.ts';
import type { WithStore } from '../temporary-stores.ts';

export const anyColumn: Record<keyof CompanyTables, string> = {
  users: 'name',
  parcels: 'type',
  water_sources: 'name',
  gateways: 'firmware',
  modules: 'serial_hex',
  probe_settings: 'depth_weights',
  parcel_settings: 'depth_weights',
  sensors: 'label',
  soil_layers: 'depth_bottom_cm',
  seasons: 'crop',
  installation_versions: 'notes',
  placements: 'notes',
  irrigation_notes: 'note',
  waterings: 'note',
  rain: 'note',
  weather_days: 'local_day',
  station_readings: 'value',
  forecasts: 'body',
  readings: 'value',
  reading_hours: 'sum',
  reading_days: 'sum',
  reading_local_days: 'sum',
  reading_versions: 'version',
  reading_retention: 'kept_from',
  local_day_zones: 'zone',
  schedules: 'label',
  pending_plans: 'moved_start_times',
  pending_doses: 'waterings',
  idempotency: 'body',
  changes: 'operation',
  change_parts: 'changed_rows',
  pending_parts: 'after_part',
  pending_undos: 'after_part',
  daily_rows: 'row_count',
  change_counts: 'count',
  annotations: 'content',
  alerts: 'threshold',
  alert_recipients: 'user_id',
  alert_states: 'reminded_on',
  alert_episodes: 'lowest',
  outbox: 'subject',
  probe_doubts: 'reason',
  recent_deliveries: 'message_id',
  doubt_checks: 'checked_at',
  devices: 'depths',
  device_status: 'payload',
  device_readings: 'value',
  device_periods: 'device',
  unread_messages: 'reason',
  device_models: 'fields',
  pull_marks: 'pulled_until',
  api_keys: 'scopes',
  sessions: 'device',
  erasures: 'erased_at',
};

/** Their rows are never updated or deleted. */
export const appendOnlyTables: readonly (keyof CompanyTables)[] = [
  'changes',
  'change_parts',
  'irrigation_notes',
];

export const companyTableNames = Object.keys(anyColumn) as (keyof CompanyTables)[];

export const changeableTables = companyTableNames.filter(
  (table) => !appendOnlyTables.includes(table),
);

export const allRows = (store: Store, companyId: number) =>
  store.readAll(async (db) => {
    const rows = [];
    for (const table of companyTableNames)
      rows.push(
        await db.selectFrom(table).selectAll().where('company_id', '=', companyId).execute(),
      );
    return JSON.stringify(rows);
  });

export const untyped = (db: unknown) =>
  db as unknown as Kysely<Record<string, Record<string, unknown>>>;

/** Company 1's rows contain "ours" and company 2's "theirs". */
export const withTwoFarms = (
  withStore: WithStore,
  body: (store: Store) => Promise<void>,
): Promise<void> =>
  withStore(async (store) => {
    await store.write(1, (db) => fillFarm(db, 'ours'));
    await store.write(2, (db) => fillFarm(db, 'theirs'));
    await body(store);
  });
