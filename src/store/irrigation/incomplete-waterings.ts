import type { ExpressionBuilder } from 'kysely';
import { preparedQuery } from '../queries/prepared-query.ts';
import type { CompanyDb, CompanyTables } from '../tables.ts';
import type { PendingDoses } from './pending-doses.ts';
import {
  type StoredWatering,
  toStoredWaterings,
  toWaterings,
  type Watering,
} from './watering-columns.ts';

// Waterings without a dose, or with a dose that was computed without a setup.

type Waterings = ExpressionBuilder<CompanyTables, 'waterings'>;

/** A partial index has the same condition. */
const isIncomplete = (eb: Waterings) =>
  eb.or([eb('water_mm', 'is', null), eb('dose_installation_id', 'is', null)]);

/** Entered by a person, or an occurrence that one edited. A partial index has the same condition. */
export const isManual = (eb: Waterings) =>
  eb.or([eb('schedule_id', 'is', null), eb('is_detached', '=', eb.lit(1))]);

const isOfParcel = (eb: Waterings) =>
  eb.and([eb('irrigation_id', 'is not', null), eb('input_mode', '=', 'volume_m3')]);

/** Not an occurrence that is still planned: that one gets its dose with its schedule. */
const isRecordedAt = (changedAt: number) => (eb: Waterings) =>
  eb.or([eb('started_at', '<=', changedAt), isManual(eb)]);

const incompleteRows = (db: CompanyDb) =>
  db
    .selectFrom('waterings')
    .selectAll()
    .where(isIncomplete)
    .orderBy('module_id')
    .orderBy('started_at')
    .orderBy('id');

const incompleteRowsOfModule = preparedQuery((db, moduleId: number) =>
  incompleteRows(db).where('module_id', '=', moduleId),
);

/** Oldest first. */
export const incompleteWaterings = async (db: CompanyDb, moduleId: number): Promise<Watering[]> =>
  toWaterings(db, await incompleteRowsOfModule(db, moduleId));

/** Of parcels that have no probe, oldest first. */
export const incompleteWateringsOfParcels = async (
  db: CompanyDb,
  parcelIds: readonly number[],
): Promise<StoredWatering[]> =>
  parcelIds.length === 0
    ? []
    : toStoredWaterings(db, await incompleteRows(db).where('parcel_id', 'in', parcelIds).execute());

/** Oldest first. */
export async function incompleteWateringsAmong(
  db: CompanyDb,
  { moduleId, waterings, changedAt, after }: PendingDoses,
  limit: number,
): Promise<Watering[]> {
  let query = incompleteRows(db).where('module_id', '=', moduleId).limit(limit);
  if (waterings === 'recorded') query = query.where(isRecordedAt(changedAt));
  if (waterings === 'of_parcel') query = query.where(isOfParcel);
  if (after !== null)
    query = query
      .where('started_at', '>=', after.startedAt)
      .where((eb) => eb.or([eb('started_at', '>', after.startedAt), eb('id', '>', after.id)]));

  return toWaterings(db, await query.execute());
}

/** The probes that have any of these. */
export async function probesWithIncompleteWaterings(
  db: CompanyDb,
  moduleIds: readonly number[],
  { waterings, changedAt }: Pick<PendingDoses, 'waterings' | 'changedAt'>,
): Promise<number[]> {
  if (moduleIds.length === 0) return [];
  let query = db
    .selectFrom('waterings')
    .select('module_id')
    .distinct()
    .where(isIncomplete)
    .where('module_id', 'in', moduleIds)
    .orderBy('module_id');
  if (waterings === 'recorded') query = query.where(isRecordedAt(changedAt));
  const rows = await query.$narrowType<{ module_id: number }>().execute();
  return rows.map((row) => row.module_id);
}

/**
 * Other probes with incomplete waterings, if they share the volume of a parcel with incomplete ones
 * of these probes.
 */
export async function probesSharingIrrigations(
  db: CompanyDb,
  moduleIds: readonly number[],
): Promise<number[]> {
  if (moduleIds.length === 0) return [];
  const irrigations = db
    .selectFrom('waterings')
    .select('irrigation_id')
    .where(isIncomplete)
    .where(isOfParcel)
    .where('module_id', 'in', moduleIds);
  if ((await irrigations.limit(1).execute()).length === 0) return [];

  const rows = await db
    .selectFrom('waterings')
    .select('module_id')
    .distinct()
    .where(isIncomplete)
    .where('irrigation_id', 'in', irrigations)
    .where('module_id', 'not in', moduleIds)
    .orderBy('module_id')
    .$narrowType<{ module_id: number }>()
    .execute();
  return rows.map((row) => row.module_id);
}
