import { chunksOf, groupBy } from '../../domain/groups.ts';
import type { Dose } from '../../domain/irrigation/dose.ts';
import { entryOf, firstOf } from '../../domain/items.ts';
import { preparedInsert, preparedQuery, preparedRowInserts } from '../queries/prepared-query.ts';
import { recordWholeRows } from '../scope/company-db.ts';
import type { CompanyDb } from '../tables.ts';
import { isManual } from './incomplete-waterings.ts';
import { withSharedNote } from './irrigation-notes.ts';
import {
  doseColumns,
  type StoredWatering,
  toStoredWaterings,
  toWaterings,
  type Watering,
  wateringColumns,
} from './watering-columns.ts';
import { onTarget, type WateringTarget } from './watering-target.ts';

export type NewWateringRow = ReturnType<typeof wateringColumns>;

const insertWateringRow = preparedInsert((db, row: NewWateringRow) =>
  db.insertInto('waterings').values(row).returning('id'),
);

export const insertWatering = async <New extends Omit<StoredWatering, 'id'>>(
  db: CompanyDb,
  watering: New,
): Promise<New & { readonly id: number }> => ({
  ...watering,
  id: await insertWateringRow(db, wateringColumns(watering)),
});

/** Rows of one statement, largest first. */
const INSERT_SIZES = [50, 10, 1];

const insertWateringRows = preparedRowInserts(INSERT_SIZES, (db, rows: readonly NewWateringRow[]) =>
  db.insertInto('waterings').values(rows).returning(['id', 'module_id']),
);

/**
 * Inserts one watering of each probe, and returns their ids. That of the first becomes the
 * `irrigation_id` of all.
 */
export async function insertParcelIrrigation(
  db: CompanyDb,
  rows: readonly NewWateringRow[],
): Promise<number[]> {
  const [first, ...others] = await withSharedNote(db, rows);
  if (first === undefined) return [];

  // Its own id is known only after it is stored.
  const irrigationId = await insertWateringRow(db, first);
  await db
    .updateTable('waterings')
    .set({ irrigation_id: irrigationId })
    .where('id', '=', irrigationId)
    .execute();

  const ofIrrigation = others.map((row) => ({ ...row, irrigation_id: irrigationId }));
  const inserted = await insertWateringRows(db, ofIrrigation);
  const ids = new Map(inserted.map(({ id, module_id }) => [module_id, id]));
  const stored = ofIrrigation.map((row) => ({ id: entryOf(ids, row.module_id), ...row }));
  recordWholeRows(db, 'waterings', stored);
  return [irrigationId, ...stored.map(({ id }) => id)];
}

export async function updateWatering(db: CompanyDb, watering: StoredWatering): Promise<void> {
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

/** On a probe, or of a parcel. */
export async function storedWateringById(
  db: CompanyDb,
  id: number,
): Promise<StoredWatering | null> {
  const rows = await db.selectFrom('waterings').selectAll().where('id', '=', id).execute();
  const [watering = null] = await toStoredWaterings(db, rows);
  return watering;
}

/**
 * The waterings of one irrigation of a parcel. `irrigationId` is the id of the first of them, which
 * is the lowest.
 */
export const wateringsOfIrrigation = async (
  db: CompanyDb,
  irrigationId: number,
): Promise<Watering[]> =>
  toWaterings(
    db,
    await db
      .selectFrom('waterings')
      .selectAll()
      .where('id', '>=', irrigationId)
      .where('irrigation_id', '=', irrigationId)
      .orderBy('id')
      .execute(),
  );

/**
 * Waterings of the target with a dose that start in [from, to); a null `to` means no end. Excludes
 * planned occurrences after `now`, whose dose is recomputed when the equipment changes. At most
 * `limit`.
 */
export async function recordedDoses(
  db: CompanyDb,
  target: WateringTarget,
  { from, to, now }: { from: number; to: number | null; now: number },
  limit: number,
): Promise<StoredWatering[]> {
  const [read, id] = onTarget(target, dosesOfProbe, dosesOfParcel);
  const end = to ?? Number.MAX_SAFE_INTEGER;
  const past = await read.begun(db, id, from, Math.min(end, now + 1), limit);
  const remaining = limit - past.length;
  const start = Math.max(from, now + 1);
  const ahead = remaining > 0 ? await read.byHand(db, id, start, end, remaining) : [];
  return toStoredWaterings(db, [...past, ...ahead]);
}

const dosedRowsBy = (column: 'module_id' | 'parcel_id') => {
  const dosedWaterings = (db: CompanyDb, id: number, start: number, end: number, limit: number) =>
    db
      .selectFrom('waterings')
      .selectAll()
      .where(column, '=', id)
      .where('started_at', '>=', start)
      .where('started_at', '<', end)
      .where('water_mm', 'is not', null)
      .limit(limit);

  return {
    begun: preparedQuery(dosedWaterings),
    byHand: preparedQuery((db, id: number, start: number, end: number, limit: number) =>
      dosedWaterings(db, id, start, end, limit).where(isManual),
    ),
  };
};

const dosesOfProbe = dosedRowsBy('module_id');
const dosesOfParcel = dosedRowsBy('parcel_id');
