import type { ExpressionBuilder } from 'kysely';
import { chunksOf, groupBy } from '../../domain/groups.ts';
import type { Dose } from '../../domain/irrigation/dose.ts';
import { firstOf } from '../../domain/items.ts';
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

const ROWS_PER_UPDATE = 200;

/** Waterings with the same dose, of which a schedule has hundreds, are updated together. */
export async function setDoses(
  db: CompanyDb,
  doses: readonly { readonly id: number; readonly dose: Dose }[],
): Promise<void> {
  const columns = doses.map(({ id, dose }) => ({ id, columns: doseColumns(dose) }));
  for (const [, equal] of groupBy(columns, (each) => JSON.stringify(each.columns)))
    for (const chunk of chunksOf(equal, ROWS_PER_UPDATE))
      await db
        .updateTable('waterings')
        .set(firstOf(chunk).columns)
        .where(
          'id',
          'in',
          chunk.map(({ id }) => id),
        )
        .execute();
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
export async function incompleteRecordedWaterings(
  db: CompanyDb,
  moduleIds: readonly number[],
  now: number,
): Promise<Watering[]> {
  const found: Watering[] = [];
  for (const moduleId of moduleIds)
    found.push(...(await incompleteRecordedRows(db, moduleId, now)).map(toWatering));
  return found;
}

/** Of one probe, so that SQLite does not block the event loop for long. */
const incompleteRecordedRows = preparedQuery((db, moduleId: number, now: number) =>
  incompleteRows(db)
    .where('module_id', '=', moduleId)
    .where((eb) => eb.or([eb('started_at', '<=', now), isManual(eb)])),
);

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
 * Waterings of the probe with a dose that start in [from, to); a null `to` means no end. Excludes
 * planned occurrences after `now`, whose dose is recomputed when the equipment changes.
 */
export async function recordedDoses(
  db: CompanyDb,
  moduleId: number,
  { from, to, now }: { from: number; to: number | null; now: number },
): Promise<Watering[]> {
  const end = to ?? Number.MAX_SAFE_INTEGER;
  const past = await dosedRows(db, moduleId, from, Math.min(end, now + 1));
  const ahead = await manualDosedRows(db, moduleId, Math.max(from, now + 1), end);
  return [...past, ...ahead].map(toWatering);
}

const dosedWaterings = (db: CompanyDb, moduleId: number, start: number, end: number) =>
  db
    .selectFrom('waterings')
    .selectAll()
    .where('module_id', '=', moduleId)
    .where('started_at', '>=', start)
    .where('started_at', '<', end)
    .where('water_mm', 'is not', null);

const dosedRows = preparedQuery(dosedWaterings);

const manualDosedRows = preparedQuery((db, moduleId: number, start: number, end: number) =>
  dosedWaterings(db, moduleId, start, end).where(isManual),
);
