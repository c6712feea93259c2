import { sql } from 'kysely';
import { roundAmountOrNull } from '../../domain/decimal.ts';
import type { ParcelWateringFacts } from '../../domain/facts/watering-facts.ts';
import type { WateringStatus } from '../../schema/irrigation/watering.ts';
import type { CompanyDb } from '../tables.ts';
import { statusOnceRun } from './due-waterings.ts';
import { isOfParcel, type ParcelWatering, toStoredWaterings } from './watering-columns.ts';
import { factRows, toFacts, type WateringPeriod } from './watering-facts.ts';
import type { WateringKey, WateringPart } from './watering-slices.ts';

// Waterings of parcels that had no probe. There is one where other parcels have one for each probe,
// so that a statement may read all that it needs.

export interface ParcelWateringFilter {
  readonly parcelId?: number | undefined;
  readonly scheduleId?: number | undefined;
  readonly status?: WateringStatus | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** Relative to `now`, which it requires. */
  readonly part?: WateringPart | undefined;
  readonly now?: number | undefined;
}

function filteredRows(db: CompanyDb, filter: ParcelWateringFilter) {
  const { parcelId, scheduleId, status, from, to, part, now = 0 } = filter;
  let query = db.selectFrom('waterings').where('parcel_id', 'is not', null);
  if (parcelId !== undefined) query = query.where('parcel_id', '=', parcelId);
  if (scheduleId !== undefined) query = query.where('schedule_id', '=', scheduleId);
  // The index by status has the waterings of all probes too.
  if (status !== undefined) query = query.where(sql`${sql.ref('status')} || ''`, '=', status);
  if (from !== undefined) query = query.where('started_at', '>=', from);
  if (to !== undefined) query = query.where('started_at', '<', to);
  if (part === 'begun') query = query.where('started_at', '<=', now);
  if (part === 'ahead') query = query.where('started_at', '>', now);
  return query;
}

/** Newest start first; those that are ahead come nearest first. */
export async function parcelWateringsAfter(
  db: CompanyDb,
  filter: ParcelWateringFilter,
  after: WateringKey | null,
  limit: number,
): Promise<ParcelWatering[]> {
  const direction = filter.part === 'ahead' ? 'asc' : 'desc';
  let query = filteredRows(db, filter).selectAll();
  if (after !== null)
    query = query.where((eb) =>
      eb(
        eb.refTuple('started_at', 'id'),
        direction === 'asc' ? '>' : '<',
        eb.tuple(after.startedAt, after.id),
      ),
    );
  const rows = await query
    .orderBy('started_at', direction)
    .orderBy('id', direction)
    .limit(limit)
    .execute();
  return (await toStoredWaterings(db, rows)).filter(isOfParcel);
}

export interface ParcelWateringSums {
  readonly parcelId: number;
  readonly waterings: number;
  /** By now, or due to count as done; the other figures are theirs. */
  readonly done: number;
  readonly withoutDose: number;
  readonly waterMm: number | null;
}

/** Of each parcel. */
export async function sumParcelWaterings(
  db: CompanyDb,
  filter: ParcelWateringFilter,
  now: number,
): Promise<ParcelWateringSums[]> {
  const rows = filteredRows(db, filter).select((eb) => {
    const ifDone = eb.case().when(statusOnceRun(eb, now), '=', 'done');
    return [
      'parcel_id as parcelId',
      ifDone.then(eb.lit(1)).end().as('done'),
      ifDone.then(eb.ref('water_mm')).end().as('doneMm'),
    ];
  });
  const sums = await db
    .selectFrom(rows.as('rows'))
    .select(({ fn }) => [
      'parcelId',
      fn.countAll<number>().as('waterings'),
      fn.count<number>('done').as('done'),
      fn.count<number>('doneMm').as('withDose'),
      fn.sum<number | null>('doneMm').as('waterMm'),
    ])
    .groupBy('parcelId')
    .orderBy('parcelId')
    .$narrowType<{ parcelId: number }>()
    .execute();

  return sums.map(({ withDose, ...sum }) => ({
    ...sum,
    withoutDose: sum.done - withDose,
    waterMm: roundAmountOrNull(sum.waterMm),
  }));
}

/** Oldest start first; null stands for all parcels. */
export async function parcelWateringFacts(
  db: CompanyDb,
  parcelIds: readonly number[] | null,
  { from, to, status }: WateringPeriod,
  now: number,
): Promise<ParcelWateringFacts[]> {
  if (parcelIds?.length === 0) return [];
  const all = db.selectFrom('waterings').where('parcel_id', 'is not', null);
  const rows = (parcelIds === null ? all : all.where('parcel_id', 'in', parcelIds))
    .where('started_at', '>=', from)
    .where('started_at', '<', to)
    .orderBy('started_at')
    .orderBy('id');
  const ofStatus =
    status === undefined ? rows : rows.where((eb) => eb(statusOnceRun(eb, now), '=', status));
  const found = await factRows(ofStatus, now)
    .select('parcel_id')
    .$narrowType<{ parcel_id: number }>()
    .execute();
  return found.map(({ parcel_id: parcelId, ...row }) => ({ ...toFacts(row), parcelId }));
}
