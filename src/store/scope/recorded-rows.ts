import { withoutNulls } from '../../domain/items.ts';
import { type CompanyTables, GENERATED_COLUMNS } from '../tables.ts';

/** A stored row as changes record it, without derived columns. */
export type RowImage = Readonly<Record<string, string | number | null>>;

/** The value of the key column, or the values of several key columns as one text. */
export type RowKey = number | string;

interface Recording {
  readonly key: readonly [string, ...string[]];
  /** Columns computed from other rows or columns, which changes do not record. */
  readonly derived: readonly string[];
}

const keyedBy = (...key: [string, ...string[]]): Recording => ({ key, derived: [] });
const withDerived = (recording: Recording, ...derived: string[]): Recording => ({
  ...recording,
  derived,
});

/**
 * The tables whose rows changes record; each follows those that it refers to. Null for readings,
 * for rows that are computed from others, and for rows that no tool writes.
 */
const RECORDINGS = {
  users: keyedBy('id'),
  parcels: keyedBy('id'),
  modules: withDerived(keyedBy('id'), 'removed_at'),
  sensors: keyedBy('id'),
  devices: keyedBy('name'),
  device_readings: withDerived(
    keyedBy('at', 'device', 'type', 'position', 'depth_cm', 'minutes', 'is_day_total'),
    'id',
  ),
  soil_layers: keyedBy('id'),
  installation_versions: keyedBy('id'),
  placements: keyedBy('module_id'),
  probe_settings: keyedBy('module_id', 'valid_from'),
  schedules: withDerived(keyedBy('id'), 'materialized_until', 'removed_at'),
  waterings: withDerived(keyedBy('id'), 'scheduled_start', ...GENERATED_COLUMNS.waterings),
  rain: keyedBy('id'),
  weather_days: keyedBy('local_day'),
  annotations: keyedBy('id'),
  alerts: keyedBy('id'),
  alert_recipients: keyedBy('id'),
  station_readings: null,
  forecasts: null,
  gateways: null,
  pending_plans: null,
  readings: null,
  reading_hours: null,
  reading_days: null,
  reading_local_days: null,
  local_day_zones: null,
  idempotency: null,
  alert_states: null,
  alert_episodes: null,
  outbox: null,
  device_status: null,
  pull_marks: null,
  api_keys: null,
  sessions: null,
  changes: null,
  change_counts: null,
} as const satisfies Record<keyof CompanyTables, Recording | null>;

export type RecordedTable = {
  [Table in keyof typeof RECORDINGS]: (typeof RECORDINGS)[Table] extends null ? never : Table;
}[keyof typeof RECORDINGS];

const recordings: ReadonlyMap<string, Recording | null> = new Map(Object.entries(RECORDINGS));

export const recordedTables = [...recordings].flatMap(([table, recording]) =>
  recording === null ? [] : [table as RecordedTable],
);

export const isRecorded = (table: string): table is RecordedTable =>
  (recordings.get(table) ?? null) !== null;

export const keyColumnsOf = (table: RecordedTable): readonly [string, ...string[]] =>
  RECORDINGS[table].key;

type StoredRow = Readonly<Record<string, unknown>>;

/** Values of a composite key are separated by a space. */
export function keyOf(table: RecordedTable, row: StoredRow): RowKey {
  const [first, ...others] = keyColumnsOf(table);
  return others.length === 0
    ? (row[first] as RowKey)
    : [first, ...others].map((column) => row[column]).join(' ');
}

/** The value of the first key column, which is an integer where the key has several columns. */
export const firstKeyValueOf = (table: RecordedTable, key: RowKey): RowKey =>
  keyColumnsOf(table).length > 1 ? Number(String(key).split(' ')[0]) : key;

export function toImage(table: RecordedTable, row: StoredRow): RowImage {
  const { derived }: Recording = RECORDINGS[table];
  return Object.fromEntries(
    Object.entries(row).filter(([column]) => !derived.includes(column)),
  ) as RowImage;
}

/** A planned watering is derived from its schedule until a person edits it. */
const isDerivedRow = (table: RecordedTable | 'companies', image: RowImage): boolean =>
  table === 'waterings' &&
  image.schedule_id !== null &&
  image.is_detached === 0 &&
  image.status === 'planned';

export interface ChangedRow {
  readonly table: RecordedTable | 'companies';
  readonly key: RowKey;
  /** Null before its creation. */
  readonly before: RowImage | null;
  /** Null after its deletion. */
  readonly after: RowImage | null;
}

/** Ignores columns that the table got after `image` was recorded. */
export const isSameImage = (stored: RowImage | null, image: RowImage | null): boolean =>
  stored === null || image === null
    ? stored === image
    : Object.entries(image).every(([column, value]) => stored[column] === value);

export function isChange({ table, before, after }: ChangedRow): boolean {
  if (isSameImage(before, after)) return false;
  return withoutNulls([before, after]).some((image) => !isDerivedRow(table, image));
}
