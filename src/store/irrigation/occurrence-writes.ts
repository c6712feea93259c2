import type { Insertable } from 'kysely';
import { chunksOf, groupBy } from '../../domain/groups.ts';
import type { Dose } from '../../domain/irrigation/dose.ts';
import type { PlannedOccurrence } from '../../domain/irrigation/occurrence-planner.ts';
import type {
  ChangedOccurrence,
  RegenerationPlan,
} from '../../domain/irrigation/regeneration-plan.ts';
import { firstOf, lastOf } from '../../domain/items.ts';
import { keysOf } from '../../domain/records.ts';
import { addDailyRows } from '../daily-rows.ts';
import { parameterPlaceholders } from '../queries/placeholders.ts';
import { preparedRowInserts, runWithValues } from '../queries/prepared-query.ts';
import { unrecorded } from '../scope/company-db.ts';
import type { CompanyDb, CompanyTables } from '../tables.ts';
import type { Schedule } from './schedules.ts';
import { amountColumns, doseColumns } from './watering-columns.ts';

/** Rows of one statement, largest first. */
const INSERT_SIZES = [60, 10, 1];
const MAX_IDS_PER_STATEMENT = 500;

const occurrenceColumns = ({ scheduledStart, startedAt, input, dose }: PlannedOccurrence) => ({
  scheduled_start: scheduledStart,
  started_at: startedAt,
  ...amountColumns(input),
  ...doseColumns(dose),
});

type NewOccurrenceRow = Insertable<CompanyTables['waterings']>;

/** The parcel of the schedule counts where it has no probe. */
type PlanningSchedule = Pick<Schedule, 'id' | 'targetParcelId'>;

const newOccurrenceRow = (
  { id, targetParcelId }: PlanningSchedule,
  occurrence: PlannedOccurrence,
  now: number,
): NewOccurrenceRow => ({
  module_id: occurrence.moduleId,
  parcel_id: occurrence.moduleId === null ? targetParcelId : null,
  schedule_id: id,
  is_detached: 0,
  ...occurrenceColumns(occurrence),
  status: 'planned',
  source: 'schedule',
  verified_at: null,
  note: null,
  note_id: null,
  created_by: null,
  created_at: now,
});

export async function addOccurrences(
  db: CompanyDb,
  schedule: PlanningSchedule,
  occurrences: readonly PlannedOccurrence[],
  now: number,
): Promise<void> {
  if (occurrences.length === 0) return;
  await insertOccurrences(db, schedule, occurrences, now);
  await addDailyRows(db, now, occurrences.length);
}

async function insertOccurrences(
  db: CompanyDb,
  schedule: PlanningSchedule,
  occurrences: readonly PlannedOccurrence[],
  now: number,
): Promise<void> {
  const rows = occurrences.map((occurrence) => newOccurrenceRow(schedule, occurrence, now));
  await insertRows(unrecorded(db), rows);
}

const insertRows = preparedRowInserts(INSERT_SIZES, (db, rows: readonly NewOccurrenceRow[]) =>
  db.insertInto('waterings').values(rows),
);

/** Writes the parts of a plan in an order that never gives two rows the same scheduled start. */
export async function applyOccurrencePlan(
  db: CompanyDb,
  schedule: PlanningSchedule,
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

  await insertOccurrences(db, schedule, plan.add, now);

  const added = plan.add.length - plan.remove.length;
  if (added !== 0) await addDailyRows(db, now, added);
}

/** The ids of the rows, in lists that are short enough for a statement. */
const idChunks = (rows: readonly { readonly id: number }[]): number[][] =>
  chunksOf(
    rows.map(({ id }) => id),
    MAX_IDS_PER_STATEMENT,
  );

/**
 * One statement for all rows with the same dose: a plan gives all its rows the same amount, and
 * rows with the same dose share the object.
 */
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
 * Sets the dose of the planned occurrences of a schedule on probes, or with null on its parcel that
 * has none, whose scheduled start (local time as text) is not before `scheduledFrom` and that start
 * between `after` and `before`, both exclusive; `before: null` has no end. Occurrences that a person edited keep their dose. Returns
 * how many changed.
 */
export async function updatePlannedDoses(
  db: CompanyDb,
  {
    scheduleId,
    moduleIds,
    scheduledFrom,
  }: { scheduleId: number; moduleIds: readonly number[] | null; scheduledFrom: string },
  { after, before }: { after: number; before: number | null },
  dose: Dose,
): Promise<number> {
  const columns = doseColumns(dose);
  // The same dose computed at another time is no change.
  const { dose_computed_at: _, ...comparedColumns } = columns;
  let query = unrecorded(db)
    .updateTable('waterings')
    .set(columns)
    // With `=` PostgreSQL without statistics would use an index of schedules, and read all rows of
    // this one. So both databases use that of the probes, with the rows of their other schedules.
    .where('schedule_id', 'is not distinct from', scheduleId)
    .where((eb) =>
      moduleIds === null ? eb('module_id', 'is', null) : eb('module_id', 'in', moduleIds),
    )
    .where('scheduled_start', '>=', scheduledFrom)
    // Means planned: with `= 'planned'` both databases would use the index on the status, and read
    // all rows of the schedule.
    .where('status', 'not in', ['done', 'skipped'])
    .where('is_detached', '=', 0)
    .where('started_at', '>', after)
    .where((eb) =>
      eb.or(
        keysOf(comparedColumns).map((column) =>
          eb(column, 'is distinct from', comparedColumns[column]),
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
