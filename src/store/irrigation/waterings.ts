import { type ExpressionBuilder, type Selectable, sql } from 'kysely';
import type { Dose } from '../../domain/irrigation/dose.ts';
import { MAX_DURATION_MIN, type WateringInput } from '../../domain/irrigation/watering-amount.ts';
import { MINUTE_MS } from '../../domain/periods.ts';
import type { WateringSource, WateringStatus } from '../../schema/watering.ts';
import { preparedInsert, preparedQuery } from '../prepared-query.ts';
import { type CompanyDb, type CompanyTables, toFlag } from '../tables.ts';
import { amountColumns, toWateringInput } from './amount.ts';

export interface Watering extends WateringInput, Dose {
  readonly id: number;
  readonly moduleId: number;
  readonly scheduleId: number | null;
  readonly isDetached: boolean;
  readonly startedAt: number;
  readonly status: WateringStatus;
  readonly source: WateringSource;
  readonly verifiedAt: number | null;
  readonly note: string | null;
  readonly createdBy: number | null;
  readonly createdAt: number;
  /** The first of the waterings of one irrigation of a parcel, on each of them. */
  readonly blockId: number | null;
}

type WateringRow = Selectable<CompanyTables['waterings']>;

export const toDose = (row: Pick<WateringRow, keyof ReturnType<typeof doseColumns>>): Dose => ({
  waterMm: row.water_mm,
  waterMmWetted: row.water_mm_wetted,
  snapshot:
    row.dose_computed_at === null
      ? null
      : {
          installationId: row.dose_installation_id,
          scope: row.dose_scope,
          system: row.dose_system,
          flowMmPerH: row.dose_flow_mm_per_h,
          fractionWetted: row.dose_fraction_wetted,
          fractionWettedIsDefault: row.dose_fraction_wetted_is_default === 1,
          irrigatedAreaM2: row.dose_irrigated_area_m2,
          computedAt: row.dose_computed_at,
        },
});

export const toWatering = (row: WateringRow): Watering => ({
  id: row.id,
  moduleId: row.module_id,
  scheduleId: row.schedule_id,
  isDetached: row.is_detached === 1,
  startedAt: row.started_at,
  ...toWateringInput(row),
  ...toDose(row),
  status: row.status,
  source: row.source,
  verifiedAt: row.verified_at,
  note: row.note,
  createdBy: row.created_by,
  createdAt: row.created_at,
  blockId: row.block_id,
});

export const doseColumns = ({ waterMm, waterMmWetted, snapshot }: Dose) => ({
  water_mm: waterMm,
  water_mm_wetted: waterMmWetted,
  dose_installation_id: snapshot?.installationId ?? null,
  dose_scope: snapshot?.scope ?? null,
  dose_system: snapshot?.system ?? null,
  dose_flow_mm_per_h: snapshot?.flowMmPerH ?? null,
  dose_fraction_wetted: snapshot?.fractionWetted ?? null,
  dose_fraction_wetted_is_default: toFlag(snapshot?.fractionWettedIsDefault ?? false),
  dose_irrigated_area_m2: snapshot?.irrigatedAreaM2 ?? null,
  dose_computed_at: snapshot?.computedAt ?? null,
});

const wateringColumns = (watering: Omit<Watering, 'id'>) => ({
  module_id: watering.moduleId,
  schedule_id: watering.scheduleId,
  is_detached: toFlag(watering.isDetached),
  started_at: watering.startedAt,
  ...amountColumns(watering),
  ...doseColumns(watering),
  status: watering.status,
  source: watering.source,
  verified_at: watering.verifiedAt,
  note: watering.note,
  created_by: watering.createdBy,
  created_at: watering.createdAt,
  block_id: watering.blockId,
});

const insertWateringRow = preparedInsert((db, row: ReturnType<typeof wateringColumns>) =>
  db.insertInto('waterings').values(row).returning('id'),
);

export async function insertWatering(db: CompanyDb, watering: Omit<Watering, 'id'>): Promise<Watering> {
  return { id: await insertWateringRow(db, wateringColumns(watering)), ...watering };
}

export async function updateWatering(db: CompanyDb, watering: Watering): Promise<void> {
  await db.updateTable('waterings').set(wateringColumns(watering)).where('id', '=', watering.id).execute();
}

export async function setDose(db: CompanyDb, id: number, dose: Dose): Promise<void> {
  await db.updateTable('waterings').set(doseColumns(dose)).where('id', '=', id).execute();
}

export async function wateringById(db: CompanyDb, id: number): Promise<Watering | null> {
  const row = await db.selectFrom('waterings').selectAll().where('id', '=', id).executeTakeFirst();
  return row ? toWatering(row) : null;
}

/** Of one irrigation of a parcel; the first, after which the block is named, has the lowest id. */
export const wateringsOfBlock = async (db: CompanyDb, blockId: number): Promise<Watering[]> =>
  (
    await db
      .selectFrom('waterings')
      .selectAll()
      .where('id', '>=', blockId)
      .where('block_id', '=', blockId)
      .orderBy('id')
      .execute()
  ).map(toWatering);

const wateringsStartingWithin = preparedQuery((db, moduleId: number, from: number, to: number, exceptId: number) =>
  db
    .selectFrom('waterings')
    .select(['id', 'module_id as moduleId', 'started_at as startedAt', 'duration_min as durationMin', 'status'])
    .where('module_id', '=', moduleId)
    .where('started_at', '>', from)
    .where('started_at', '<', to)
    .where('id', '!=', exceptId)
    .where('status', '!=', 'skipped')
    .orderBy('started_at')
    .orderBy('id'),
);

export type OverlappingWatering = Awaited<ReturnType<typeof wateringsStartingWithin>>[number];

type WateringPeriod = Pick<Watering, 'startedAt' | 'durationMin'>;

/** Without a duration a watering is at its start. */
const endOf = ({ startedAt, durationMin }: WateringPeriod): number =>
  startedAt + Math.max(1, (durationMin ?? 0) * MINUTE_MS);

/** Those of the probe that run at the same time and are not skipped, in order. */
export async function overlappingWaterings(
  db: CompanyDb,
  moduleId: number,
  watering: WateringPeriod,
  exceptId = 0,
): Promise<OverlappingWatering[]> {
  const earliest = watering.startedAt - MAX_DURATION_MIN * MINUTE_MS;
  const rows = await wateringsStartingWithin(db, moduleId, earliest, endOf(watering), exceptId);
  return rows.filter((row) => endOf(row) > watering.startedAt);
}

/** Also the condition of an index. */
const isByHand = (eb: ExpressionBuilder<CompanyTables, 'waterings'>) =>
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

/** The probe's waterings without a dose, or with one that was computed without a setup; oldest first. */
export const incompleteWaterings = async (db: CompanyDb, moduleId: number): Promise<Watering[]> =>
  (await incompleteRowsOfModule(db, moduleId)).map(toWatering);

/** Without planned occurrences after `now` (ms), whose dose follows their equipment. */
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
          .where((eb) => eb.or([eb('started_at', '<=', now), isByHand(eb)]))
          .execute()
      ).map(toWatering);

export const incompleteWateringsOfBlocks = async (db: CompanyDb, blockIds: readonly number[]): Promise<Watering[]> =>
  blockIds.length === 0
    ? []
    : (
        await incompleteRows(db)
          .where('id', '>=', Math.min(...blockIds))
          .where('block_id', 'in', blockIds)
          .execute()
      ).map(toWatering);

/**
 * Waterings of probes with a dose that start in [from, to), in ms; `to` null for no end. Without planned occurrences
 * after `now`, whose dose follows their equipment.
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
    .where(isByHand)
    .execute();
  return [...past, ...ahead].map(toWatering);
}

export interface WateringFilter {
  readonly moduleId?: number | undefined;
  readonly parcelId?: number | undefined;
  readonly scheduleId?: number | undefined;
  readonly status?: WateringStatus | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** As of `now`, in ms. What counts as done has begun, by a clock that was ahead. */
  readonly part?: WateringPart;
  readonly now?: number;
}

export type WateringPart = 'begun' | 'ahead';

function filteredWaterings(db: CompanyDb, filter: WateringFilter) {
  let query = db.selectFrom('waterings');
  if (filter.moduleId !== undefined) query = query.where('module_id', '=', filter.moduleId);
  if (filter.parcelId !== undefined)
    query = query.where('module_id', 'in', (eb) =>
      eb.selectFrom('modules').select('modules.id').where('modules.parcel_id', '=', filter.parcelId!),
    );
  if (filter.scheduleId !== undefined) query = query.where('schedule_id', '=', filter.scheduleId);
  if (filter.status !== undefined) query = query.where('status', '=', filter.status);
  if (filter.from !== undefined) query = query.where('started_at', '>=', filter.from);
  if (filter.to !== undefined) query = query.where('started_at', '<', filter.to);
  const { part, now = 0 } = filter;
  if (part === 'begun') query = query.where((eb) => eb.or([eb('started_at', '<=', now), eb('status', '=', 'done')]));
  if (part === 'ahead') query = query.where('started_at', '>', now).where('status', '!=', 'done');
  return query;
}

/** The newest start first, but what is ahead nearest first. */
export async function wateringsAfter(
  db: CompanyDb,
  filter: WateringFilter,
  after: { startedAt: number; id: number } | null,
  limit: number,
): Promise<Watering[]> {
  const [direction, follows] = filter.part === 'ahead' ? (['asc', '>'] as const) : (['desc', '<'] as const);
  let query = filteredWaterings(db, filter)
    .selectAll()
    .orderBy('started_at', direction)
    .orderBy('id', direction)
    .limit(limit);
  if (after)
    query = query.where((eb) =>
      eb.or([
        eb('started_at', follows, after.startedAt),
        eb.and([eb('started_at', '=', after.startedAt), eb('id', follows, after.id)]),
      ]),
    );
  return (await query.execute()).map(toWatering);
}

/** By module id, the newest start of a watering that is done, up to an instant (ms); modules without any are left out. */
export async function newestDoneStarts(db: CompanyDb, until: number): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom('modules')
    .select((module) => [
      'id',
      module
        .selectFrom('waterings')
        .whereRef('waterings.module_id', '=', 'modules.id')
        .where('status', '=', 'done')
        .where('started_at', '<=', until)
        .select(({ fn }) => fn.max<number | null>('started_at').as('at'))
        .as('startedAt'),
    ])
    .execute();
  return new Map(rows.flatMap(({ id, startedAt }) => (startedAt === null ? [] : [[id, startedAt] as const])));
}

export interface DoseSums {
  readonly status: WateringStatus;
  readonly moduleId: number;
  readonly count: number;
  readonly withoutDose: number;
  /** Null if all are without a dose. */
  readonly waterMm: number | null;
  /** Null if no dose has a figure for the wetted zone; where the whole area is wetted, both are the same. */
  readonly waterMmWetted: number | null;
}

/** By status and module, whatever the page. */
export async function doseSums(db: CompanyDb, filter: WateringFilter): Promise<DoseSums[]> {
  const rows = await filteredWaterings(db, filter)
    .select((eb) => [
      'status',
      'module_id as moduleId',
      eb.fn.countAll<number>().as('count'),
      eb.fn.count<number>('water_mm').as('withDose'),
      eb.fn.count<number>('water_mm_wetted').as('withWetted'),
      eb.fn.sum<number | null>('water_mm').as('waterMm'),
      eb.fn
        .sum<number | null>(
          eb.case().when('dose_fraction_wetted', '=', 1).then(eb.ref('water_mm')).else(eb.ref('water_mm_wetted')).end(),
        )
        .as('waterMmWetted'),
    ])
    .groupBy(['status', 'module_id'])
    .orderBy('module_id')
    .execute();
  return rows.map(({ withDose, withWetted, waterMmWetted, ...row }) => ({
    ...row,
    withoutDose: row.count - withDose,
    waterMmWetted: withWetted === 0 ? null : waterMmWetted,
  }));
}

export interface IrrigationSums {
  readonly status: WateringStatus;
  readonly irrigations: number;
  readonly minutes: number | null;
  readonly withoutDuration: number;
  readonly volumeM3: number | null;
  readonly withoutVolume: number;
}

/**
 * By status. Waterings of one irrigation of a parcel, entered at once or planned by one schedule for the same time, have
 * one run time and one volume, the largest among them. A volume is as entered, or follows from dose and area.
 */
export async function irrigationSums(db: CompanyDb, filter: WateringFilter): Promise<IrrigationSums[]> {
  const volume = sql<number | null>`coalesce(input_volume_m3, water_mm * dose_irrigated_area_m2 / 1000.0)`;
  const irrigations = filteredWaterings(db, filter)
    .select((eb) => [
      'status',
      eb.fn.max<number | null>('duration_min').as('minutes'),
      eb.fn.max<number | null>(volume).as('volume'),
    ])
    .groupBy([
      'status',
      sql`coalesce(block_id, case when slot is null then id end)`,
      sql`case when block_id is null and slot is not null then schedule_id end`,
      sql`case when block_id is null then slot end`,
    ])
    .as('irrigations');
  const rows = await db
    .selectFrom(irrigations)
    .select(({ fn }) => [
      'status',
      fn.countAll<number>().as('irrigations'),
      fn.sum<number | null>('minutes').as('minutes'),
      fn.count<number>('minutes').as('withDuration'),
      fn.sum<number | null>('volume').as('volumeM3'),
      fn.count<number>('volume').as('withVolume'),
    ])
    .groupBy('status')
    .execute();
  return rows.map(({ withDuration, withVolume, ...row }) => ({
    ...row,
    withoutDuration: row.irrigations - withDuration,
    withoutVolume: row.irrigations - withVolume,
  }));
}
