import type { WateringFacts } from '../../domain/facts/watering-facts.ts';
import type { WateringStatus } from '../../schema/irrigation/watering.ts';
import type { CompanyDb } from '../tables.ts';
import { statusOnceRun } from './due-waterings.ts';
import { toWatering, type Watering } from './watering-columns.ts';

export interface WateringPeriod {
  /** Of the starts, in ms: `from` is included, `to` is not. */
  readonly from: number;
  readonly to: number;
  readonly status?: WateringStatus | undefined;
}

/** Those that have begun by `now` and are due to count as done do so. */
const factRows = (db: CompanyDb, now: number) =>
  db
    .selectFrom('waterings')
    .select((eb) => [
      'id',
      'module_id as moduleId',
      'schedule_id as scheduleId',
      'is_detached',
      'started_at as startedAt',
      'duration_min as durationMin',
      'input_mode as inputMode',
      'water_mm as waterMm',
      'water_mm_wetted as waterMmWetted',
      'dose_scope as scope',
      statusOnceRun(eb, now).as('status'),
      'verified_at',
    ])
    .orderBy('started_at')
    .orderBy('id');

const toFacts = ({
  is_detached,
  verified_at,
  ...watering
}: Awaited<ReturnType<ReturnType<typeof factRows>['execute']>>[number]): WateringFacts => ({
  ...watering,
  isDetached: is_detached === 1,
  isConfirmed: verified_at !== null,
});

/** Those of these modules, or of the whole farm, oldest start first. */
export async function wateringFacts(
  db: CompanyDb,
  moduleIds: readonly number[] | undefined,
  { from, to, status }: WateringPeriod,
  now: number,
): Promise<WateringFacts[]> {
  if (moduleIds?.length === 0) return [];
  let query = factRows(db, now).where('started_at', '>=', from).where('started_at', '<', to);
  if (moduleIds !== undefined) query = query.where('module_id', 'in', moduleIds);
  if (status === 'done') query = query.where('status', 'in', ['done', 'planned']);
  else if (status !== undefined) query = query.where('status', '=', status);

  const facts = (await query.execute()).map(toFacts);
  return status === undefined ? facts : facts.filter((watering) => watering.status === status);
}

/** The same as whole rows. */
export async function wateringsInPeriod(
  db: CompanyDb,
  moduleIds: readonly number[] | undefined,
  { from, to, status }: WateringPeriod,
): Promise<Watering[]> {
  if (moduleIds?.length === 0) return [];
  let query = db
    .selectFrom('waterings')
    .selectAll()
    .where('started_at', '>=', from)
    .where('started_at', '<', to)
    .orderBy('started_at')
    .orderBy('id');
  if (moduleIds !== undefined) query = query.where('module_id', 'in', moduleIds);
  if (status !== undefined) query = query.where('status', '=', status);
  return (await query.execute()).map(toWatering);
}

/** Those of these modules that have no dose and were not skipped, oldest start first. */
export async function wateringsWithoutDose(
  db: CompanyDb,
  moduleIds: readonly number[],
  now: number,
): Promise<WateringFacts[]> {
  if (moduleIds.length === 0) return [];
  const rows = await factRows(db, now)
    .where('module_id', 'in', moduleIds)
    // As in the partial index on incomplete waterings.
    .where((eb) => eb.or([eb('water_mm', 'is', null), eb('dose_installation_id', 'is', null)]))
    .where('water_mm', 'is', null)
    .where('status', '<>', 'skipped')
    .execute();
  return rows.map(toFacts);
}
