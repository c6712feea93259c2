import type { Kysely } from 'kysely';
import { preparedQuery } from '../queries/prepared-query.ts';
import type { CompanyDb, Tables } from '../tables.ts';

// The sums of local days are stored in the zone of the company. When that changes, housekeeping
// recomputes them sensor by sensor; until it has ended, local days are read from hours.

export const localDayZone = preparedQuery((db) =>
  db.selectFrom('local_day_zones').select(['zone', 'next_sensor_id as nextSensorId']),
);

const zoneAndRetention = preparedQuery((db) =>
  db
    .selectFrom('local_day_zones')
    .select((eb) => [
      'zone',
      eb.selectFrom('reading_retention').select('kept_from').as('keptFrom'),
    ]),
);

/** The zone of local days, and since when single readings are kept; null: none, and all. */
export interface DaysOfReadings {
  readonly zone: string | null;
  readonly keptFrom: number | null;
}

/** The zone in which sums of local days are written; null in a store that had none yet. */
export async function zoneOfLocalDays(db: CompanyDb): Promise<DaysOfReadings> {
  const [stored] = await zoneAndRetention(db);
  return stored ?? { zone: null, keptFrom: null };
}

/** All local days of the company are stored in this zone. */
export async function hasLocalDays(db: CompanyDb, zone: string): Promise<boolean> {
  const [stored] = await localDayZone(db);
  return stored?.zone === zone && stored.nextSensorId === null;
}

/** The sums of local days are recomputed later, sensor by sensor, unless there are no readings. */
export async function changeLocalDayZone(
  db: Kysely<Tables>,
  companyId: number,
  zone: string,
): Promise<void> {
  const stored = await db
    .selectFrom('local_day_zones')
    .select('zone')
    .where('company_id', '=', companyId)
    .executeTakeFirst();
  if (stored?.zone === zone) return;

  const sum = await db
    .selectFrom('reading_hours')
    .select('sensor_id')
    .where('company_id', '=', companyId)
    .limit(1)
    .executeTakeFirst();
  await db.deleteFrom('local_day_zones').where('company_id', '=', companyId).execute();
  await db
    .updateTable('reading_retention')
    .set({ day_zone: null })
    .where('company_id', '=', companyId)
    .execute();
  await db
    .insertInto('local_day_zones')
    .values({ company_id: companyId, zone, next_sensor_id: sum ? 0 : null })
    .execute();
}
