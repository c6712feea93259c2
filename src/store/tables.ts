import type { Generated, Kysely } from 'kysely';

/**
 * The tables as one typed schema for SQLite and PostgreSQL. Instants are integers of milliseconds since 1970 UTC,
 * booleans are 0 or 1, JSON is text. Every table that belongs to a company carries `company_id`; the scoped handle
 * (`CompanyDb`) hides that column, because the scope plugin fills and filters it.
 */
type Flag = 0 | 1;

export interface CompanyRow {
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

/** Owned rows: what a company has. */
export interface CompanyTables {
  users: { id: Generated<number>; email: string; name: string; role: string };
  parcels: {
    id: Generated<number>;
    name: string;
    type: string | null;
    geometry: string | null;
    /** The installation as the last farm file said it, JSON: the same words again declare nothing. */
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
    /** The gateway the position was declared under: another one now, or none, makes the position stale. */
    location_gateway_id: number | null;
    root_depth_cm: number | null;
    /** JSON object: depth in cm -> weight. */
    depth_weights: string | null;
    farm_installation: string | null;
  };
  sensors: { id: Generated<number>; module_id: number; type: string; depth: number | null; label: string | null };
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
    scope: string;
    module_id: number | null;
    parcel_id: number | null;
    system: string;
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
  placements: { module_id: number; emitter_distance_cm: number | null; notes: string | null; set_at: number };
  waterings: {
    id: Generated<number>;
    module_id: number;
    schedule_id: number | null;
    is_detached: Flag;
    started_at: number;
    duration_min: number | null;
    input_mode: string;
    input_depth_mm: number | null;
    input_volume_m3: number | null;
    water_mm: number | null;
    water_mm_wetted: number | null;
    /** The snapshot, column by column; `dose_computed_at` null means there is none. */
    dose_installation_id: number | null;
    dose_scope: string | null;
    dose_system: string | null;
    dose_flow_mm_per_h: number | null;
    dose_fraction_wetted: number | null;
    dose_fraction_wetted_is_default: Flag;
    dose_irrigated_area_m2: number | null;
    dose_computed_at: number | null;
    status: string;
    source: string;
    verified_at: number | null;
    note: string | null;
    created_by: number | null;
    created_at: number;
    /** Local slot of an occurrence ("2026-07-01T06:00"), its key within its schedule and probe; null for any other row. */
    slot: string | null;
  };
  schedules: {
    id: Generated<number>;
    target_module_id: number | null;
    target_parcel_id: number | null;
    label: string | null;
    freq: string;
    interval_days: number | null;
    /** JSON array of numbers, 1 = Monday. */
    weekdays: string | null;
    /** JSON array of local times HH:MM. */
    start_times: string;
    timezone: string;
    input_mode: string;
    duration_min: number | null;
    input_depth_mm: number | null;
    input_volume_m3: number | null;
    starts_on: string;
    ends_on: string | null;
    confirmation_policy: string;
    /** From here on past occurrences count as done by themselves; null where they wait. */
    auto_from: number | null;
    is_active: Flag;
    materialized_until: number | null;
    created_by: number | null;
    created_at: number;
  };
  readings: { sensor_id: number; at: number; value: number };
  /** Sums per UTC hour: `bucket_at` is the hour's start. Recomputed from readings, never incremented. */
  reading_hours: { sensor_id: number; bucket_at: number; count: number; sum: number };
  reading_days: { sensor_id: number; bucket_at: number; count: number; sum: number };
  /** Stored 2xx answers of writes, by who asked (`caller`), operation and key. */
  idempotency: {
    caller: string;
    operation: string;
    key: string;
    fingerprint: string;
    body: string;
    /** JSON array: what the use case remarked, so that the summary is said again in the same words. */
    remarks: string;
    created_at: number;
  };
  /** Drawings over curves. `seq` is the order in which they were drawn, `id` a UUID. */
  annotations: {
    seq: Generated<number>;
    id: string;
    module_id: number;
    chart_type: string;
    type: string;
    /** JSON array: instant in ms, value. */
    p1: string;
    p2: string | null;
    unit: string | null;
    /** JSON object of style and text. */
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
    /** The line it was born from, which may be gone. */
    annotation_id: string | null;
    /** Decimals as text, no digit lost: % volumetric moisture, percentage points. */
    threshold: string;
    hysteresis: string;
    /** Local time HH:MM:SS. */
    reminder_time: string;
    source: string;
    is_active: Flag;
    created_by: number;
    created_at: number;
    updated_at: number;
  };
  alert_recipients: { seq: Generated<number>; id: string; alert_id: string; user_id: number };
  /** What the watch knows of an alert that is active and has a module; others have no row. */
  alert_states: {
    alert_id: string;
    /** Values before it are no matter; null where it begins with the newest one that counts. */
    watched_from: number | null;
    /** Instant of the newest value that counted, and that value in % (null where no sensor with weight had one). */
    evaluated_at: number | null;
    value: number | null;
    firing: Flag;
    /** Start of the episode that lasts; null while quiet. */
    since: number | null;
    /** Readings at this instant or later have come and are not yet taken in. */
    touched_from: number | null;
    /** How often it was marked, and how many of these marks the last look saw. */
    touches: number;
    touches_seen: number;
    told_firing: Flag;
    /** Local day that the recipients last heard of it for, and when they were last reminded. */
    reminded_on: string | null;
    reminded_at: number | null;
    told_stale: Flag;
    /** 1: the threshold or the hysteresis was changed, and what follows from that is not recorded yet. */
    rule_changed: Generated<Flag>;
    /** When time alone calls for a look; null where only readings do. */
    due_at: number | null;
  };
  alert_episodes: {
    seq: Generated<number>;
    alert_id: string;
    start_at: number;
    end_at: number | null;
    /** Least value in %, from the start on and before the end. */
    lowest: number;
  };
  /** Messages to recipients, written with the state that calls for them. */
  outbox: {
    seq: Generated<number>;
    id: string;
    alert_id: string;
    kind: string;
    user_id: number;
    to_address: string;
    subject: string;
    text: string;
    html: string;
    created_at: number;
    state: string;
    /** Of its mail, written at the first attempt. */
    message_id: string | null;
    tries: number;
    /** Real time, as is `sent_at`. */
    next_try_at: number;
    last_answer: string | null;
    sent_at: number | null;
  };
  api_keys: {
    id: Generated<number>;
    /** SHA-256 of the key, base64url: the key itself is kept nowhere. */
    hash: string;
    /** Shared by a key and those it was rotated into. */
    family: string;
    user_id: number | null;
    /** JSON array. */
    scopes: string;
    surface: string;
    created_at: number;
    expires_at: number | null;
    revoked_at: number | null;
    last_used_at: number | null;
  };
}

type WithCompany<T> = { [K in keyof T]: T[K] & { company_id: number } };

/** All tables as they stand in the file. */
export interface Tables extends WithCompany<CompanyTables> {
  companies: CompanyRow;
  /** Who may do the housekeeping of the store, until when (real time). */
  leases: { name: string; holder: string; held_until: number };
}

/** What a company's handle sees: its own rows of every owned table, without the column that says so. */
export type CompanyDb = Kysely<CompanyTables>;
