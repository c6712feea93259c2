import type { Generated, GeneratedAlways, Kysely } from 'kysely';
import type { AnnotationShape, AnnotationUnit, ChartType } from '../domain/alerts/annotation.ts';
import type { IrrigationSystem } from '../domain/irrigation/dose.ts';
import type { Recurrence } from '../domain/irrigation/recurrence.ts';
import type { InputMode } from '../domain/irrigation/watering-amount.ts';
import type { MeasurementType } from '../domain/moisture/measurement.ts';
import type { ConfirmationPolicy } from '../schema/irrigation/schedule.ts';
import type { WateringSource, wateringFields } from '../schema/irrigation/watering.ts';
import type { Role } from '../schema/scope.ts';
import type { RainSource } from '../schema/weather/rain.ts';
import type { TableOf } from './queries/resource-types.ts';

/**
 * The same for SQLite and PostgreSQL. Instants are integers in ms since 1970 UTC, booleans 0 or 1,
 * JSON is text. Columns with a union type have a check constraint, except `sensors.type`, which is
 * checked before it is written. Every table of a company has `company_id`, which a company's handle
 * (`CompanyDb`) hides.
 */
type Flag = 0 | 1;

export const toFlag = (value: boolean): Flag => (value ? 1 : 0);

export interface CompanyTable {
  id: Generated<number>;
  name: string;
  legal_name: string | null;
  country_code: string | null;
  currency: string | null;
  city: string | null;
  postal_code: string | null;
  region: string | null;
  timezone: string | null;
}

export interface CompanyTables {
  users: { id: Generated<number>; email: string; name: string; role: Role };
  parcels: {
    id: Generated<number>;
    name: string;
    type: string | null;
    geometry: string | null;
    area_m2: number | null;
    /**
     * JSON: the installation as the last farm file declared it. The same declaration again changes
     * nothing.
     */
    farm_installation: string | null;
  };
  gateways: {
    id: Generated<number>;
    imei: string;
    serial_hex: string | null;
    firmware: string | null;
    assigned_at: number;
    last_seen_at: number | null;
    battery_mv: number | null;
    level: number | null;
    lat: number | null;
    lon: number | null;
  };
  modules: {
    id: Generated<number>;
    uid: string;
    name: string | null;
    number: number | null;
    serial_hex: string | null;
    category: string | null;
    parcel_id: number | null;
    gateway_id: number | null;
    commissioned_at: number | null;
    lat: number | null;
    lon: number | null;
    location_source: string | null;
    /**
     * The gateway at the time the position was set; when the module has another one, the position
     * is stale.
     */
    location_gateway_id: number | null;
    farm_installation: string | null;
    /**
     * Set while its planned waterings are being deleted in steps. A company's handle does not see
     * such a row.
     */
    removed_at: number | null;
  };
  /** Null where unset. The primary key is the module and `valid_from`. */
  probe_settings: {
    module_id: number;
    valid_from: number;
    set_at: number;
    root_depth_cm: number | null;
    /** JSON object: depth in cm -> weight. */
    depth_weights: string | null;
    allowed_depletion: number | null;
    refill_percent: number | null;
    efficiency_percent: number | null;
    leaching_percent: number | null;
    hours_per_day: number | null;
  };
  sensors: {
    id: Generated<number>;
    module_id: number;
    type: MeasurementType;
    /** In cm; 0 is the surface. */
    depth: number | null;
    label: string | null;
  };
  soil_layers: {
    id: Generated<number>;
    parcel_id: number;
    soil_horizon_id: number;
    depth_top_cm: number;
    depth_bottom_cm: number;
    started_at: number;
    ended_at: number | null;
  };
  installation_versions: {
    id: Generated<number>;
    scope: 'module' | 'parcel';
    module_id: number | null;
    parcel_id: number | null;
    system: IrrigationSystem;
    flow_mm_per_h: number | null;
    emitter_flow_lph: number | null;
    emitters_per_m2: number | null;
    fraction_wetted: number;
    fraction_wetted_is_default: Flag;
    irrigated_area_m2: number | null;
    valid_from: number;
    valid_to: number | null;
    set_at: number;
    notes: string | null;
  };
  placements: {
    module_id: number;
    emitter_distance_cm: number | null;
    notes: string | null;
    set_at: number;
  };
  waterings: TableOf<typeof wateringFields> & {
    /**
     * Of a watering of two hours or more that was not skipped: its node in the interval tree
     * (store/irrigation/overlapping-waterings.ts). Null for others.
     */
    interval_node: GeneratedAlways<number | null>;
  };
  schedules: {
    id: Generated<number>;
    target_module_id: number | null;
    target_parcel_id: number | null;
    label: string | null;
    freq: Recurrence['freq'];
    interval_days: number | null;
    /** JSON array of numbers, 1 = Monday. */
    weekdays: string | null;
    /** JSON array of local times HH:MM. */
    start_times: string;
    timezone: string;
    input_mode: InputMode;
    duration_min: number | null;
    input_depth_mm: number | null;
    input_volume_m3: number | null;
    starts_on: string;
    ends_on: string | null;
    confirmation_policy: ConfirmationPolicy;
    /**
     * Past occurrences from this instant on become done without confirmation; null if each waits
     * for its confirmation.
     */
    auto_confirm_from: number | null;
    is_active: Flag;
    materialized_until: number | null;
    created_by: number | null;
    created_at: number;
    /** Set while its planned waterings are being deleted, as in `modules`. */
    removed_at: number | null;
  };
  /** The rain of a day or of a time, on a parcel or (if `parcel_id` is null) on the whole farm. */
  rain: {
    id: Generated<number>;
    parcel_id: number | null;
    /** The station whose gauge measured it. */
    module_id: number | null;
    /** The local day on which it began. */
    local_day: string;
    started_at: number;
    ended_at: number | null;
    is_whole_day: Flag;
    /** 0 for a record that was withdrawn. */
    mm: number;
    source: RainSource;
    /**
     * Set if a person moved a measured or imported record: its start before that (ms), or the local
     * day of a total.
     */
    gauge_time: string | null;
    note: string | null;
    created_by: number | null;
    created_at: number;
  };
  /** The weather of the farm on a local day; null where unknown. */
  weather_days: {
    local_day: string;
    /** Degrees Celsius. */
    temperature_min: number | null;
    temperature_max: number | null;
    /** Relative humidity, %. */
    humidity_min: number | null;
    humidity_max: number | null;
    dew_point: number | null;
    /** Mean at 2 m, in m/s. */
    wind_ms: number | null;
    /** Solar radiation, in MJ/m2 a day. */
    radiation_mj: number | null;
    set_at: number;
  };
  /** Measures of weather stations without a sensor: wind at 2 m in m/s, solar radiation in W/m2. */
  station_readings: { module_id: number; type: 'wind' | 'radiation'; at: number; value: number };
  /** The newest forecast of each provider. */
  forecasts: {
    provider: string;
    attempted_at: number;
    /** When `body` was fetched; null before the first forecast. */
    fetched_at: number | null;
    /** JSON array of days. */
    body: string | null;
    /** The failure of the last attempt; null if it succeeded. */
    failure: string | null;
  };
  /**
   * Pending regenerations: changes of a schedule that its occurrences on a module do not have yet.
   */
  pending_plans: {
    schedule_id: number;
    module_id: number;
    changed_at: number;
    /** Start of the first occurrence that may be added; null if only doses change. */
    regenerate_from: number | null;
    /** JSON array of pairs of local times HH:MM: before and after the change. */
    moved_start_times: string;
    /** All waterings of the schedule on the module are to be deleted. */
    is_removal: Generated<Flag>;
  };
  readings: { sensor_id: number; at: number; value: number };
  /**
   * Sums per UTC hour, which starts at `bucket_at`. Always computed from the readings, never
   * incremented.
   */
  reading_hours: { sensor_id: number; bucket_at: number; count: number; sum: number };
  reading_days: { sensor_id: number; bucket_at: number; count: number; sum: number };
  /** Sums per local day of the company, which starts at `bucket_at` and may have 23 or 25 hours. */
  reading_local_days: { sensor_id: number; bucket_at: number; count: number; sum: number };
  /** The zone of `reading_local_days`, one row for each company. */
  local_day_zones: {
    zone: string;
    /** The sums of sensors from this id on may still be in an earlier zone; null: none are. */
    next_sensor_id: number | null;
  };
  idempotency: {
    caller: string;
    operation: string;
    key: string;
    fingerprint: string;
    body: string;
    /** JSON array. */
    advisories: string;
    created_at: number;
  };
  /** The log of the writes, with the rows that each changed. Rows of this table are only added. */
  changes: {
    id: Generated<number>;
    at: number;
    caller: string;
    user_id: number | null;
    channel: WateringSource;
    operation: string;
    /** The scope that a caller needs to undo the change. */
    scope: string;
    /** The change that this one undoes. */
    undoes: number | null;
    /** The changed rows as text (changes/changed-rows-text.ts); null for readings. */
    changed_rows: string | null;
  };
  annotations: {
    seq: Generated<number>;
    id: string;
    module_id: number;
    chart_type: ChartType;
    type: AnnotationShape;
    /** JSON array: instant in ms, value. */
    p1: string;
    p2: string | null;
    unit: AnnotationUnit | null;
    content: string;
    user_id: number;
    created_at: number;
    updated_at: number;
  };
  alerts: {
    seq: Generated<number>;
    id: string;
    module_id: number | null;
    parcel_id: number | null;
    /** The line it was created from, which may have been deleted. */
    annotation_id: string | null;
    /** Exact decimals as text: % volumetric moisture, and percentage points. */
    threshold: string;
    hysteresis: string;
    /** Local time HH:MM:SS. */
    reminder_time: string;
    source: 'manual' | 'annotation';
    is_active: Flag;
    created_by: number;
    created_at: number;
    updated_at: number;
  };
  alert_recipients: { seq: Generated<number>; id: string; alert_id: string; user_id: number };
  alert_states: {
    alert_id: string;
    /** Evaluation ignores earlier values; null to begin with the newest one. */
    evaluate_from: number | null;
    evaluated_at: number | null;
    value: number | null;
    is_firing: Flag;
    since: number | null;
    /** Readings at this instant or later are not evaluated yet. */
    pending_from: number | null;
    /**
     * How often new readings marked the alert for evaluation, and how many of these marks the last
     * evaluation covers.
     */
    pending_marks: number;
    evaluated_marks: number;
    notified_firing: Flag;
    reminded_on: string | null;
    reminded_at: number | null;
    notified_stale: Flag;
    is_rule_changed: Generated<Flag>;
    due_at: number | null;
  };
  alert_episodes: {
    seq: Generated<number>;
    alert_id: string;
    started_at: number;
    ended_at: number | null;
    lowest: number;
  };
  outbox: {
    seq: Generated<number>;
    id: string;
    alert_id: string;
    kind: string;
    user_id: number;
    /** The session whose device gets it as a push message; null for mail. */
    session_id: number | null;
    to_address: string;
    subject: string;
    text: string;
    html: string;
    created_at: number;
    state: string;
    message_id: string | null;
    attempts: number;
    /** Real time, like `sent_at`. */
    next_attempt_at: number;
    /** The reply of the mail server, or the failure. */
    last_response: string | null;
    sent_at: number | null;
  };
  /** Devices that send readings under a name of their own, such as an EUI-64. */
  devices: {
    name: string;
    /** Null until the device is assigned. */
    module_id: number | null;
    /** JSON array of depths in cm, from the top. */
    depths: string | null;
    first_seen_at: number;
  };
  /** The last status that a device reported. */
  device_status: {
    device: string;
    last_seen_at: number;
    /** The device's last payload before it was assigned, shortened. */
    payload: string | null;
    battery_percent: number | null;
    battery_v: number | null;
    /** EUI-64 of the gateway with the best reception. */
    gateway: string | null;
    /** In dBm. */
    rssi: number | null;
    /** In dB. */
    snr: number | null;
    /** Who first sent readings of the device: a key, or a command. Null if unknown. */
    sender: string | null;
    /**
     * When a list first showed the device to somebody, or a person assigned it; null if nobody has
     * seen it.
     */
    listed_at: number | null;
  };
  /** Readings of unassigned devices. */
  device_readings: {
    id: Generated<number>;
    device: string;
    at: number;
    /** A measurement, "rain", or a measure of a weather station. */
    type: string;
    /** The index in the depths of the device; null if the reading names its depth, or has none. */
    position: number | null;
    depth_cm: number | null;
    /** How long the rain fell; null for other readings, and where it is unknown. */
    minutes: number | null;
    /** Set for the rain since midnight. */
    is_day_total: Flag;
    value: number;
  };
  /** How many transactions have changed rows of the company; see store/scope/counted-changes.ts. */
  change_counts: {
    count: number;
    /** New with each change of modules or sensors; null until the next change of any row. */
    sensors_version: string | null;
  };
  /**
   * The instant up to which the readings of a device were fetched from the cloud of its provider.
   */
  pull_marks: { provider: string; device: string; pulled_until: number };
  api_keys: {
    id: Generated<number>;
    /** SHA-256 of the key in base64url; the key itself is not stored. */
    hash: string;
    /** Shared by a key and those that replace it by rotation. */
    family: string;
    user_id: number | null;
    scopes: string;
    channel: 'api' | 'mcp';
    created_at: number;
    expires_at: number | null;
    revoked_at: number | null;
    last_used_at: number | null;
  };
  /**
   * Sessions of members on the page, one per device. Before the sign-in a row stands for a sign-in
   * link.
   */
  sessions: {
    id: Generated<number>;
    /**
     * SHA-256, in base64url, of the secret in the link or, after the sign-in, of the one in the
     * cookie. Neither secret is stored.
     */
    hash: string;
    user_id: number;
    created_at: number;
    expires_at: number;
    /** Null for an unused link. */
    signed_in_at: number | null;
    revoked_at: number | null;
    last_used_at: number | null;
    device: string | null;
    /** JSON of the browser's push subscription; null without the person's consent. */
    push_subscription: string | null;
  };
}

type WithCompany<T> = { [K in keyof T]: T[K] & { company_id: number } };

export interface Tables extends WithCompany<CompanyTables> {
  companies: CompanyTable;
  /** Which process may run which jobs until when, in real time. */
  leases: { name: string; holder: string; expires_at: number };
  /** Secrets of the service, shared by all processes. */
  secrets: { name: string; value: string };
}

/** Columns that the database computes. No statement may write them. */
export const GENERATED_COLUMNS = {
  waterings: ['ended_at', 'interval_node'],
} as const satisfies { readonly [Table in keyof Tables]?: readonly (keyof Tables[Table])[] };

export type CompanyDb = Kysely<CompanyTables>;
