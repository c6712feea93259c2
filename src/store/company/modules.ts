import type { ExpressionBuilder } from 'kysely';
import { type Category, moduleFields } from '../../schema/company/company.ts';
import { preparedQuery } from '../queries/prepared-query.ts';
import { ResourceMapper } from '../queries/resource-mapper.ts';
import type { ValueOf } from '../queries/resource-types.ts';
import { rowCount } from '../store-statistics.ts';
import type { CompanyDb, CompanyTables } from '../tables.ts';

export interface Module extends ValueOf<typeof moduleFields> {
  readonly gateway: { id: number; imei: string; lat: number | null; lon: number | null } | null;
}

export const moduleMapper = new ResourceMapper(moduleFields);

const MODULE_COLUMNS = moduleMapper.columns.map((column) => `modules.${column}` as const);

type ModuleRow = Awaited<ReturnType<typeof moduleRowById>>[number];

/** To copy the value with a spread would take longer than to map it. */
const toModule = (row: ModuleRow): Module =>
  Object.assign(moduleMapper.toValue(row), { gateway: gatewayOf(row) });

function gatewayOf(row: ModuleRow): Module['gateway'] {
  const { gateway_id: id, gateway_imei: imei, gateway_lat: lat, gateway_lon: lon } = row;
  return id === null || imei === null ? null : { id, imei, lat, lon };
}

const modulesWithGateway = (db: CompanyDb) =>
  db
    .selectFrom('modules')
    .leftJoin('gateways', 'gateways.id', 'modules.gateway_id')
    .select(MODULE_COLUMNS)
    .select([
      'gateways.imei as gateway_imei',
      'gateways.lat as gateway_lat',
      'gateways.lon as gateway_lon',
    ]);

const moduleRowById = preparedQuery((db, id: number) =>
  modulesWithGateway(db).where('modules.id', '=', id),
);

export async function moduleById(db: CompanyDb, id: number): Promise<Module | null> {
  const [row] = await moduleRowById(db, id);
  return row ? toModule(row) : null;
}

/** Commissioned, or evidently installed because the module has a reading or a watering. */
const isInService = (eb: ExpressionBuilder<CompanyTables, 'modules'>) =>
  eb.or([
    eb('modules.commissioned_at', 'is not', null),
    eb.exists(
      eb
        .selectFrom('waterings')
        .select('waterings.id')
        .whereRef('waterings.module_id', '=', 'modules.id'),
    ),
    // Each condition on the depth is that of an index.
    eb.exists(sensorsWithReadings(eb).where('depth', 'is not', null)),
    eb.exists(sensorsWithReadings(eb).where('depth', 'is', null)),
  ]);

const sensorsWithReadings = (eb: ExpressionBuilder<CompanyTables, 'modules'>) =>
  eb
    .selectFrom('sensors')
    .select('sensors.id')
    .whereRef('sensors.module_id', '=', 'modules.id')
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('reading_hours')
          .select('reading_hours.sensor_id')
          .whereRef('reading_hours.sensor_id', '=', 'sensors.id'),
      ),
    );

const moduleIdInService = preparedQuery((db, id: number) =>
  db.selectFrom('modules').select('modules.id').where('modules.id', '=', id).where(isInService),
);

export const moduleIsInService = async (db: CompanyDb, id: number): Promise<boolean> =>
  (await moduleIdInService(db, id)).length > 0;

const moduleIdById = preparedQuery((db, id: number) =>
  db.selectFrom('modules').select('id').where('id', '=', id),
);

export const moduleExists = async (db: CompanyDb, id: number): Promise<boolean> =>
  (await moduleIdById(db, id)).length > 0;

const { id, uid, name, number, category, parcelId } = moduleFields;
const { commissionedAt, isCommissioningAssumed, movedAt } = moduleFields;

const commissionedFields = {
  id,
  uid,
  name,
  number,
  category,
  parcelId,
  commissionedAt,
  isCommissioningAssumed,
  movedAt,
};
export type CommissionedModule = ValueOf<typeof commissionedFields>;

const commissionedMapper = new ResourceMapper(commissionedFields);

/** The ones of these modules that are in service. */
export async function modulesInService(
  db: CompanyDb,
  ids: readonly number[],
): Promise<CommissionedModule[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('modules')
    .select(commissionedMapper.columns)
    .where('modules.id', 'in', ids)
    .where(isInService)
    .orderBy('id')
    .execute();
  return rows.map((row) => commissionedMapper.toValue(row));
}

interface ModuleFilter {
  readonly parcelId?: number | undefined;
  readonly category?: Category | undefined;
}

export async function modulesAfter(
  db: CompanyDb,
  afterId: number,
  limit: number,
  { parcelId, category }: ModuleFilter,
): Promise<Module[]> {
  let query = modulesWithGateway(db).where('modules.id', '>', afterId).orderBy('modules.id');
  if (parcelId !== undefined) query = query.where('modules.parcel_id', '=', parcelId);
  if (category !== undefined) query = query.where('modules.category', '=', category);
  return (await query.limit(limit).execute()).map(toModule);
}

export function moduleCount(db: CompanyDb, { parcelId, category }: ModuleFilter): Promise<number> {
  let query = db.selectFrom('modules');
  if (parcelId !== undefined) query = query.where('parcel_id', '=', parcelId);
  if (category !== undefined) query = query.where('category', '=', category);
  return rowCount(query);
}

const MODULE_NAME_COLUMNS = [
  'id',
  'uid',
  'name',
  'number',
  'category',
  'parcel_id as parcelId',
  'moved_at as movedAt',
] as const;

export const moduleNames = preparedQuery((db) =>
  db.selectFrom('modules').select(MODULE_NAME_COLUMNS).orderBy('id'),
);

export type ModuleName = Awaited<ReturnType<typeof moduleNames>>[number];

/** The soil probes and tensiometers of a parcel, to which its schedules apply. */
export const probeIdsOfParcel = async (db: CompanyDb, parcelId: number): Promise<number[]> =>
  (
    await db
      .selectFrom('modules')
      .select('id')
      .where('parcel_id', '=', parcelId)
      .where('category', 'in', ['SOIL_PROBE', 'TENSIOMETER'])
      .orderBy('id')
      .execute()
  ).map(({ id }) => id);

export const moduleIdsOfParcel = async (db: CompanyDb, parcelId: number): Promise<number[]> =>
  (
    await db
      .selectFrom('modules')
      .select('id')
      .where('parcel_id', '=', parcelId)
      .orderBy('id')
      .execute()
  ).map((row) => row.id);

/** The modules of these parcels. */
export async function modulesOfParcels(
  db: CompanyDb,
  parcelIds: readonly number[],
): Promise<{ readonly id: number; readonly parcelId: number }[]> {
  if (parcelIds.length === 0) return [];
  return db
    .selectFrom('modules')
    .select(['id', 'parcel_id as parcelId'])
    .where('parcel_id', 'in', parcelIds)
    .orderBy('id')
    .$narrowType<{ parcelId: number }>()
    .execute();
}

export const allModuleIds = async (db: CompanyDb): Promise<number[]> =>
  (await db.selectFrom('modules').select('id').orderBy('id').execute()).map((row) => row.id);

export async function modulesInServiceOn(db: CompanyDb, gatewayIds: readonly number[]) {
  if (gatewayIds.length === 0) return [];
  return db
    .selectFrom('modules')
    .select(['id', 'uid', 'name', 'number', 'category', 'gateway_id as gatewayId'])
    .where('gateway_id', 'in', gatewayIds)
    .where(isInService)
    .orderBy('id')
    .execute();
}
