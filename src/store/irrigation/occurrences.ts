import type { Insertable } from 'kysely';
import { chunksOf, groupBy } from '../../domain/groups.ts';
import type { Dose } from '../../domain/irrigation/dose.ts';
import type { Occurrence, PlannedOccurrence } from '../../domain/irrigation/occurrences.ts';
import type {
  ChangedOccurrence,
  RegenerationPlan,
} from '../../domain/irrigation/regeneration-plan.ts';
import { firstOf, lastOf } from '../../domain/items.ts';
import {
  insertInBatches,
  parameterPlaceholders,
  runWithValues,
} from '../queries/prepared-query.ts';
import { unrecorded } from '../scope/company-db.ts';
import type { CompanyDb, CompanyTables } from '../tables.ts';
import { amountColumns, doseColumns, toDose, toWateringInput } from './watering-columns.ts';

/** Rows of one statement, largest first. */
const INSERT_SIZES = [60, 10, 1];
const MAX_IDS_PER_STATEMENT = 500;

/** Only the columns that planning needs, because it reads many rows. */
const OCCURRENCE_COLUMNS = [
  'id',
  'module_id',
  'scheduled_start',
  'started_at',
  'status',
  'is_detached',
  'input_mode',
  'duration_min',
  'input_depth_mm',
  'input_volume_m3',
  'water_mm',
  'water_mm_wetted',
  'dose_installation_id',
  'dose_scope',
  'dose_system',
  'dose_flow_mm_per_h',
  'dose_fraction_wetted',
  'dose_fraction_wetted_is_default',
  'dose_irrigated_area_m2',
  'dose_computed_at',
] as const;

/**
 * The occurrences that start after `from.at` or whose scheduled start (local time as text) is not
 * before `from.scheduledStart`.
 */
export async function occurrencesFrom(
  db: CompanyDb,
  { scheduleId, moduleId }: { scheduleId: number; moduleId: number },
  from: { at: number; scheduledStart: string },
): Promise<Occurrence[]> {
  const rows = await db
    .selectFrom('waterings')
    .select(OCCURRENCE_COLUMNS)
    .where('schedule_id', '=', scheduleId)
    .where('module_id', '=', moduleId)
    .where((eb) =>
      eb.or([eb('started_at', '>', from.at), eb('scheduled_start', '>=', from.scheduledStart)]),
    )
    .orderBy('started_at')
    .orderBy('id')
    .$narrowType<{ scheduled_start: string }>()
    .execute();

  return rows.map((row) => ({
    id: row.id,
    moduleId: row.module_id,
    scheduledStart: row.scheduled_start,
    startedAt: row.started_at,
    status: row.status,
    isDetached: row.is_detached === 1,
    ...toWateringInput(row),
    ...toDose(row),
  }));
}

/** Bounds the rows that one statement reads. */
const MODULES_PER_QUERY = 20;

/** Probes with occurrences whose scheduled start (local time as text) is not before `from`. */
export async function modulesWithOccurrences(
  db: CompanyDb,
  scheduleId: number,
  from: string,
): Promise<number[]> {
  const ids: number[] = [];
  for (;;) {
    const rows = await db
      .selectFrom('waterings')
      .select('module_id')
      .where('schedule_id', '=', scheduleId)
      .where('module_id', '>', ids.at(-1) ?? 0)
      .where('scheduled_start', '>=', from)
      .groupBy('module_id')
      .orderBy('module_id')
      .limit(MODULES_PER_QUERY)
      .execute();
    ids.push(...rows.map((row) => row.module_id));
    if (rows.length < MODULES_PER_QUERY) return ids;
  }
}

/** The occurrences whose scheduled start (local time as text) is not before `from`. */
export const occupiedStarts = (
  db: CompanyDb,
  scheduleId: number,
  from: string,
): Promise<{ moduleId: number; scheduledStart: string }[]> =>
  db
    .selectFrom('waterings')
    .select(['module_id as moduleId', 'scheduled_start as scheduledStart'])
    .where('schedule_id', '=', scheduleId)
    .where('scheduled_start', '>=', from)
    .$narrowType<{ scheduledStart: string }>()
    .execute();

const occurrenceColumns = ({ scheduledStart, startedAt, input, dose }: PlannedOccurrence) => ({
  scheduled_start: scheduledStart,
  started_at: startedAt,
  ...amountColumns(input),
  ...doseColumns(dose),
});

type NewOccurrenceRow = Insertable<CompanyTables['waterings']>;

const newOccurrenceRow = (
  scheduleId: number,
  occurrence: PlannedOccurrence,
  now: number,
): NewOccurrenceRow => ({
  module_id: occurrence.moduleId,
  schedule_id: scheduleId,
  is_detached: 0,
  ...occurrenceColumns(occurrence),
  status: 'planned',
  source: 'schedule',
  verified_at: null,
  note: null,
  created_by: null,
  created_at: now,
});

export async function insertOccurrences(
  db: CompanyDb,
  scheduleId: number,
  occurrences: readonly PlannedOccurrence[],
  now: number,
): Promise<void> {
  if (occurrences.length === 0) return;

  const rows = occurrences.map((occurrence) => newOccurrenceRow(scheduleId, occurrence, now));
  const columns = Object.keys(firstOf(rows));
  // All rows have the same columns in the same order.
  const values = rows.map((row) => Object.values(row));

  const unrecordedDb = unrecorded(db);
  await insertInBatches(
    unrecordedDb,
    columns,
    values,
    INSERT_SIZES,
    (placeholders: readonly NewOccurrenceRow[]) =>
      unrecordedDb.insertInto('waterings').values(placeholders),
  );
}

/** Writes the parts of a plan in an order that never gives two rows the same scheduled start. */
export async function applyOccurrencePlan(
  db: CompanyDb,
  scheduleId: number,
  plan: RegenerationPlan,
  now: number,
): Promise<void> {
  const unrecordedDb = unrecorded(db);
  for (const ids of idChunks(plan.remove))
    await unrecordedDb.deleteFrom('waterings').where('id', 'in', ids).execute();
  for (const { id, scheduledStart } of plan.newStarts)
    await unrecordedDb
      .updateTable('waterings')
      .set({ scheduled_start: scheduledStart })
      .where('id', '=', id)
      .execute();

  const unmoved = plan.change.filter(({ keepsStart }) => keepsStart);
  await updateAmounts(unrecordedDb, unmoved);
  const moved = plan.change.filter(({ keepsStart }) => !keepsStart);
  await moveOccurrences(unrecordedDb, moved);

  await insertOccurrences(db, scheduleId, plan.add, now);
}

const idChunks = (rows: readonly { readonly id: number }[]): number[][] =>
  chunksOf(
    rows.map(({ id }) => id),
    MAX_IDS_PER_STATEMENT,
  );

/** All rows of a plan have the same amount, so rows with the same dose get the same values. */
async function updateAmounts(db: CompanyDb, changes: readonly ChangedOccurrence[]): Promise<void> {
  for (const [dose, group] of groupBy(changes, (change) => change.dose))
    for (const ids of idChunks(group))
      await db
        .updateTable('waterings')
        .set({ ...amountColumns(firstOf(group).input), ...doseColumns(dose) })
        .where('id', 'in', ids)
        .execute();
}

/**
 * Sets the dose of the planned occurrences of a schedule on a probe whose scheduled start (local
 * time as text) is not before `scheduledFrom` and that start between `after` and `before`, both
 * exclusive; `before: null` has no end. Occurrences that a person edited keep their dose. Returns
 * how many changed.
 */
export async function updatePlannedDoses(
  db: CompanyDb,
  {
    scheduleId,
    moduleId,
    scheduledFrom,
  }: { scheduleId: number; moduleId: number; scheduledFrom: string },
  { after, before }: { after: number; before: number | null },
  dose: Dose,
): Promise<number> {
  const columns = doseColumns(dose);
  const { dose_computed_at: _, ...comparedColumns } = columns;
  let query = unrecorded(db)
    .updateTable('waterings')
    .set(columns)
    .where('schedule_id', '=', scheduleId)
    .where('module_id', '=', moduleId)
    .where('scheduled_start', '>=', scheduledFrom)
    // With `= 'planned'` both databases would read the whole schedule by the index on the status.
    .where('status', 'not in', ['done', 'skipped'])
    .where('is_detached', '=', 0)
    .where('started_at', '>', after)
    .where((eb) =>
      eb.or(
        Object.entries(comparedColumns).map(([column, value]) =>
          eb(column as keyof typeof comparedColumns, 'is distinct from', value),
        ),
      ),
    );
  if (before !== null) query = query.where('started_at', '<', before);

  return Number((await query.executeTakeFirst()).numUpdatedRows);
}

async function moveOccurrences(
  db: CompanyDb,
  changes: readonly ChangedOccurrence[],
): Promise<void> {
  const [first] = changes;
  if (!first) return;

  const columns = Object.keys(occurrenceColumns(first));
  const placeholders = parameterPlaceholders(columns.length + 1);
  const update = db
    .updateTable('waterings')
    .set(Object.fromEntries(columns.map((column, index) => [column, placeholders[index]])))
    .where('id', '=', lastOf(placeholders))
    .compile();
  for (const change of changes)
    await runWithValues(db, update, [...Object.values(occurrenceColumns(change)), change.id]);
}

const pastPlannedOccurrences = (db: CompanyDb, scheduleId: number, from: number, now: number) =>
  db
    .selectFrom('waterings')
    .select('id')
    .where('schedule_id', '=', scheduleId)
    .where('status', '=', 'planned')
    .where('is_detached', '=', 0)
    .where('started_at', '>=', from)
    .where('started_at', '<=', now)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('pending_plans')
            .select('pending_plans.changed_at')
            .whereRef('pending_plans.schedule_id', '=', 'waterings.schedule_id')
            .whereRef('pending_plans.module_id', '=', 'waterings.module_id')
            .whereRef('pending_plans.changed_at', '<', 'waterings.started_at'),
        ),
      ),
    )
    .orderBy('started_at');

/** Marks at most `limit` occurrences that start from `from` to `now` as done. */
export async function completePastOccurrences(
  db: CompanyDb,
  scheduleId: number,
  from: number,
  now: number,
  limit: number,
): Promise<number> {
  const { numUpdatedRows } = await unrecorded(db)
    .updateTable('waterings')
    .set({ status: 'done' })
    .where('id', 'in', pastPlannedOccurrences(db, scheduleId, from, now).limit(limit))
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

export const hasPastPlannedOccurrences = async (
  db: CompanyDb,
  scheduleId: number,
  from: number,
  now: number,
): Promise<boolean> =>
  (await pastPlannedOccurrences(db, scheduleId, from, now).limit(1).executeTakeFirst()) !==
  undefined;
