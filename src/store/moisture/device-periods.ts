import type { Selectable } from 'kysely';
import { chunksOf } from '../../domain/groups.ts';
import type { DevicePeriod, NewDevicePeriod } from '../../domain/ingest/device-periods.ts';
import { type CompanyDb, type CompanyTables, toFlag } from '../tables.ts';

const ROWS_PER_QUERY = 500;

type PeriodRow = Omit<
  Selectable<CompanyTables['device_periods']>,
  'started_at' | 'undone_assignment'
>;

const COLUMNS = [
  'id',
  'device',
  'sensor_id',
  'from_at',
  'first_at',
  'until_at',
  'early_at',
  'is_shared',
] as const;

export const PERIOD_COLUMNS = COLUMNS.map((column) => `device_periods.${column}` as const);

export const toPeriod = (row: PeriodRow): DevicePeriod => ({
  id: row.id,
  device: row.device,
  sensorId: row.sensor_id,
  fromAt: row.from_at,
  firstAt: row.first_at,
  untilAt: row.until_at,
  earlyAt: row.early_at,
  isShared: row.is_shared === 1,
});

/** A row of a left join, with nulls where it found no period. */
type JoinedPeriodRow = { readonly [Column in keyof PeriodRow]: PeriodRow[Column] | null };

export const isPeriodRow = (row: JoinedPeriodRow): row is PeriodRow => row.id !== null;

const periods = (db: CompanyDb) => db.selectFrom('device_periods').selectAll().orderBy('id');

/** The periods that began with an assignment at `startedAt` or later; by default, all. */
export const periodsOfDevice = async (
  db: CompanyDb,
  device: string,
  startedAt = 0,
): Promise<DevicePeriod[]> => {
  const query = periods(db).where('device', '=', device).where('started_at', '>=', startedAt);
  return (await query.where('undone_assignment', 'is', null).execute()).map(toPeriod);
};

export async function insertDevicePeriods(
  db: CompanyDb,
  added: readonly NewDevicePeriod[],
  startedAt: number,
): Promise<void> {
  for (const chunk of chunksOf(added, ROWS_PER_QUERY)) {
    const rows = chunk.map(({ device, sensorId, fromAt, firstAt, earlyAt, isShared }) => ({
      device,
      sensor_id: sensorId,
      started_at: startedAt,
      from_at: fromAt,
      first_at: firstAt,
      early_at: earlyAt,
      is_shared: toFlag(isShared),
    }));
    await db.insertInto('device_periods').values(rows).execute();
  }
}

export async function updateDevicePeriod(
  db: CompanyDb,
  { id, fromAt, firstAt, untilAt, earlyAt, isShared }: DevicePeriod,
): Promise<void> {
  await db
    .updateTable('device_periods')
    .set({
      from_at: fromAt,
      first_at: firstAt,
      until_at: untilAt,
      early_at: earlyAt,
      is_shared: toFlag(isShared),
    })
    .where('id', '=', id)
    .execute();
}

export async function deleteDevicePeriod(db: CompanyDb, id: number): Promise<void> {
  await db.deleteFrom('device_periods').where('id', '=', id).execute();
}

/** A period whose readings are being deleted, because the assignment was undone. */
export interface UndonePeriod extends DevicePeriod {
  /** The assignment that was undone, as JSON. */
  readonly assignment: string;
}

export async function markPeriodUndone(
  db: CompanyDb,
  id: number,
  assignment: string,
): Promise<void> {
  await db
    .updateTable('device_periods')
    .set({ undone_assignment: assignment })
    .where('id', '=', id)
    .execute();
}

export async function firstUndonePeriod(db: CompanyDb): Promise<UndonePeriod | null> {
  const row = await periods(db)
    .where('undone_assignment', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : { ...toPeriod(row), assignment: row.undone_assignment ?? '' };
}
