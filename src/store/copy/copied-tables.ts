import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';

/** Where the processes of a store take turns: of no matter to another store. */
type NotCopied = 'leases';

/** A table as it is copied. */
export interface CopiedTable {
  readonly name: string;
  /** What tells a row from the others of its company, in the order in which they are read. */
  readonly key: readonly string[];
  /** The column whose values are counted up and never given twice; null where there is none. */
  readonly sequenceColumn: string | null;
  /** Whether nothing refers to its rows, they refer to nothing, and the key alone is unique. */
  readonly isStandalone: boolean;
  /** How many rows are read and written at once. */
  readonly batch: number;
}

const BATCH = 500;
const STANDALONE_BATCH = 10_000;

const sequenced = (sequenceColumn: string) => ({
  key: [sequenceColumn],
  sequenceColumn,
  isStandalone: false,
  batch: BATCH,
});
const keyed = (...key: string[]) => ({ key, sequenceColumn: null, isStandalone: false, batch: BATCH });
const standalone = (...key: string[]) => ({ key, sequenceColumn: null, isStandalone: true, batch: STANDALONE_BATCH });

/** Every table after those that its rows refer to, the loose ones last. */
const tables: Record<Exclude<keyof Tables, NotCopied>, Omit<CopiedTable, 'name'>> = {
  companies: sequenced('id'),
  users: sequenced('id'),
  parcels: sequenced('id'),
  gateways: sequenced('id'),
  modules: sequenced('id'),
  sensors: sequenced('id'),
  soil_layers: sequenced('id'),
  installation_versions: sequenced('id'),
  placements: keyed('module_id'),
  schedules: sequenced('id'),
  waterings: sequenced('id'),
  annotations: sequenced('seq'),
  alerts: sequenced('seq'),
  alert_recipients: sequenced('seq'),
  alert_states: keyed('alert_id'),
  alert_episodes: sequenced('seq'),
  outbox: sequenced('seq'),
  api_keys: sequenced('id'),
  idempotency: keyed('caller', 'operation', 'key'),
  readings: standalone('sensor_id', 'at'),
  reading_hours: standalone('sensor_id', 'bucket_at'),
  reading_days: standalone('sensor_id', 'bucket_at'),
};

export const copiedTables: readonly CopiedTable[] = Object.entries(tables).map(([name, table]) => ({ name, ...table }));

/** By table, the last id that it gave: also one whose row is gone is never given again. */
export type SequenceValues = ReadonlyMap<string, number>;

const sequencedTables = copiedTables.flatMap(({ name, sequenceColumn }) =>
  sequenceColumn === null ? [] : [{ name, counted: sequenceColumn }],
);

export async function sequenceValues(db: Kysely<Tables>, isServer: boolean): Promise<SequenceValues> {
  const last = new Map<string, number>();
  for (const { name, counted } of sequencedTables) {
    const asked = isServer
      ? sql<{
          id: number | null;
        }>`select pg_sequence_last_value(pg_get_serial_sequence(${name}, ${counted})::regclass) as id`
      : sql<{ id: number }>`select seq as id from sqlite_sequence where name = ${name}`;
    const id = (await asked.execute(db)).rows[0]?.id ?? null;
    if (id !== null) last.set(name, id);
  }
  return last;
}

/** Makes the tables count on from there. */
export async function restoreSequences(db: Kysely<Tables>, last: SequenceValues, isServer: boolean): Promise<void> {
  for (const { name, counted } of sequencedTables) {
    const id = last.get(name);
    if (id === undefined) continue;
    if (isServer) {
      await sql`select setval(pg_get_serial_sequence(${name}, ${counted}), ${id})`.execute(db);
    } else {
      await sql`delete from sqlite_sequence where name = ${name}`.execute(db);
      await sql`insert into sqlite_sequence (name, seq) values (${name}, ${id})`.execute(db);
    }
  }
}
