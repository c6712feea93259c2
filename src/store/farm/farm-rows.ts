import type { Insertable, Selectable, Updateable } from 'kysely';
import type { InstallationTarget } from '../irrigation/installations.ts';
import type { CompanyDb, CompanyTables } from '../tables.ts';

// Kysely cannot infer columns from a table name that is generic: 'users' in the casts represents
// any of these tables.

export type FarmTable = 'users' | 'parcels' | 'gateways' | 'modules' | 'sensors';

export type FarmRow<K extends FarmTable> = Selectable<CompanyTables[K]>;
export type NewFarmRow<K extends FarmTable> = Insertable<CompanyTables[K]>;
export type FarmChanges<K extends FarmTable> = Updateable<CompanyTables[K]>;

export const farmRows = async <K extends FarmTable>(
  db: CompanyDb,
  table: K,
): Promise<FarmRow<K>[]> =>
  (await db
    .selectFrom(table as 'users')
    .selectAll()
    .orderBy('id')
    .execute()) as unknown as FarmRow<K>[];

export const farmRowsById = async <K extends FarmTable>(
  db: CompanyDb,
  table: K,
  ids: readonly number[],
): Promise<FarmRow<K>[]> =>
  ids.length === 0
    ? []
    : ((await db
        .selectFrom(table as 'users')
        .selectAll()
        .where('id', 'in', ids)
        .execute()) as unknown as FarmRow<K>[]);

export const sensorRowsOf = (db: CompanyDb, moduleId: number): Promise<FarmRow<'sensors'>[]> =>
  db.selectFrom('sensors').selectAll().where('module_id', '=', moduleId).execute();

export const gatewaysByImei = async (
  db: CompanyDb,
  imeis: readonly string[],
): Promise<FarmRow<'gateways'>[]> =>
  imeis.length === 0
    ? []
    : db.selectFrom('gateways').selectAll().where('imei', 'in', imeis).execute();

export async function insertFarmRow<K extends FarmTable>(
  db: CompanyDb,
  table: K,
  row: NewFarmRow<K>,
): Promise<number> {
  const { id } = await db.insertInto(table).values(row).returning('id').executeTakeFirstOrThrow();
  return id;
}

export async function updateFarmRow<K extends FarmTable>(
  db: CompanyDb,
  table: K,
  id: number,
  changes: FarmChanges<K>,
): Promise<void> {
  await db
    .updateTable(table as 'users')
    .set(changes as unknown as FarmChanges<'users'>)
    .where('id', '=', id)
    .execute();
}

/** The installation as the last farm file declared it, in JSON. */
export async function declaredInstallation(
  db: CompanyDb,
  target: InstallationTarget,
): Promise<string | null> {
  const row =
    'moduleId' in target
      ? await db
          .selectFrom('modules')
          .select('farm_installation')
          .where('id', '=', target.moduleId)
          .executeTakeFirst()
      : await db
          .selectFrom('parcels')
          .select('farm_installation')
          .where('id', '=', target.parcelId)
          .executeTakeFirst();

  return row?.farm_installation ?? null;
}

export async function setDeclaredInstallation(
  db: CompanyDb,
  target: InstallationTarget,
  declaration: string,
): Promise<void> {
  if ('moduleId' in target)
    await db
      .updateTable('modules')
      .set({ farm_installation: declaration })
      .where('id', '=', target.moduleId)
      .execute();
  else
    await db
      .updateTable('parcels')
      .set({ farm_installation: declaration })
      .where('id', '=', target.parcelId)
      .execute();
}

/** Keeps sensors with readings. Returns the ids of the deleted sensors. */
export async function deleteSensorsWithoutReadings(
  db: CompanyDb,
  ids: readonly number[],
): Promise<number[]> {
  if (ids.length === 0) return [];

  const deleted = await db
    .deleteFrom('sensors')
    .where('id', 'in', ids)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('reading_hours')
            .select('sensor_id')
            .whereRef('reading_hours.sensor_id', '=', 'sensors.id'),
        ),
      ),
    )
    .returning('id')
    .execute();

  return deleted.map(({ id }) => id);
}
