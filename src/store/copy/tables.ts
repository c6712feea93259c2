import type { Tables } from '../tables.ts';

/** Where the processes of a store take turns: of no matter to another store. */
type LeftOut = 'leases';

/** A table as it is copied. */
export interface CopiedTable {
  readonly name: string;
  /** What tells a row from the others of its company, in the order in which they are read. */
  readonly key: readonly string[];
  /** The column whose values are counted up and never given twice; null where there is none. */
  readonly counted: string | null;
  /** Whether nothing refers to its rows, they refer to nothing, and the key alone is unique. */
  readonly isLoose: boolean;
  /** How many rows are read and written at once. */
  readonly batch: number;
}

const BATCH = 500;
const LOOSE_BATCH = 10_000;

const numbered = (counted: string) => ({ key: [counted], counted, isLoose: false, batch: BATCH });
const keyed = (...key: string[]) => ({ key, counted: null, isLoose: false, batch: BATCH });
const loose = (...key: string[]) => ({ key, counted: null, isLoose: true, batch: LOOSE_BATCH });

/** Every table after those that its rows refer to, the loose ones last. */
const tables: Record<Exclude<keyof Tables, LeftOut>, Omit<CopiedTable, 'name'>> = {
  companies: numbered('id'),
  users: numbered('id'),
  parcels: numbered('id'),
  gateways: numbered('id'),
  modules: numbered('id'),
  sensors: numbered('id'),
  soil_layers: numbered('id'),
  installation_versions: numbered('id'),
  placements: keyed('module_id'),
  schedules: numbered('id'),
  waterings: numbered('id'),
  annotations: numbered('seq'),
  alerts: numbered('seq'),
  alert_recipients: numbered('seq'),
  alert_states: keyed('alert_id'),
  alert_episodes: numbered('seq'),
  outbox: numbered('seq'),
  api_keys: numbered('id'),
  idempotency: keyed('caller', 'operation', 'key'),
  readings: loose('sensor_id', 'at'),
  reading_hours: loose('sensor_id', 'bucket_at'),
  reading_days: loose('sensor_id', 'bucket_at'),
};

export const copiedTables: readonly CopiedTable[] = Object.entries(tables).map(([name, table]) => ({ name, ...table }));
