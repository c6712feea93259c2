import type { COMPANY_TABLES } from '../tables/index.ts';

// What a folder with everything of a company holds, and what stays in its store.

export interface FolderTable {
  readonly file: string;
  /** For the README of the folder. */
  readonly contents: string;
}

/**
 * Why the rows of a table are in no folder: they let somebody in or belong to a session; they are
 * messages that this store has sent or will send; they are answers to calls that this store may be
 * sent again; or they follow from other rows.
 */
type LeftOut = 'access' | 'messages' | 'answers' | 'computed';

const csv = (name: string, contents: string): FolderTable => ({ file: `${name}.csv`, contents });

const FOLDER_PLAN = {
  companies: csv('company', 'the company'),
  users: csv('users', 'its members, with their addresses'),
  parcels: csv('parcels', 'parcels'),
  seasons: csv('seasons', 'crops of the parcels over time'),
  water_sources: csv('water-sources', 'sources of water that parcels share'),
  gateways: csv('gateways', 'gateways'),
  modules: csv('modules', 'probes and stations'),

  probe_settings: csv('probe-settings', 'settings of probes over time'),
  parcel_settings: csv('parcel-settings', 'settings of parcels over time'),
  sensors: csv('sensors', 'sensors of the modules, with their depths and calibrations'),
  soil_layers: csv('soil-layers', 'soil of the parcels'),
  readings: csv('readings', 'readings: sensorId is the id in sensors.csv'),
  reading_retention: csv(
    'reading-retention',
    'since when single readings are kept: in place of earlier ones stand the sums of their hours and days',
  ),
  reading_hours: csv(
    'hours-of-readings',
    'sums of the hours of which no single readings are kept any more',
  ),
  reading_days: 'computed',
  reading_local_days: csv('days-of-readings', 'sums of the local days before that time'),
  reading_versions: 'computed',
  local_day_zones: 'computed',

  installation_versions: csv('installations', 'setups: equipment of probes and parcels over time'),
  placements: csv('placements', 'placements of probes'),
  schedules: csv('schedules', 'schedules'),
  irrigation_notes: csv('irrigation-notes', 'notes of waterings of whole parcels: noteId'),
  waterings: csv('waterings', 'waterings: done, planned and skipped'),
  pending_plans: csv('pending-plans', 'changes of schedules that their waterings do not have yet'),
  pending_doses: csv('pending-doses', 'probes whose doses are still to be computed'),

  rain: csv('rain', 'rain'),
  weather_days: csv('weather', 'weather of the days'),
  station_readings: csv('station-readings', 'wind and solar radiation of stations'),
  forecasts: csv('forecasts', 'the newest forecasts'),

  annotations: csv('annotations', 'lines, texts and shapes drawn on charts'),
  alerts: csv('alerts', 'alerts'),
  alert_recipients: csv('alert-recipients', 'who is told of an alert'),
  alert_states: csv('alert-states', 'which alerts are firing'),
  alert_episodes: csv('alert-episodes', 'when alerts fired'),
  outbox: 'messages',
  recent_deliveries: 'messages',
  probe_doubts: csv('probe-doubts', 'why probes are to be checked'),
  doubt_checks: 'computed',

  devices: csv('devices', 'devices that send readings'),
  device_status: csv('device-status', 'the last status of each device'),
  device_readings: csv('device-readings', 'readings of devices that are not assigned'),
  device_models: csv('device-models', 'what was chosen for the fields of a model'),
  device_periods: csv('device-periods', 'when a device wrote to a sensor'),
  unread_messages: csv('unread-messages', 'messages of devices that gave nothing'),
  pull_marks: csv('pull-marks', 'up to when the clouds of providers were read'),

  api_keys: 'access',
  sessions: 'access',
  erasures: 'access',

  idempotency: 'answers',
  changes: csv('changes', 'who changed what, with the rows before and after'),
  change_parts: csv('change-parts', 'further rows of long changes'),
  pending_parts: csv('pending-parts', 'changes that are not written completely yet'),
  pending_undos: csv('pending-undos', 'undos that are not complete yet'),
  daily_rows: 'computed',
  change_counts: 'computed',
} as const satisfies Record<'companies' | keyof typeof COMPANY_TABLES, FolderTable | LeftOut>;

/** By the name of the table. The tables of the service itself are in no folder. */
export const FOLDER_TABLES: ReadonlyMap<string, FolderTable> = new Map(
  Object.entries(FOLDER_PLAN).filter(
    (entry): entry is [string, FolderTable] => typeof entry[1] === 'object',
  ),
);

export const FARM_FILE = 'farm.json';
export const README_FILE = 'README.txt';
export const MANIFEST_FILE = 'export.json';

export const LEFT_OUT =
  'API keys, sign-in sessions and links, push subscriptions, webhook keys and the other secrets of the service, mail and push messages, and stored answers to repeated calls';
