import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import { companyTables } from '../scope/company-scope-rules.ts';
import {
  type ChangedRow,
  isRecorded,
  keyOf,
  type RowImage,
  type RowKey,
} from '../scope/recorded-rows.ts';
import type { CompanyDb, CompanyTables } from '../tables.ts';

export interface Reference {
  readonly table: keyof CompanyTables | 'companies';
  /** Null for a row of a table that changes do not record. */
  readonly key: RowKey | null;
}

type ReferenceColumn = readonly [table: keyof CompanyTables, column: string];

/**
 * References that an undo must not break. Those to alerts are missing: its state and mail are
 * deleted with an alert.
 */
const REFERENCES: Readonly<Partial<Record<keyof CompanyTables, readonly ReferenceColumn[]>>> = {
  parcels: [
    ['modules', 'parcel_id'],
    ['soil_layers', 'parcel_id'],
    ['installation_versions', 'parcel_id'],
    ['schedules', 'target_parcel_id'],
    ['alerts', 'parcel_id'],
    ['rain', 'parcel_id'],
  ],
  modules: [
    ['waterings', 'module_id'],
    ['sensors', 'module_id'],
    ['installation_versions', 'module_id'],
    ['placements', 'module_id'],
    ['probe_settings', 'module_id'],
    ['schedules', 'target_module_id'],
    ['annotations', 'module_id'],
    ['alerts', 'module_id'],
    ['rain', 'module_id'],
    ['devices', 'module_id'],
    ['station_readings', 'module_id'],
  ],
  sensors: [['readings', 'sensor_id']],
  schedules: [['waterings', 'schedule_id']],
  users: [
    ['alerts', 'created_by'],
    ['alert_recipients', 'user_id'],
    ['annotations', 'user_id'],
    ['api_keys', 'user_id'],
  ],
};

type WateringCondition = (eb: ExpressionBuilder<CompanyTables, 'waterings'>) => Expression<SqlBool>;

/** Planned waterings are derived from their schedule, so changes do not record them. */
const isRecordedWatering: WateringCondition = (eb) =>
  eb.or([eb('schedule_id', 'is', null), eb('is_detached', '=', 1), eb('status', '!=', 'planned')]);

// A schedule can have hundreds of thousands of planned waterings. Each of these conditions has an
// index without them; partial indexes need the literal.
const isEdited: WateringCondition = (eb) => eb('is_detached', '=', eb.lit(1));
const isManual: WateringCondition = (eb) => eb.or([eb('schedule_id', 'is', null), isEdited(eb)]);
const isConfirmed: WateringCondition = (eb) => eb('status', 'in', ['done', 'skipped']);
const hasBegun =
  (now: number): WateringCondition =>
  (eb) =>
    eb('started_at', '<=', now);

/**
 * By the column that refers to a schedule or a module: a watering with this reference is recorded
 * if it fulfils one of the conditions.
 */
const recordedConditions = (
  now: number,
): Readonly<Record<string, readonly WateringCondition[]>> => ({
  schedule_id: [isConfirmed, isEdited],
  module_id: [isManual, (eb) => eb.and([hasBegun(now)(eb), isConfirmed(eb)])],
});

/**
 * At most `ownRowCount` rows of a table belong to the change itself, so one more of each table is
 * enough.
 */
export async function referencesTo(
  db: CompanyDb,
  rows: readonly ChangedRow[],
  ownRowCount: number,
  now: number,
): Promise<Reference[]> {
  if (rows.some(({ table }) => table === 'companies')) return anyRows(db, ownRowCount);

  const found: Reference[] = [];
  const bounds = { limit: ownRowCount + 1, now };
  for (const [parent, referenceColumns] of Object.entries(REFERENCES)) {
    const keys = rows.filter(({ table }) => table === parent).map(({ key }) => key);
    if (keys.length === 0) continue;
    for (const referenceColumn of referenceColumns)
      found.push(...(await rowsReferringTo(db, referenceColumn, keys, bounds)));
  }

  return found;
}

const toReference = (
  table: keyof CompanyTables,
  row: Readonly<Record<string, unknown>>,
): Reference => ({ table, key: isRecorded(table) ? keyOf(table, row) : null });

// Kysely cannot infer columns from a table name that is generic: 'waterings' and 'id' represent any
// of them.

async function rowsReferringTo(
  db: CompanyDb,
  [table, column]: ReferenceColumn,
  keys: readonly RowKey[],
  { limit, now }: { limit: number; now: number },
): Promise<Reference[]> {
  const query = db
    .selectFrom(table as 'waterings')
    .selectAll()
    .where(column as 'id', 'in', keys as readonly number[])
    .limit(limit);

  const conditions = table === 'waterings' ? recordedConditions(now)[column] : undefined;
  const queries = conditions?.map((condition) => query.where(condition)) ?? [query];

  const found: Reference[] = [];
  for (const rowsQuery of queries)
    found.push(...(await rowsQuery.execute()).map((row) => toReference(table, { ...row })));

  return found;
}

/** They record what was done in the company. */
const DELETED_WITH_COMPANY: ReadonlySet<keyof CompanyTables> = new Set([
  'changes',
  'change_counts',
  'idempotency',
]);

async function anyRows(db: CompanyDb, ownRowCount: number): Promise<Reference[]> {
  const found: Reference[] = [];
  for (const table of companyTables as ReadonlySet<keyof CompanyTables>) {
    if (DELETED_WITH_COMPANY.has(table)) continue;
    const rows = await db
      .selectFrom(table as 'waterings')
      .selectAll()
      .limit(ownRowCount + 1)
      .execute();
    found.push(...rows.map((row) => toReference(table, { ...row })));
  }

  return found;
}

export interface DosedWatering {
  readonly id: number;
  readonly installationId: number | null;
  readonly startedAt: number;
  readonly computedAt: number | null;
  readonly scheduleId: number | null;
  readonly isDetached: 0 | 1;
}

/**
 * Recorded waterings whose dose was computed from these setup versions at `since` or later, in ms.
 */
export const wateringsDosedSince = async (
  db: CompanyDb,
  versionIds: readonly number[],
  since: number,
): Promise<DosedWatering[]> =>
  versionIds.length === 0
    ? []
    : db
        .selectFrom('waterings')
        .select([
          'id',
          'dose_installation_id as installationId',
          'started_at as startedAt',
          'dose_computed_at as computedAt',
          'schedule_id as scheduleId',
          'is_detached as isDetached',
        ])
        .where('dose_installation_id', 'in', versionIds)
        .where('dose_computed_at', '>=', since)
        .where(isRecordedWatering)
        .execute();

/**
 * Waterings of these schedules that start after `since`: recorded ones, and planned ones that have
 * started by `now`.
 */
export async function wateringsOfSchedulesSince(
  db: CompanyDb,
  scheduleIds: readonly number[],
  since: number,
  now: number,
): Promise<Pick<DosedWatering, 'id' | 'isDetached'>[]> {
  if (scheduleIds.length === 0) return [];

  const query = db
    .selectFrom('waterings')
    .select(['id', 'is_detached as isDetached'])
    .where('schedule_id', 'in', scheduleIds)
    .where('started_at', '>', since);
  const started = query.where('status', '=', 'planned').where(hasBegun(now));

  // Three queries, because each condition has an index of its own.
  const found = new Map<number, Pick<DosedWatering, 'id' | 'isDetached'>>();
  for (const waterings of [started, query.where(isConfirmed), query.where(isEdited)])
    for (const watering of await waterings.execute()) found.set(watering.id, watering);

  return [...found.values()];
}

interface VersionSet extends Reference {
  readonly setAt: number;
}

/**
 * Setup versions of the same probes and parcels, and settings of the same probes, set at `since` or
 * later, in ms.
 */
export async function versionsSetSince(
  db: CompanyDb,
  table: 'installation_versions' | 'probe_settings',
  targets: readonly RowImage[],
  since: number,
): Promise<VersionSet[]> {
  const found: VersionSet[] = [];
  for (const column of ['module_id', 'parcel_id'] as const) {
    const ids = targets.flatMap(({ [column]: id }) => (typeof id === 'number' ? [id] : []));
    if (ids.length === 0) continue;
    const rows = await db
      .selectFrom(table as 'installation_versions')
      .selectAll()
      .where('set_at', '>=', since)
      .where(column, 'in', ids)
      .execute();
    found.push(...rows.map((row) => ({ ...toReference(table, { ...row }), setAt: row.set_at })));
  }

  return found;
}
