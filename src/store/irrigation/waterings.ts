import type { ExpressionBuilder } from 'kysely';
import type { Dose } from '../../domain/irrigation/dose.ts';
import { preparedInsert, preparedQuery } from '../queries/prepared-query.ts';
import type { CompanyDb, CompanyTables } from '../tables.ts';
import { doseColumns, toWatering, type Watering, wateringColumns } from './watering-columns.ts';

const insertWateringRow = preparedInsert((db, row: ReturnType<typeof wateringColumns>) =>
  db.insertInto('waterings').values(row).returning('id'),
);

export async function insertWatering(
  db: CompanyDb,
  watering: Omit<Watering, 'id'>,
): Promise<Watering> {
  return { id: await insertWateringRow(db, wateringColumns(watering)), ...watering };
}

export async function updateWatering(db: CompanyDb, watering: Watering): Promise<void> {
  await db
    .updateTable('waterings')
    .set(wateringColumns(watering))
    .where('id', '=', watering.id)
    .execute();
}

export async function setDose(db: CompanyDb, id: number, dose: Dose): Promise<void> {
  await db.updateTable('waterings').set(doseColumns(dose)).where('id', '=', id).execute();
}

export async function wateringById(db: CompanyDb, id: number): Promise<Watering | null> {
  const row = await db.selectFrom('waterings').selectAll().where('id', '=', id).executeTakeFirst();
  return row ? toWatering(row) : null;
}

/**
 * The waterings of one irrigation of a parcel. `irrigationId` is the id of the first of them, which
 * is the lowest.
 */
export const wateringsOfIrrigation = async (
  db: CompanyDb,
  irrigationId: number,
): Promise<Watering[]> =>
  (
    await db
      .selectFrom('waterings')
      .selectAll()
      .where('id', '>=', irrigationId)
      .where('irrigation_id', '=', irrigationId)
      .orderBy('id')
      .execute()
  ).map(toWatering);

/** Entered or edited by a person. A partial index has the same condition. */
const isManual = (eb: ExpressionBuilder<CompanyTables, 'waterings'>) =>
  eb.or([eb('schedule_id', 'is', null), eb('is_detached', '=', eb.lit(1))]);

const incompleteRows = (db: CompanyDb) =>
  db
    .selectFrom('waterings')
    .selectAll()
    .where((eb) => eb.or([eb('water_mm', 'is', null), eb('dose_installation_id', 'is', null)]))
    .orderBy('started_at')
    .orderBy('id');

const incompleteRowsOfModule = preparedQuery((db, moduleId: number) =>
  incompleteRows(db).where('module_id', '=', moduleId),
);

/**
 * The probe's waterings without a dose, or with a dose that was computed without a setup, oldest
 * first.
 */
export const incompleteWaterings = async (db: CompanyDb, moduleId: number): Promise<Watering[]> =>
  (await incompleteRowsOfModule(db, moduleId)).map(toWatering);

/**
 * Excludes planned occurrences after `now`, whose dose is recomputed when the equipment changes.
 */
export const incompleteRecordedWaterings = async (
  db: CompanyDb,
  moduleIds: readonly number[],
  now: number,
): Promise<Watering[]> =>
  moduleIds.length === 0
    ? []
    : (
        await incompleteRows(db)
          .where('module_id', 'in', moduleIds)
          .where((eb) => eb.or([eb('started_at', '<=', now), isManual(eb)]))
          .execute()
      ).map(toWatering);

export const incompleteWateringsOfIrrigations = async (
  db: CompanyDb,
  irrigationIds: readonly number[],
): Promise<Watering[]> =>
  irrigationIds.length === 0
    ? []
    : (
        await incompleteRows(db)
          .where('id', '>=', Math.min(...irrigationIds))
          .where('irrigation_id', 'in', irrigationIds)
          .execute()
      ).map(toWatering);

/**
 * Waterings of the probes with a dose that start in [from, to); a null `to` means no end. Excludes
 * planned occurrences after `now`, whose dose is recomputed when the equipment changes.
 */
export async function recordedDoses(
  db: CompanyDb,
  moduleIds: readonly number[],
  { from, to, now }: { from: number; to: number | null; now: number },
): Promise<Watering[]> {
  if (moduleIds.length === 0) return [];

  const dosed = (start: number, end: number) =>
    db
      .selectFrom('waterings')
      .selectAll()
      .where('module_id', 'in', moduleIds)
      .where('started_at', '>=', start)
      .where('started_at', '<', end)
      .where('water_mm', 'is not', null);

  const end = to ?? Number.MAX_SAFE_INTEGER;
  const past = await dosed(from, Math.min(end, now + 1)).execute();
  const ahead = await dosed(Math.max(from, now + 1), end)
    .where(isManual)
    .execute();

  return [...past, ...ahead].map(toWatering);
}
