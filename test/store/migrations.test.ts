import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { sql } from 'kysely';
import { afterEach, expect, it, vi } from 'vitest';
import { openStore } from '../../src/store/store.ts';
import type { Tables } from '../../src/store/tables.ts';
import { describeSchema } from './schema-description.ts';
import { inTemporaryFolder, onEachStore, tableNames } from './temporary-stores.ts';

afterEach(() => {
  vi.doUnmock('../../src/store/sqlite/migrate.ts');
  vi.resetModules();
});

const columns = {
  companies: ['id name legal_name country_code currency city postal_code region timezone'],
  users: ['company_id id email name role'],
  parcels: ['company_id id name type geometry farm_installation area_m2'],
  gateways: [
    'company_id id imei serial_hex firmware assigned_at last_seen_at battery_mv level lat lon',
  ],
  modules: [
    'company_id id uid name number serial_hex category parcel_id gateway_id commissioned_at lat lon',
    'location_source location_gateway_id farm_installation removed_at',
  ],
  probe_settings: [
    'company_id module_id valid_from set_at root_depth_cm depth_weights allowed_depletion refill_percent',
    'efficiency_percent leaching_percent hours_per_day',
  ],
  sensors: ['company_id id module_id type depth label'],
  soil_layers: [
    'company_id id parcel_id soil_horizon_id depth_top_cm depth_bottom_cm started_at ended_at',
  ],
  installation_versions: [
    'company_id id scope module_id parcel_id system flow_mm_per_h emitter_flow_lph emitters_per_m2',
    'fraction_wetted fraction_wetted_is_default irrigated_area_m2 valid_from valid_to set_at notes',
  ],
  placements: ['company_id module_id emitter_distance_cm notes set_at'],
  waterings: [
    'company_id id module_id schedule_id is_detached started_at duration_min input_mode input_depth_mm',
    'input_volume_m3 water_mm water_mm_wetted dose_installation_id dose_scope dose_system',
    'dose_flow_mm_per_h dose_fraction_wetted dose_fraction_wetted_is_default dose_irrigated_area_m2',
    'dose_computed_at status source verified_at note created_by created_at scheduled_start irrigation_id',
    'ended_at interval_node',
  ],
  rain: [
    'company_id id parcel_id module_id local_day started_at ended_at is_whole_day mm source note created_by created_at',
    'gauge_time',
  ],
  weather_days: [
    'company_id local_day temperature_min temperature_max humidity_min humidity_max dew_point wind_ms radiation_mj',
    'set_at',
  ],
  readings: ['company_id sensor_id at value'],
  reading_hours: ['company_id sensor_id bucket_at count sum'],
  reading_days: ['company_id sensor_id bucket_at count sum'],
  reading_local_days: ['company_id sensor_id bucket_at count sum'],
  local_day_zones: ['company_id zone next_sensor_id'],
  schedules: [
    'company_id id target_module_id target_parcel_id label freq interval_days weekdays start_times',
    'timezone input_mode duration_min input_depth_mm input_volume_m3 starts_on ends_on',
    'confirmation_policy auto_confirm_from is_active materialized_until created_by created_at removed_at',
  ],
  pending_plans: [
    'company_id schedule_id module_id changed_at regenerate_from moved_start_times is_removal',
  ],
  leases: ['name holder expires_at'],
  secrets: ['name value'],
  idempotency: ['company_id caller operation key fingerprint body advisories created_at'],
  changes: ['company_id id at caller user_id channel operation scope undoes changed_rows'],
  annotations: [
    'company_id seq id module_id chart_type type p1 p2 unit content user_id created_at updated_at',
  ],
  alerts: [
    'company_id seq id module_id parcel_id annotation_id threshold hysteresis reminder_time source',
    'is_active created_by created_at updated_at',
  ],
  alert_recipients: ['company_id seq id alert_id user_id'],
  alert_states: [
    'company_id alert_id evaluate_from evaluated_at value is_firing since pending_from pending_marks evaluated_marks',
    'notified_firing reminded_on reminded_at notified_stale is_rule_changed due_at',
  ],
  alert_episodes: ['company_id seq alert_id started_at ended_at lowest'],
  outbox: [
    'company_id seq id alert_id kind user_id to_address subject text html created_at state message_id',
    'session_id attempts next_attempt_at last_response sent_at',
  ],
  station_readings: ['company_id module_id type at value'],
  forecasts: ['company_id provider attempted_at fetched_at body failure'],
  devices: ['company_id name module_id depths first_seen_at'],
  device_status: [
    'company_id device last_seen_at payload battery_percent battery_v gateway rssi snr sender listed_at',
  ],
  device_readings: ['company_id id device at type position depth_cm minutes is_day_total value'],
  pull_marks: ['company_id provider device pulled_until'],
  change_counts: ['company_id count sensors_version'],
  api_keys: [
    'company_id id hash family user_id scopes channel created_at expires_at revoked_at last_used_at',
  ],
  sessions: [
    'company_id id hash user_id created_at expires_at signed_in_at revoked_at last_used_at device push_subscription',
  ],
} as const satisfies Record<keyof Tables, readonly string[]>;

type Words<Text extends string> = Text extends `${infer First} ${infer Rest}`
  ? First | Words<Rest>
  : Text;
type Listed<Table extends keyof Tables> = Words<(typeof columns)[Table][number]>;
type Mismatch = {
  [Table in keyof Tables]:
    | Exclude<keyof Tables[Table], Listed<Table>>
    | Exclude<Listed<Table>, keyof Tables[Table]>;
}[keyof Tables];

// Does not compile unless the list has exactly the columns of the types.
const mismatches: [Mismatch] extends [never] ? [] : Mismatch = [];

it('creates one store when several processes open a new file at the same time', () =>
  inTemporaryFolder(async (folder) => {
    const file = join(folder, 'new', 'deep', 'acequia.db');
    const stores = await Promise.all(Array.from({ length: 8 }, () => openStore({ db: file })));
    await stores[0]?.writeAll((db) =>
      db.insertInto('companies').values({ name: 'Mas Rouge' }).execute(),
    );
    for (const store of stores) {
      const companies = await store.readAll((db) =>
        db.selectFrom('companies').select('name').execute(),
      );
      expect(companies).toEqual([{ name: 'Mas Rouge' }]);
    }
    await Promise.all(stores.map((store) => store.close()));
  }));

it('opens a current file without loading the migrations', () =>
  inTemporaryFolder(async (folder) => {
    const file = join(folder, 'acequia.db');
    await (await openStore({ db: file })).close();
    vi.resetModules();
    vi.doMock('../../src/store/sqlite/migrate.ts', () => {
      throw new Error('loaded');
    });
    const fresh = await import('../../src/store/store.ts');
    await (await fresh.openStore({ db: file })).close();
    await expect(fresh.openStore({ db: join(folder, 'new.db') })).rejects.toThrow();
  }));

it('refuses a file of a newer version, and says to update', () =>
  inTemporaryFolder(async (folder) => {
    const file = join(folder, 'acequia.db');
    await (await openStore({ db: file })).close();
    const database = new DatabaseSync(file);
    database.exec(
      "insert into kysely_migration values ('9999-from-the-future', '2199-01-01T00:00:00.000Z')",
    );
    database.close();
    await expect(openStore({ db: file })).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringContaining('newer Acequia'),
      hint: expect.stringContaining('Update'),
    });
  }));

it('does not change a database of another program', () =>
  inTemporaryFolder(async (folder) => {
    const file = join(folder, 'other.db');
    const database = new DatabaseSync(file);
    database.exec('create table songs (title text)');
    await expect(openStore({ db: file })).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringContaining('another program'),
    });
    expect(database.prepare('select name from sqlite_schema').all()).toEqual([{ name: 'songs' }]);
    expect(database.prepare('pragma journal_mode').get()).toEqual({ journal_mode: 'delete' });
    database.close();
  }));

it('turns an empty file into a store', () =>
  inTemporaryFolder(async (folder) => {
    const file = join(folder, 'empty.db');
    await writeFile(file, '');
    await (await openStore({ db: file })).close();
    await rm(file);
  }));

onEachStore((withStore, isOnServer) => {
  it('creates exactly the columns of the typed schema', () =>
    withStore(async (store) => {
      const created: Record<string, string[]> = {};
      for (const table of await tableNames(store, isOnServer)) {
        const query = isOnServer
          ? sql<{
              name: string;
            }>`select column_name as name from information_schema.columns where table_name = ${table}`
          : sql<{ name: string }>`select name from pragma_table_xinfo(${table})`;
        const { rows } = await store.readAll((db) => query.execute(db));
        created[table] = rows.map(({ name }) => name).sort();
      }
      const expected = Object.entries(columns).map(([table, lists]) => [
        table,
        lists.join(' ').split(' ').sort(),
      ]);
      expect(created).toEqual(Object.fromEntries(expected));
      expect(mismatches).toEqual([]);
    }));

  // The conversion of an unreleased store compares the schema of PostgreSQL, whose text depends on
  // its version.
  it.skipIf(isOnServer)(
    'creates exactly the tables, constraints and indexes of the first schema',
    () =>
      withStore(async (store) => {
        const tables = await store.readAll((all) => describeSchema(all, false));
        const text = Object.entries(tables).map(([table, facts]) => [table, ...facts].join('\n  '));
        await expect(`${text.join('\n')}\n`).toMatchFileSnapshot('first-schema.txt');
      }),
  );

  it('never generates an id again, even of a deleted row', () =>
    withStore(async (store) => {
      const add = () =>
        store.write(1, (db) =>
          db
            .insertInto('parcels')
            .values({ name: 'North' })
            .returning('id')
            .executeTakeFirstOrThrow(),
        );
      const first = await add();
      await store.write(1, (db) => db.deleteFrom('parcels').execute());
      expect((await add()).id).toBe(first.id + 1);
    }));

  it('generates ids across companies, from 1', () =>
    withStore(async (store) => {
      const ids = [];
      for (const company of [1, 2, 1])
        ids.push(
          await store.write(company, (db) =>
            db
              .insertInto('parcels')
              .values({ name: `P${ids.length}` })
              .returning('id')
              .executeTakeFirstOrThrow(),
          ),
        );
      expect(ids).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
    }));
});
