import type { Occurrence, PlannedOccurrence, RegenerationPlan } from '../../domain/irrigation/occurrences.ts';
import { insertInBatches } from '../prepared-query.ts';
import type { CompanyDb } from '../tables.ts';
import { amountColumns } from './amount.ts';
import { doseColumns, toWatering } from './waterings.ts';

const INSERT_SIZES = [60, 10, 1];
const MAX_IDS_PER_STATEMENT = 500;

type OccurrenceRow = Parameters<typeof toWatering>[0];

const toOccurrence = (row: OccurrenceRow): Occurrence => ({ ...toWatering(row), slot: row.slot! });

/** Occurrences of a schedule that start after an instant (ms) or whose slot (local time as text) is not before `from.slot`. */
export async function occurrencesFrom(
  db: CompanyDb,
  scheduleId: number,
  from: { at: number; slot: string },
): Promise<Occurrence[]> {
  const rows = await db
    .selectFrom('waterings')
    .selectAll()
    .where('schedule_id', '=', scheduleId)
    .where((eb) => eb.or([eb('started_at', '>', from.at), eb('slot', '>=', from.slot)]))
    .orderBy('module_id')
    .orderBy('started_at')
    .orderBy('id')
    .execute();
  return rows.map(toOccurrence);
}

export const occupiedSlots = async (
  db: CompanyDb,
  scheduleId: number,
  from: string,
): Promise<{ moduleId: number; slot: string }[]> =>
  (
    await db
      .selectFrom('waterings')
      .select(['module_id as moduleId', 'slot'])
      .where('schedule_id', '=', scheduleId)
      .where('slot', '>=', from)
      .execute()
  ).map(({ moduleId, slot }) => ({ moduleId, slot: slot! }));

const occurrenceColumns = (placed: PlannedOccurrence) => ({
  slot: placed.slot,
  started_at: placed.startedAt,
  ...amountColumns(placed.input),
  ...doseColumns(placed.dose),
});

export async function insertOccurrences(
  db: CompanyDb,
  scheduleId: number,
  occurrences: readonly PlannedOccurrence[],
  now: number,
): Promise<void> {
  const rowOf = (each: PlannedOccurrence) => ({
    module_id: each.moduleId,
    schedule_id: scheduleId,
    is_detached: 0 as const,
    ...occurrenceColumns(each),
    status: 'planned' as const,
    source: 'schedule' as const,
    verified_at: null,
    note: null,
    created_by: null,
    created_at: now,
  });
  if (occurrences.length === 0) return;
  const rows = occurrences.map(rowOf);
  const columns = Object.keys(rows[0]!) as (keyof ReturnType<typeof rowOf>)[];
  const values = rows.map((row) => columns.map((column) => row[column]));
  await insertInBatches(db, columns, values, INSERT_SIZES, (slots: readonly ReturnType<typeof rowOf>[]) =>
    db.insertInto('waterings').values(slots),
  );
}

/** Writes a plan in an order in which no two rows have the same slot at any time. */
export async function applyOccurrencePlan(
  db: CompanyDb,
  scheduleId: number,
  plan: RegenerationPlan,
  now: number,
): Promise<void> {
  const removedIds = plan.remove.map(({ id }) => id);
  for (let at = 0; at < removedIds.length; at += MAX_IDS_PER_STATEMENT)
    await db
      .deleteFrom('waterings')
      .where('id', 'in', removedIds.slice(at, at + MAX_IDS_PER_STATEMENT))
      .execute();
  for (const { id, slot } of plan.rekey) await db.updateTable('waterings').set({ slot }).where('id', '=', id).execute();
  for (const change of plan.change)
    await db.updateTable('waterings').set(occurrenceColumns(change)).where('id', '=', change.id).execute();
  await insertOccurrences(db, scheduleId, plan.add, now);
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
    .orderBy('started_at');

export async function completePastOccurrences(
  db: CompanyDb,
  scheduleId: number,
  from: number,
  now: number,
  limit: number,
): Promise<number> {
  const { numUpdatedRows } = await db
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
  (await pastPlannedOccurrences(db, scheduleId, from, now).limit(1).executeTakeFirst()) !== undefined;

export const plannedOccurrenceStats = (db: CompanyDb, scheduleId: number, after: number) =>
  db
    .selectFrom('waterings')
    .select((eb) => [
      eb.fn.countAll<number>().as('count'),
      eb.fn.count<number>('water_mm').as('dosed'),
      eb.fn.min('started_at').as('next'),
    ])
    .where('schedule_id', '=', scheduleId)
    .where('status', '=', 'planned')
    .where('started_at', '>', after)
    .executeTakeFirstOrThrow();
