import type { Insertable } from 'kysely';
import { renewReadingVersions } from '../../src/store/moisture/reading-versions.ts';
import type { CompanyDb, CompanyTables } from '../../src/store/tables.ts';

type SampleRow<Table extends keyof CompanyTables> = Insertable<CompanyTables[Table]>;

export async function fillFarm(
  db: CompanyDb,
  owner: string,
): Promise<{ parcelId: number; moduleId: number }> {
  const { id: userId } = await db
    .insertInto('users')
    .values({ email: `${owner}@example.org`, name: owner, role: 'OWNER' })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { id: parcelId } = await db
    .insertInto('parcels')
    .values({ name: 'North', type: owner })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { id: gatewayId } = await db
    .insertInto('gateways')
    .values({ imei: '356938035643809', firmware: owner, assigned_at: 0 })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { id: moduleId } = await db
    .insertInto('modules')
    .values({
      uid: 'A1',
      name: 'North',
      serial_hex: owner,
      parcel_id: parcelId,
      gateway_id: gatewayId,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('probe_settings')
    .values({ module_id: moduleId, valid_from: 0, set_at: 0, depth_weights: JSON.stringify(owner) })
    .execute();
  await db
    .insertInto('parcel_settings')
    .values({ parcel_id: parcelId, valid_from: 0, set_at: 0, depth_weights: JSON.stringify(owner) })
    .execute();
  const { id: sensorId } = await db
    .insertInto('sensors')
    .values({ module_id: moduleId, type: 'humidity', depth: 10, label: owner })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('soil_layers')
    .values({
      parcel_id: parcelId,
      soil_horizon_id: 7,
      depth_top_cm: 0,
      depth_bottom_cm: 60,
      started_at: 0,
    })
    .execute();
  await db
    .insertInto('seasons')
    .values({ parcel_id: parcelId, set_at: 0, crop: owner, planted_on: '2026-04-20' })
    .execute();
  await db.insertInto('water_sources').values({ name: owner, set_at: 0, versions: '[]' }).execute();
  await db.insertInto('installation_versions').values(installationRow(moduleId, owner)).execute();
  await db
    .insertInto('placements')
    .values({ module_id: moduleId, notes: owner, set_at: 0 })
    .execute();
  await db.insertInto('irrigation_notes').values({ note: owner }).execute();
  await db
    .insertInto('waterings')
    .values([wateringRow(moduleId, owner, 1000), wateringRow(moduleId, owner, 2000)])
    .execute();
  await db.insertInto('rain').values(rainRow(moduleId, owner)).execute();
  await db
    .insertInto('weather_days')
    .values({ local_day: owner, temperature_max: 31, set_at: 0 })
    .execute();
  await db
    .insertInto('station_readings')
    .values({ module_id: moduleId, type: 'wind', at: 0, value: sensorId })
    .execute();
  await db
    .insertInto('forecasts')
    .values({
      provider: 'open-meteo',
      attempted_at: 0,
      fetched_at: null,
      body: null,
      failure: owner,
    })
    .execute();
  const { id: scheduleId } = await db
    .insertInto('schedules')
    .values(scheduleRow(moduleId, owner))
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('pending_plans')
    .values({
      schedule_id: scheduleId,
      module_id: moduleId,
      changed_at: 0,
      moved_start_times: JSON.stringify(owner),
    })
    .execute();
  await db
    .insertInto('pending_doses')
    .values({ module_id: moduleId, changed_at: 0, waterings: 'recorded' })
    .execute();
  // The same sensor for both: readings have no foreign key, so only the company separates them.
  await db.insertInto('readings').values({ sensor_id: 1, at: 0, value: sensorId }).execute();
  await db
    .insertInto('reading_hours')
    .values({ sensor_id: 1, bucket_at: 0, count: 1, sum: sensorId })
    .execute();
  await db
    .insertInto('reading_days')
    .values({ sensor_id: 1, bucket_at: 0, count: 1, sum: sensorId })
    .execute();
  await db
    .insertInto('reading_local_days')
    .values({ sensor_id: 1, bucket_at: -3_600_000, count: 1, sum: sensorId })
    .execute();
  await db
    .insertInto('local_day_zones')
    .values({ zone: 'Europe/Paris', next_sensor_id: 1 })
    .execute();
  await db
    .insertInto('reading_retention')
    .values({ kept_from: -86_400_000, day_zone: 'Europe/Paris' })
    .execute();
  await renewReadingVersions(db, [sensorId]);
  await db
    .insertInto('changes')
    .values({ at: 0, caller: 'owner', channel: 'mcp', operation: owner, scope: 'irrigation:write' })
    .execute();
  await db
    .insertInto('change_parts')
    .values({ change_id: 1, part: 1, row_count: 1, changed_rows: owner })
    .execute();
  await db.insertInto('pending_parts').values({ change_id: 1, after_part: 0 }).execute();
  await db.insertInto('pending_undos').values({ change_id: 2, undoes: 1, after_part: 0 }).execute();
  await db
    .insertInto('idempotency')
    .values({
      caller: 'owner',
      operation: 'log_watering',
      key: 'k',
      fingerprint: owner,
      body: '',
      advisories: '[]',
      created_at: 0,
    })
    .execute();
  await db
    .insertInto('annotations')
    .values(annotationRow(moduleId, userId, owner))
    .execute();
  await db
    .insertInto('alerts')
    .values(alertRow(moduleId, userId, owner))
    .execute();
  await db
    .insertInto('alert_recipients')
    .values({ id: `recipient-${owner}`, alert_id: `alert-${owner}`, user_id: userId })
    .execute();
  await db.insertInto('alert_states').values(alertStateRow(owner)).execute();
  await db
    .insertInto('alert_episodes')
    .values({ alert_id: `alert-${owner}`, started_at: 0, lowest: 12.5 })
    .execute();
  await db.insertInto('outbox').values(messageRow(userId, owner)).execute();
  await db
    .insertInto('probe_doubts')
    .values({ module_id: moduleId, reason: owner, since: 0 })
    .execute();
  await db.insertInto('daily_rows').values({ day: 0, row_count: 1 }).execute();
  await db
    .insertInto('recent_deliveries')
    .values({ user_id: userId, session_id: 0, message_id: owner, composed_at: 0 })
    .execute();
  await db.insertInto('erasures').values({ user_id: userId, erased_at: 0 }).execute();
  await db.insertInto('doubt_checks').values({ checked_at: 0, change_count: 0 }).execute();
  await db
    .insertInto('devices')
    .values({ name: 'A8', module_id: moduleId, depths: '[10]', first_seen_at: 0 })
    .execute();
  await db
    .insertInto('device_status')
    .values({ device: 'A8', last_seen_at: 0, payload: owner })
    .execute();
  await db
    .insertInto('device_readings')
    .values({ device: 'A8', at: 0, type: 'humidity', position: 0, is_day_total: 0, value: 1 })
    .execute();
  await db
    .insertInto('device_periods')
    .values({
      device: owner,
      sensor_id: sensorId,
      started_at: 0,
      from_at: 0,
      first_at: 0,
      is_shared: 0,
    })
    .execute();
  await db
    .insertInto('device_models')
    .values({ model: 'A8', fields: JSON.stringify([owner]), depths: '[10]' })
    .execute();
  await db
    .insertInto('unread_messages')
    .values({ sender: 'A8', received_at: 0, reason: owner })
    .execute();
  await db
    .insertInto('pull_marks')
    .values({ provider: 'davis', device: owner, pulled_until: 0 })
    .execute();
  await db
    .insertInto('api_keys')
    .values({
      hash: `hash-${owner}`,
      family: owner,
      user_id: userId,
      scopes: '[]',
      channel: 'api',
      created_at: 0,
    })
    .execute();
  await db
    .insertInto('sessions')
    .values({
      hash: `session-${owner}`,
      user_id: userId,
      created_at: 0,
      expires_at: 1,
      device: owner,
    })
    .execute();
  return { parcelId, moduleId };
}

const rainRow = (moduleId: number, note: string): SampleRow<'rain'> => ({
  module_id: moduleId,
  local_day: '2026-07-01',
  started_at: 0,
  is_whole_day: 0,
  mm: 12,
  source: 'gauge',
  note,
  created_at: 0,
});

const scheduleRow = (moduleId: number, label: string): SampleRow<'schedules'> => ({
  target_module_id: moduleId,
  label,
  freq: 'daily',
  interval_days: 1,
  start_times: '["06:00"]',
  timezone: 'Europe/Paris',
  input_mode: 'duration',
  duration_min: 30,
  starts_on: '2026-07-01',
  confirmation_policy: 'auto',
  is_active: 1,
  created_at: 0,
});

export const annotationRow = (
  moduleId: number,
  userId: number,
  whose: string,
): SampleRow<'annotations'> => ({
  id: `annotation-${whose}`,
  module_id: moduleId,
  chart_type: 'humidity',
  type: 'h-line',
  p1: '[0,14]',
  p2: null,
  unit: 'vwc',
  content: '{}',
  user_id: userId,
  created_at: 0,
  updated_at: 0,
});

export const alertRow = (moduleId: number, userId: number, whose: string): SampleRow<'alerts'> => ({
  id: `alert-${whose}`,
  module_id: moduleId,
  parcel_id: null,
  annotation_id: `annotation-${whose}`,
  threshold: '14',
  hysteresis: '5',
  reminder_time: '08:00:00',
  source: 'annotation',
  is_active: 1,
  created_by: userId,
  created_at: 0,
  updated_at: 0,
});

export const alertStateRow = (whose: string): SampleRow<'alert_states'> => ({
  alert_id: `alert-${whose}`,
  is_firing: 1,
  since: 0,
  pending_marks: 1,
  evaluated_marks: 1,
  notified_firing: 1,
  notified_stale: 0,
  reminded_on: whose,
});

export const messageRow = (userId: number, whose: string): SampleRow<'outbox'> => ({
  id: `message-${whose}`,
  alert_id: `alert-${whose}`,
  kind: 'fired',
  user_id: userId,
  to_address: `${whose}@example.org`,
  subject: whose,
  text: whose,
  html: whose,
  created_at: 0,
  state: 'waiting',
  attempts: 0,
  next_attempt_at: 0,
});

export const installationRow = (
  moduleId: number,
  notes: string,
): SampleRow<'installation_versions'> => ({
  scope: 'module',
  module_id: moduleId,
  system: 'drip',
  fraction_wetted: 0.35,
  fraction_wetted_is_default: 1,
  valid_from: 0,
  set_at: 0,
  notes,
});

export const wateringRow = (
  moduleId: number,
  note: string,
  startedAt: number,
): SampleRow<'waterings'> => ({
  module_id: moduleId,
  is_detached: 0,
  started_at: startedAt,
  input_mode: 'duration',
  duration_min: 45,
  dose_fraction_wetted_is_default: 0,
  status: 'done',
  source: 'mcp',
  note,
  created_at: 0,
});
