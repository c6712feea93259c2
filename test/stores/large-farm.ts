import { type Kysely, sql } from 'kysely';
import type { Store } from '../../src/store/store.ts';
import { adapterOf } from '../../src/store/store-adapter.ts';
import type { Tables } from '../../src/store/tables.ts';
import { DAY, FARM_NOW, HOUR, MINUTE } from '../farm.ts';

/** How many rows of each kind the large company has. */
export interface LargeFarmSize {
  readonly parcels: number;
  readonly probesPerParcel: number;
  /** The waterings of each probe, one every six hours until now. */
  readonly done: number;
  /** The waterings of each probe from now on, by a schedule of its parcel. */
  readonly planned: number;
  /** More waterings of the first probe, all done. */
  readonly doneOfFirst: number;
  readonly changes: number;
  readonly rain: number;
  readonly annotations: number;
  readonly alerts: number;
  readonly mail: number;
}

export const LARGE_FARM: LargeFarmSize = {
  parcels: 100,
  probesPerParcel: 20,
  done: 72,
  planned: 72,
  doneOfFirst: 16_000,
  changes: 300_000,
  rain: 50_000,
  annotations: 5_000,
  alerts: 3_000,
  mail: 100_000,
};

export const LARGE = 1;
export const SMALL = 2;

/** Numbers `n` from 1 to `last`. */
const numbered = (last: number): string =>
  `with recursive numbered (n) as (select cast(1 as bigint) union all select n + 1 from numbered where n < ${last})`;

/**
 * Fills an empty store with a company of very many rows and one of few, whose rows are the first and
 * the last of each table. The statements make the rows within the database, which takes seconds
 * where calls would take an hour.
 */
export async function fillLargeFarm(store: Store, size: LargeFarmSize = LARGE_FARM): Promise<void> {
  await store.writeAll(async (all) => {
    const { dialect } = adapterOf(all);
    const indexes = dialect === 'sqlite' ? await largestIndexes(all) : [];
    const statements = [
      ...indexes.map(({ name }) => `drop index ${name}`),
      ...smallCompany(0),
      ...largeCompany(size, UTC_TIME[dialect]),
      ...smallCompany(1),
      ...indexes.map((index) => index.sql),
      // What autovacuum does sooner or later.
      ...(dialect === 'postgres' ? ['analyze'] : []),
    ];
    for (const statement of statements) await sql.raw(statement).execute(all);
  });
}

/** A new index over all rows takes a third of the time that adding them one by one takes. */
async function largestIndexes(all: Kysely<Tables>) {
  const { rows } = await sql<{ name: string; sql: string }>`select name, sql from sqlite_schema
    where type = 'index' and sql is not null and tbl_name in ('waterings', 'changes', 'rain', 'outbox')`.execute(
    all,
  );
  return rows;
}

/** SQL for the date and time of an instant in UTC, such as 2026-07-01T10:00. */
const UTC_TIME = {
  sqlite: (at: string) => `strftime('%Y-%m-%dT%H:%M', (${at}) / 1000, 'unixepoch')`,
  postgres: (at: string) =>
    `to_char(to_timestamp((${at}) / 1000) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI')`,
};

type SqlOfInstant = (at: string) => string;

const WATERING_COLUMNS = `company_id, module_id, schedule_id, is_detached, started_at, duration_min, input_mode,
  water_mm, water_mm_wetted, dose_installation_id, dose_fraction_wetted, dose_fraction_wetted_is_default,
  dose_irrigated_area_m2, status, source, created_at, scheduled_start`;

function largeCompany(size: LargeFarmSize, utcTime: SqlOfInstant): string[] {
  const { parcels, probesPerParcel } = size;
  const probes = parcels * probesPerParcel;
  const first = 'select min(id) from modules where company_id = 1';
  return [
    `insert into companies (id, name, timezone) values (${LARGE}, 'Large', 'Europe/Paris')`,
    `insert into users (company_id, email, name, role) values (${LARGE}, 'ana@example.org', 'Ana', 'OWNER')`,
    `${numbered(parcels)} insert into parcels (company_id, name) select ${LARGE}, 'Block ' || n from numbered`,
    `${numbered(probes)} insert into gateways (company_id, imei, assigned_at)
       select ${LARGE}, cast(100000000000000 + n as text), 0 from numbered`,
    `${numbered(probes)} insert into modules (company_id, uid, name, category, parcel_id, gateway_id, commissioned_at)
       select ${LARGE}, 'probe ' || n, 'Probe ' || n, 'SOIL_PROBE',
         (select min(id) from parcels where company_id = ${LARGE}) + (n - 1) / ${probesPerParcel},
         (select min(id) from gateways where company_id = ${LARGE}) + n - 1, 0 from numbered`,
    `insert into sensors (company_id, module_id, type, depth) select company_id, id, 'humidity', 20 from modules
       where company_id = ${LARGE}`,
    schedulesOfParcels(LARGE),
    waterings(`${numbered(size.done)}`, {
      at: `${FARM_NOW} - n * ${6 * HOUR}`,
      status: "case when n = 60 and module_id % 50 = 0 then 'skipped' else 'done' end",
      from: '(select id as module_id, cast(null as integer) as schedule_id from modules where company_id = 1) as probes, numbered',
    }),
    waterings(`${numbered(size.planned)}`, {
      at: `${FARM_NOW} + n * ${2 * HOUR}`,
      status: "'planned'",
      scheduled_start: utcTime(`${FARM_NOW} + n * ${2 * HOUR}`),
      from: `(select modules.id as module_id, schedules.id as schedule_id from modules join schedules
               on schedules.target_parcel_id = modules.parcel_id where modules.company_id = ${LARGE}) as probes, numbered`,
    }),
    waterings(`${numbered(size.doneOfFirst)}`, {
      at: `${FARM_NOW} - n * ${40 * MINUTE}`,
      status: "'done'",
      from: `(select (${first}) as module_id, cast(null as integer) as schedule_id) as probes, numbered`,
    }),
    `${numbered(size.changes)} insert into changes (company_id, at, caller, channel, operation, scope, changed_rows)
       select ${LARGE}, ${FARM_NOW} - n, 'ana', 'api', 'set_module', 'company:write',
         '[{"table":"modules","key":' || (2 + n % ${probes}) || ',"before":null,"after":{"name":"Probe"}}]'
       from numbered`,
    `${numbered(size.rain)} insert into rain
         (company_id, parcel_id, local_day, started_at, ended_at, is_whole_day, mm, source, created_at)
       select ${LARGE}, case when n % 10 = 0 then (select min(id) from parcels where company_id = ${LARGE}) end,
         substr(${utcTime(`${FARM_NOW} - n * ${HOUR}`)}, 1, 10), ${FARM_NOW} - n * ${HOUR},
         ${FARM_NOW} - n * ${HOUR} + ${15 * MINUTE}, 0, 0.2, 'gauge', ${FARM_NOW} from numbered`,
    `${numbered(size.annotations)} insert into annotations
         (id, company_id, module_id, chart_type, type, p1, unit, content, user_id, created_at, updated_at)
       select 'a' || n, ${LARGE}, (${first}), 'humidity', 'text', '[0,1]', 'vwc', '{"text":"wet"}',
         (select min(id) from users where company_id = ${LARGE}), 0, 0 from numbered`,
    `${numbered(size.alerts)} insert into alerts
         (id, company_id, module_id, threshold, hysteresis, reminder_time, source, is_active, created_by, created_at,
          updated_at)
       select 'l' || n, ${LARGE}, (${first}) + n % ${probes}, '20', '1', '07:00:00', 'manual', case when n % 10 = 0 then 1 else 0 end,
         (select min(id) from users where company_id = ${LARGE}), 0, 0 from numbered`,
    `insert into alert_recipients (id, company_id, alert_id, user_id)
       select 'r' || id, company_id, id, created_by from alerts where company_id = ${LARGE}`,
    `insert into alert_states (company_id, alert_id, is_firing, pending_marks, evaluated_marks, notified_firing, notified_stale)
       select company_id, id, 0, 0, 0, 0, 0 from alerts where company_id = ${LARGE} and is_active = 1`,
    `${numbered(size.mail)} insert into outbox
         (id, company_id, alert_id, kind, user_id, to_address, subject, text, html, created_at, state, attempts,
          next_attempt_at, sent_at)
       select 'm' || n, ${LARGE}, 'l' || (1 + n % ${size.alerts}), 'fired',
         (select min(id) from users where company_id = ${LARGE}), 'ana@example.org', 's', 't', 'h', 0, 'sent', 1, 0, 1
       from numbered`,
    ...devices(probes),
  ];
}

function waterings(
  numbers: string,
  {
    at,
    status,
    scheduled_start = 'null',
    from,
  }: { at: string; status: string; scheduled_start?: string; from: string },
): string {
  return `${numbers} insert into waterings (${WATERING_COLUMNS})
    select ${LARGE}, module_id, schedule_id, 0, ${at}, 30, 'duration', 5, 10, 1, 0.5, 0, 1000, ${status},
      'manual', 0, ${scheduled_start} from ${from}`;
}

function devices(probes: number): string[] {
  return [
    `${numbered(probes + 200)} insert into devices (company_id, name, module_id, depths, first_seen_at)
       select ${LARGE}, 'A84041' || (1000000000 + n), case when n <= ${probes} then
         (select min(id) from modules where company_id = ${LARGE}) + n - 1 end, '[20]', 0 from numbered`,
    `insert into device_status (company_id, device, last_seen_at) select company_id, name, ${FARM_NOW} from devices`,
    `${numbered(500)} insert into device_readings (company_id, device, at, type, depth_cm, is_day_total, value)
       select company_id, name, n, 'humidity', 20, 0, 30 from devices, numbered where module_id is null`,
  ];
}

const schedulesOfParcels = (companyId: number): string =>
  `insert into schedules (company_id, target_parcel_id, freq, start_times, timezone, input_mode, duration_min,
       starts_on, confirmation_policy, is_active, created_at)
     select company_id, id, 'daily', '["06:00"]', 'Europe/Paris', 'duration', 30, '2026-01-01', 'manual', 1, 0
     from parcels where company_id = ${companyId}`;

/** The rows of the small company before (0) and after (1) those of the large one. */
function smallCompany(part: 0 | 1): string[] {
  const at = FARM_NOW - (part + 1) * DAY;
  const company =
    part === 0
      ? [
          `insert into companies (id, name, timezone) values (${SMALL}, 'Small', 'Europe/Paris')`,
          `insert into users (company_id, email, name, role) values (${SMALL}, 'bo@example.org', 'Bo', 'OWNER')`,
        ]
      : [];
  const [user, parcel, module] = ['users', 'parcels', 'modules'].map(
    (table) => `(select max(id) from ${table} where company_id = ${SMALL})`,
  );
  return [
    ...company,
    `insert into parcels (company_id, name) values (${SMALL}, 'Plot ${part}')`,
    ...(part === 1 ? [schedulesOfParcels(SMALL)] : []),
    `insert into gateways (company_id, imei, assigned_at) values (${SMALL}, '35693803564380${part}', 0)`,
    `insert into modules (company_id, uid, name, category, parcel_id, commissioned_at)
       values (${SMALL}, 'p${part}', 'P${part}', 'SOIL_PROBE', ${parcel}, 0)`,
    `insert into sensors (company_id, module_id, type, depth) values (${SMALL}, ${module}, 'humidity', 20)`,
    `insert into waterings (${WATERING_COLUMNS})
       values (${SMALL}, ${module}, null, 0, ${at}, 30, 'duration', 5, 10, 1, 0.5, 0, 1000, 'done', 'manual', 0, null)`,
    `insert into changes (company_id, at, caller, channel, operation, scope, changed_rows)
       values (${SMALL}, ${at}, 'bo', 'api', 'set_module', 'company:write', null)`,
    `insert into rain (company_id, local_day, started_at, is_whole_day, mm, source, created_at)
       values (${SMALL}, '2026-06-2${part}', ${at}, 0, 4, 'manual', 0)`,
    `insert into alerts (id, company_id, module_id, threshold, hysteresis, reminder_time, source, is_active, created_by,
         created_at, updated_at)
       values ('s${part}', ${SMALL}, ${module}, '20', '1', '07:00:00', 'manual', 1, ${user}, 0, 0)`,
    `insert into annotations (id, company_id, module_id, chart_type, type, p1, unit, content, user_id, created_at,
         updated_at)
       values ('n${part}', ${SMALL}, ${module}, 'humidity', 'text', '[0,1]', 'vwc', '{"text":"dry"}', ${user}, 0, 0)`,
  ];
}
