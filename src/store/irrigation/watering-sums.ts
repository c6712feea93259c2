import { type ExpressionBuilder, sql } from 'kysely';
import type { WateringStatus } from '../../schema/irrigation/watering.ts';
import { rowCount } from '../statistics.ts';
import type { CompanyDb, CompanyTables } from '../tables.ts';
import {
  filteredRows,
  inSlices,
  slicesByModule,
  sourcesOf,
  unindexed,
  type WateringFilter,
  type WateringSlice,
  wholeSource,
} from './watering-slices.ts';

export interface DoseSums {
  readonly status: WateringStatus;
  readonly moduleId: number;
  readonly count: number;
  readonly withoutDose: number;
  /** Null if no watering has a dose. */
  readonly waterMm: number | null;
  /** Null if no dose has one. Where the whole area is wetted, both values are equal. */
  readonly waterMmWetted: number | null;
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
 * `doses` are the sums of each status and module, in the order of the modules; `irrigations` are
 * those of each status. Waterings of one irrigation of a parcel, entered together or planned by one
 * schedule for the same time, share one run time and one volume: the largest among them. A volume
 * is as entered, or computed from dose and area.
 */
export async function sumWaterings(
  db: CompanyDb,
  filter: WateringFilter,
): Promise<{ doses: DoseSums[]; irrigations: IrrigationSums[] }> {
  const isOfOneModule = filter.moduleId !== undefined;
  const sharedSchedules = isOfOneModule ? [] : await schedulesOfSeveralModules(db, filter);
  const sums = new WateringSums();

  for await (const slice of slicesByModule(db, filter)) {
    const query = { slice, filter, sharedSchedules };
    const rows = await sumsByModule(db, query);
    sums.add(rows);
    if (rows.some(({ isSingle }) => isSingle === 0)) sums.addShared(await irrigationsIn(db, query));
  }

  return { doses: sums.doses(), irrigations: sums.irrigations() };
}

export async function wateringCount(db: CompanyDb, filter: WateringFilter): Promise<number> {
  let count = 0;
  for await (const slice of inSlices(db, sourcesOf(filter).map(wholeSource), filter))
    count += await rowCount(filteredRows(db, slice, filter));
  return count;
}

/** The longest list of schedules in a statement. */
const MAX_SHARED = 500;

/** Null if there are more than MAX_SHARED. */
async function schedulesOfSeveralModules(
  db: CompanyDb,
  { scheduleId }: WateringFilter,
): Promise<readonly number[] | null> {
  let query = db
    .selectFrom('schedules')
    .select((schedule) => [
      'id',
      ...(['asc', 'desc'] as const).map((direction) =>
        schedule
          .selectFrom('waterings')
          .whereRef('waterings.schedule_id', '=', 'schedules.id')
          .select('module_id')
          .orderBy('module_id', direction)
          .limit(1)
          .as(direction),
      ),
    ]);
  if (scheduleId !== undefined) query = query.where('id', '=', scheduleId);

  const rows = await query.execute();
  const shared = rows.filter((row) => row.asc !== row.desc).map(({ id }) => id);
  return shared.length > MAX_SHARED ? null : shared;
}

type Waterings = ExpressionBuilder<CompanyTables, 'waterings'>;

/** Schedules with waterings on several modules; null if they are too many for a list. */
type SharedSchedules = readonly number[] | null;

/** A watering that is an irrigation by itself, whatever other waterings there are. */
function isSingle(eb: Waterings, sharedSchedules: SharedSchedules) {
  const isOfOneProbe = eb('irrigation_id', 'is', null);
  if (sharedSchedules?.length === 0) return isOfOneProbe;

  const isUnscheduled = eb('scheduled_start', 'is', null);
  if (sharedSchedules === null) return eb.and([isOfOneProbe, isUnscheduled]);

  const isOfOwnSchedule = eb('schedule_id', 'not in', sharedSchedules);
  return eb.and([isOfOneProbe, eb.or([isUnscheduled, isOfOwnSchedule])]);
}

/** Null for a watering of a parcel irrigation, which it belongs to in the first place. */
const ofOccurrence = (eb: Waterings, column: 'schedule_id' | 'scheduled_start') =>
  eb.case().when('irrigation_id', 'is', null).then(eb.ref(column)).end();

interface SliceQuery {
  readonly slice: WateringSlice;
  readonly filter: WateringFilter;
  readonly sharedSchedules: SharedSchedules;
}

/** The entered volume, in m3, or the one that follows from dose and area. */
const VOLUME = sql<number | null>`coalesce(
  input_volume_m3, water_mm * dose_irrigated_area_m2 / 1000.0)`;

function rowsToSum(db: CompanyDb, { slice, filter, sharedSchedules }: SliceQuery) {
  const rows = filteredRows(db, slice, filter).select((eb) => [
    'status',
    // Otherwise SQLite reads all rows in the order of the modules, to spare itself the sorting.
    unindexed('module_id').as('module_id'),
    'irrigation_id',
    ofOccurrence(eb, 'schedule_id').as('schedule_id'),
    ofOccurrence(eb, 'scheduled_start').as('scheduled_start'),
    'water_mm',
    'water_mm_wetted',
    eb
      .case()
      .when('dose_fraction_wetted', '=', eb.lit(1))
      .then(eb.ref('water_mm'))
      .else(eb.ref('water_mm_wetted'))
      .end()
      .as('wetted'),
    'duration_min',
    VOLUME.as('volume'),
    eb
      .case()
      .when(isSingle(eb, sharedSchedules))
      .then(eb.lit(1))
      .else(eb.lit(0))
      .end()
      .as('is_single'),
  ]);

  return db.selectFrom(rows.as('rows'));
}

type ModuleSums = Awaited<ReturnType<typeof sumsByModule>>[number];

const sumsByModule = (db: CompanyDb, query: SliceQuery) =>
  rowsToSum(db, query)
    .select(({ fn }) => [
      'status',
      'module_id as moduleId',
      'is_single as isSingle',
      fn.countAll<number>().as('count'),
      fn.count<number>('water_mm').as('withDose'),
      fn.count<number>('water_mm_wetted').as('withWetted'),
      fn.sum<number | null>('water_mm').as('waterMm'),
      fn.sum<number | null>('wetted').as('wettedMm'),
      fn.sum<number | null>('duration_min').as('minutes'),
      fn.count<number>('duration_min').as('withDuration'),
      fn.sum<number | null>('volume').as('volume'),
      fn.count<number>('volume').as('withVolume'),
    ])
    .groupBy(['status', 'module_id', 'is_single'])
    .execute();

type Irrigation = Awaited<ReturnType<typeof irrigationsIn>>[number];

/** Each with the largest figures of its waterings in the slice; other slices may have more. */
const irrigationsIn = (db: CompanyDb, query: SliceQuery) =>
  rowsToSum(db, query)
    .select(({ fn }) => [
      'status',
      'irrigation_id as irrigationId',
      'schedule_id as scheduleId',
      'scheduled_start as scheduledStart',
      fn.max<number | null>('duration_min').as('minutes'),
      fn.max<number | null>('volume').as('volume'),
    ])
    .where('is_single', '=', 0)
    .groupBy(['status', 'irrigation_id', 'schedule_id', 'scheduled_start'])
    .execute();

/** Null if neither has a figure. */
const sumOf = (a: number | null, b: number | null): number | null => {
  if (a === null || b === null) return a ?? b;
  return a + b;
};

const largest = (a: number | null, b: number | null): number | null => {
  if (a === null || b === null) return a ?? b;
  return Math.max(a, b);
};

interface Doses {
  readonly count: number;
  readonly withDose: number;
  readonly withWetted: number;
  readonly waterMm: number | null;
  readonly wettedMm: number | null;
}

const addDoses = (a: Doses, b: Doses): Doses => ({
  count: a.count + b.count,
  withDose: a.withDose + b.withDose,
  withWetted: a.withWetted + b.withWetted,
  waterMm: sumOf(a.waterMm, b.waterMm),
  wettedMm: sumOf(a.wettedMm, b.wettedMm),
});

interface IrrigationFigures {
  readonly minutes: number | null;
  readonly volume: number | null;
}

interface Irrigations extends IrrigationFigures {
  readonly count: number;
  readonly withDuration: number;
  readonly withVolume: number;
}

const NO_FIGURES: IrrigationFigures = { minutes: null, volume: null };
const NO_IRRIGATIONS: Irrigations = { ...NO_FIGURES, count: 0, withDuration: 0, withVolume: 0 };

const addIrrigations = (a: Irrigations, b: Irrigations): Irrigations => ({
  count: a.count + b.count,
  minutes: sumOf(a.minutes, b.minutes),
  withDuration: a.withDuration + b.withDuration,
  volume: sumOf(a.volume, b.volume),
  withVolume: a.withVolume + b.withVolume,
});

/** What a slice adds to the sums, with an irrigation of which earlier slices may have waterings. */
function irrigationsAdded(
  after: IrrigationFigures,
  before: IrrigationFigures | undefined,
): Irrigations {
  const { minutes, volume } = before ?? NO_FIGURES;
  return {
    count: before === undefined ? 1 : 0,
    minutes: after.minutes === null ? null : after.minutes - (minutes ?? 0),
    withDuration: after.minutes !== null && minutes === null ? 1 : 0,
    volume: after.volume === null ? null : after.volume - (volume ?? 0),
    withVolume: after.volume !== null && volume === null ? 1 : 0,
  };
}

/** Adds up what the slices have. */
class WateringSums {
  readonly #doses = new Map<string, Doses & { status: WateringStatus; moduleId: number }>();
  readonly #irrigations = new Map<WateringStatus, Irrigations>();
  /** Irrigations of several waterings, of which the next slice may have more. */
  readonly #shared = new Map<string, IrrigationFigures>();

  add(rows: readonly ModuleSums[]): void {
    for (const { status, moduleId, isSingle, ...row } of rows) {
      const key = `${status} ${moduleId}`;
      const others = this.#doses.get(key);
      this.#doses.set(key, { status, moduleId, ...(others ? addDoses(others, row) : row) });
      if (isSingle === 1) this.#addToStatus(status, row);
    }
  }

  addShared(rows: readonly Irrigation[]): void {
    for (const { status, irrigationId, scheduleId, scheduledStart, minutes, volume } of rows) {
      const key = `${status} ${irrigationId} ${scheduleId} ${scheduledStart}`;
      const before = this.#shared.get(key);
      const after = {
        minutes: largest(minutes, before?.minutes ?? null),
        volume: largest(volume, before?.volume ?? null),
      };

      this.#shared.set(key, after);
      this.#addToStatus(status, irrigationsAdded(after, before));
    }
  }

  #addToStatus(status: WateringStatus, added: Irrigations): void {
    const before = this.#irrigations.get(status) ?? NO_IRRIGATIONS;
    this.#irrigations.set(status, addIrrigations(before, added));
  }

  doses(): DoseSums[] {
    return [...this.#doses.values()]
      .sort((a, b) => a.moduleId - b.moduleId)
      .map(({ withDose, withWetted, wettedMm, ...sums }) => ({
        ...sums,
        withoutDose: sums.count - withDose,
        waterMmWetted: withWetted === 0 ? null : wettedMm,
      }));
  }

  irrigations(): IrrigationSums[] {
    return [...this.#irrigations].map(([status, sums]) => ({
      status,
      irrigations: sums.count,
      minutes: sums.minutes,
      withoutDuration: sums.count - sums.withDuration,
      volumeM3: sums.volume,
      withoutVolume: sums.count - sums.withVolume,
    }));
  }
}
