import type { SelectQueryBuilder } from 'kysely';
import { groupBy } from '../../domain/groups.ts';
import { lastOf } from '../../domain/items.ts';
import type { RowImage } from '../scope/recorded-rows.ts';
import type { CompanyDb, CompanyTables } from '../tables.ts';
import { hasBegun, isConfirmed, isEdited, isRecordedWatering } from './recorded-waterings.ts';
import { type Reference, toReference } from './references.ts';

// Rows written since a change that build on what it wrote, so that undoing it would contradict
// them.

export interface DosedWatering {
  readonly id: number;
  readonly installationId: number | null;
  readonly startedAt: number;
  readonly computedAt: number | null;
  readonly scheduleId: number | null;
  readonly isDetached: 0 | 1;
}

interface SetupVersion {
  readonly id: number;
  /** Null for one of a parcel. */
  readonly moduleId: number | null;
}

const WATERINGS_PER_QUERY = 1_000;

/**
 * Recorded waterings whose dose was computed from these setup versions at `since` or later, in ms.
 */
export async function* wateringsDosedSince(
  db: CompanyDb,
  versions: readonly SetupVersion[],
  since: number,
): AsyncGenerator<DosedWatering, void> {
  for (const [moduleId, sameModule] of groupBy(versions, (version) => version.moduleId)) {
    const dosed = db
      .selectFrom('waterings')
      .select([
        'id',
        'dose_installation_id as installationId',
        'started_at as startedAt',
        'dose_computed_at as computedAt',
        'schedule_id as scheduleId',
        'is_detached as isDetached',
      ])
      .where(
        'dose_installation_id',
        'in',
        sameModule.map(({ id }) => id),
      )
      .where('dose_computed_at', '>=', since)
      .where(isRecordedWatering);

    // An index finds those of a module. A parcel may have had other probes than now.
    if (moduleId === null) yield* inPages(dosed);
    else yield* await dosed.where('module_id', '=', moduleId).execute();
  }
}

async function* inPages(dosed: SelectQueryBuilder<CompanyTables, 'waterings', DosedWatering>) {
  for (let after = 0; ; ) {
    const found = await dosed
      .where('id', '>', after)
      .orderBy('id')
      .limit(WATERINGS_PER_QUERY)
      .execute();
    yield* found;
    if (found.length < WATERINGS_PER_QUERY) return;
    after = lastOf(found).id;
  }
}

export interface ScheduledWatering {
  readonly id: number;
  readonly moduleId: number | null;
  readonly parcelId: number | null;
  readonly startedAt: number;
  readonly isDetached: 0 | 1;
}

/**
 * Waterings of these schedules that start after `since`: recorded ones, and planned ones that have
 * started by `now`.
 */
export async function wateringsOfSchedulesSince(
  db: CompanyDb,
  scheduleIds: readonly number[],
  since: number,
  now: number,
): Promise<ScheduledWatering[]> {
  if (scheduleIds.length === 0) return [];

  const query = db
    .selectFrom('waterings')
    .select([
      'id',
      'module_id as moduleId',
      'parcel_id as parcelId',
      'started_at as startedAt',
      'is_detached as isDetached',
    ])
    .where('schedule_id', 'in', scheduleIds)
    .where('started_at', '>', since);
  const started = query.where('status', '=', 'planned').where(hasBegun(now));

  // Three queries, because each condition has an index of its own.
  const found = new Map<number, ScheduledWatering>();
  for (const waterings of [started, query.where(isConfirmed), query.where(isEdited)])
    for (const watering of await waterings.execute()) found.set(watering.id, watering);

  return [...found.values()];
}

export type VersionsTable = 'installation_versions' | 'probe_settings' | 'parcel_settings';

interface SetVersion extends Reference {
  readonly setAt: number;
}

/**
 * Setup versions and settings of the same probes and parcels, set at `since` or later, in ms.
 */
export async function versionsSetSince(
  db: CompanyDb,
  table: VersionsTable,
  targets: readonly RowImage[],
  since: number,
): Promise<SetVersion[]> {
  const found: SetVersion[] = [];
  for (const column of ['module_id', 'parcel_id'] as const) {
    const ids = targets.flatMap(({ [column]: id }) => (typeof id === 'number' ? [id] : []));
    if (ids.length === 0) continue;
    const rows = await db
      .selectFrom(table)
      .selectAll()
      .where('set_at', '>=', since)
      .where(column, 'in', ids)
      .execute();
    found.push(...rows.map((row) => ({ ...toReference(table, { ...row }), setAt: row.set_at })));
  }

  return found;
}
