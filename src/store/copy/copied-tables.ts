import { type Kysely, type RawBuilder, sql } from 'kysely';
import { lastOf } from '../../domain/items.ts';
import { companyTables } from '../scope/company-scope-rules.ts';
import { adapterOf, type CopiedRow } from '../store-adapter.ts';
import { GENERATED_COLUMNS, type Tables } from '../tables.ts';

/**
 * Leases and counts of changes coordinate the processes of one store and mean nothing in another.
 */
type NotCopied = 'leases' | 'change_counts';

export interface CopiedTable {
  readonly name: string;
  readonly key: readonly string[];
  /** The column whose values the database generates in ascending order. */
  readonly sequenceColumn: string | null;
  /** No foreign keys from or to the table, and no unique columns but the key. */
  readonly isStandalone: boolean;
  readonly batchSize: number;
}

const BATCH_SIZE = 500;
const STANDALONE_BATCH_SIZE = 10_000;

type TableFacts = Omit<CopiedTable, 'name'>;

const keyedTable = (key: readonly string[], overrides: Partial<TableFacts> = {}): TableFacts => ({
  key,
  sequenceColumn: null,
  isStandalone: false,
  batchSize: BATCH_SIZE,
  ...overrides,
});
const keyed = (...key: string[]) => keyedTable(key);
const sequenced = (sequenceColumn: string) => keyedTable([sequenceColumn], { sequenceColumn });
const standalone = (...key: string[]) =>
  keyedTable(key, { isStandalone: true, batchSize: STANDALONE_BATCH_SIZE });

/** Each table follows those that it refers to; standalone tables come last. */
const tables: Record<Exclude<keyof Tables, NotCopied>, TableFacts> = {
  companies: sequenced('id'),
  local_day_zones: keyed('zone'),
  users: sequenced('id'),
  parcels: sequenced('id'),
  gateways: sequenced('id'),
  modules: sequenced('id'),
  probe_settings: keyed('module_id', 'valid_from'),
  sensors: sequenced('id'),
  soil_layers: sequenced('id'),
  installation_versions: sequenced('id'),
  placements: keyed('module_id'),
  schedules: sequenced('id'),
  waterings: sequenced('id'),
  rain: sequenced('id'),
  weather_days: keyed('local_day'),
  station_readings: keyed('module_id', 'type', 'at'),
  forecasts: keyed('provider'),
  pending_plans: keyed('schedule_id', 'module_id'),
  annotations: sequenced('seq'),
  alerts: sequenced('seq'),
  alert_recipients: sequenced('seq'),
  alert_states: keyed('alert_id'),
  alert_episodes: sequenced('seq'),
  outbox: sequenced('seq'),
  devices: keyed('name'),
  device_status: keyed('device'),
  device_readings: sequenced('id'),
  pull_marks: keyed('provider', 'device'),
  api_keys: sequenced('id'),
  sessions: sequenced('id'),
  idempotency: keyed('caller', 'operation', 'key'),
  changes: sequenced('id'),
  readings: standalone('sensor_id', 'at'),
  reading_hours: standalone('sensor_id', 'bucket_at'),
  reading_days: standalone('sensor_id', 'bucket_at'),
  reading_local_days: standalone('sensor_id', 'bucket_at'),
  secrets: standalone('name'),
};

export const copiedTables: readonly CopiedTable[] = Object.entries(tables).map(([name, table]) => ({
  name,
  ...table,
}));

/** The last generated id by table, so that the ids of deleted rows are not generated again. */
type SequenceValues = ReadonlyMap<string, number>;

export async function sequenceValues(db: Kysely<Tables>): Promise<SequenceValues> {
  const values = new Map<string, number>();
  for (const { name, sequenceColumn } of copiedTables) {
    if (sequenceColumn === null) continue;
    const id = await adapterOf(db).copyStatements.lastGeneratedId(db, name, sequenceColumn);
    if (id !== null) values.set(name, id);
  }
  return values;
}

export async function restoreSequences(db: Kysely<Tables>, values: SequenceValues): Promise<void> {
  for (const { name, sequenceColumn } of copiedTables) {
    const id = values.get(name);
    if (sequenceColumn !== null && id !== undefined)
      await adapterOf(db).copyStatements.setLastGeneratedId(db, name, sequenceColumn, id);
  }
}

/** The rows after one key, up to another one; null means no limit. */
interface KeyRange {
  /** Null for a table without companies, and for the rows of all companies. */
  readonly companyId: number | null;
  readonly after: CopiedRow | null;
  readonly upTo: CopiedRow | null;
}

export interface RowBatch extends KeyRange {
  readonly rows: readonly CopiedRow[];
}

/** All rows of a table in batches. Together their ranges cover every possible key. */
export async function* rowBatches(
  db: Kysely<Tables>,
  table: CopiedTable,
): AsyncGenerator<RowBatch> {
  const companies = companyTables.has(table.name) ? await companyIds(db) : [null];
  for (const companyId of companies) {
    let after: CopiedRow | null = null;
    do {
      const rows: readonly CopiedRow[] = await rowsInRange(db, table, {
        companyId,
        after,
        upTo: null,
      });
      const upTo: CopiedRow | null = rows.length < table.batchSize ? null : lastOf(rows);
      yield { companyId, after, upTo, rows };
      after = upTo;
    } while (after !== null);
  }
}

async function companyIds(db: Kysely<Tables>): Promise<number[]> {
  const companies = await db.selectFrom('companies').select('id').orderBy('id').execute();
  return companies.map(({ id }) => id);
}

export async function rowsInRange(
  db: Kysely<Tables>,
  table: CopiedTable,
  range: KeyRange,
  limit = table.batchSize,
): Promise<CopiedRow[]> {
  const { rows } =
    await sql<CopiedRow>`select * from ${sql.table(table.name)} where ${isInRange(table, range)}
    order by ${keyColumns(table)} limit ${sql.lit(limit)}`.execute(db);
  return withoutGenerated(table, rows);
}

const generatedColumns = new Map<string, readonly string[]>(Object.entries(GENERATED_COLUMNS));

function withoutGenerated({ name }: CopiedTable, rows: readonly CopiedRow[]): CopiedRow[] {
  const generated = generatedColumns.get(name);
  if (generated === undefined) return [...rows];
  const isCopied = ([column]: [string, unknown]): boolean => !generated.includes(column);
  return rows.map((row) => Object.fromEntries(Object.entries(row).filter(isCopied)));
}

export async function deleteRange(
  db: Kysely<Tables>,
  table: CopiedTable,
  range: KeyRange,
): Promise<void> {
  await sql`delete from ${sql.table(table.name)} where ${isInRange(table, range)}`.execute(db);
}

const keyColumns = ({ key }: CopiedTable): RawBuilder<unknown> =>
  sql.join(key.map((column) => sql.ref(column)));

function isInRange(table: CopiedTable, { companyId, after, upTo }: KeyRange): RawBuilder<unknown> {
  const keyOf = (row: CopiedRow) => sql.join(table.key.map((column) => row[column]));

  const conditions = [companyId === null ? sql`1 = 1` : sql`company_id = ${companyId}`];
  if (after !== null) conditions.push(sql`(${keyColumns(table)}) > (${keyOf(after)})`);
  if (upTo !== null) conditions.push(sql`(${keyColumns(table)}) <= (${keyOf(upTo)})`);
  return sql.join(conditions, sql` and `);
}

export async function insertRows(
  db: Kysely<Tables>,
  { name }: CopiedTable,
  { companyId, rows }: Pick<RowBatch, 'companyId' | 'rows'>,
): Promise<void> {
  if (rows.length === 0) return;

  const { bulkReadings, copyStatements } = adapterOf(db);
  if (bulkReadings === null || name !== 'readings' || companyId === null)
    return copyStatements.insertRows(db, name, rows);

  const numbersIn = (column: string): number[] => rows.map((row) => Number(row[column]));
  const batch = {
    sensorIds: numbersIn('sensor_id'),
    at: numbersIn('at'),
    values: numbersIn('value'),
    length: rows.length,
  };
  const allIndexes = [...rows.keys()];
  await bulkReadings.write(companyId, batch, allIndexes);
}
