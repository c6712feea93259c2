import type { ExpressionBuilder, Selectable } from 'kysely';
import type { GeoJsonOutline } from '../../domain/company/geometry.ts';
import { firstOf } from '../../domain/items.ts';
import { type CamelRow, camelRow } from '../queries/camel-row.ts';
import { preparedListQuery, preparedQuery } from '../queries/prepared-query.ts';
import { rowCount } from '../statistics.ts';
import type { CompanyDb, CompanyTables } from '../tables.ts';

export interface Module {
  readonly id: number;
  readonly uid: string;
  readonly name: string | null;
  readonly number: number | null;
  readonly serialHex: string | null;
  readonly category: string | null;
  readonly parcelId: number | null;
  readonly commissionedAt: number | null;
  readonly position: { lat: number; lon: number; source: string; gatewayId: number | null } | null;
  readonly gateway: { id: number; imei: string; lat: number | null; lon: number | null } | null;
}

type ModuleRow = Selectable<CompanyTables['modules']> & {
  gateway_imei: string | null;
  gateway_lat: number | null;
  gateway_lon: number | null;
};

const toModule = (row: ModuleRow): Module => ({
  id: row.id,
  uid: row.uid,
  name: row.name,
  number: row.number,
  serialHex: row.serial_hex,
  category: row.category,
  parcelId: row.parcel_id,
  commissionedAt: row.commissioned_at,
  position:
    row.lat === null || row.lon === null
      ? null
      : {
          lat: row.lat,
          lon: row.lon,
          source: row.location_source ?? 'manual',
          gatewayId: row.location_gateway_id,
        },
  gateway:
    row.gateway_id === null
      ? null
      : { id: row.gateway_id, imei: row.gateway_imei!, lat: row.gateway_lat, lon: row.gateway_lon },
});

const modulesWithGateway = (db: CompanyDb) =>
  db
    .selectFrom('modules')
    .leftJoin('gateways', 'gateways.id', 'modules.gateway_id')
    .selectAll('modules')
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

/** Commissioned, or evidently installed because it has a reading or a watering. */
const isInService = (eb: ExpressionBuilder<CompanyTables, 'modules'>) =>
  eb.or([
    eb('modules.commissioned_at', 'is not', null),
    eb.exists(
      eb
        .selectFrom('waterings')
        .select('waterings.id')
        .whereRef('waterings.module_id', '=', 'modules.id'),
    ),
    eb.exists(
      eb
        .selectFrom('sensors')
        .innerJoin('readings', 'readings.sensor_id', 'sensors.id')
        .select('sensors.id')
        .whereRef('sensors.module_id', '=', 'modules.id'),
    ),
  ]);

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

interface ModuleFilter {
  readonly parcelId?: number | undefined;
  readonly category?: string | undefined;
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

const selectModuleNames = (db: CompanyDb) =>
  db
    .selectFrom('modules')
    .select(['id', 'uid', 'name', 'number', 'category', 'parcel_id as parcelId']);

export const moduleNames = preparedQuery((db) => selectModuleNames(db).orderBy('id'));

export type ModuleName = Awaited<ReturnType<typeof moduleNames>>[number];

// In no order: PostgreSQL would read all modules of the company to find some of them by id.

export const moduleNamesByIds = preparedListQuery((db, ids) =>
  selectModuleNames(db).where('id', 'in', ids),
);

export const moduleNamesByUids = preparedListQuery((db, uids: readonly string[]) =>
  selectModuleNames(db).where('uid', 'in', uids),
);

/** Modules with one of the names, and those without a name that have one of the numbers. */
export const moduleNamesByNames = (
  db: CompanyDb,
  names: readonly string[],
  numbers: readonly number[],
): Promise<ModuleName[]> =>
  selectModuleNames(db)
    .where((eb) =>
      eb.or([
        eb('name', 'in', names),
        ...(numbers.length > 0
          ? [eb.and([eb('name', 'is', null), eb('number', 'in', numbers)])]
          : []),
      ]),
    )
    .execute();

const orderedSensors = (db: CompanyDb) =>
  db
    .selectFrom('sensors')
    .select(['id', 'module_id as moduleId', 'type', 'depth', 'label'])
    .orderBy('module_id')
    .orderBy('depth', (depth) => depth.asc().nullsFirst())
    .orderBy('type')
    .orderBy('id');

const sensorsOfModule = preparedQuery((db, moduleId: number) =>
  orderedSensors(db).where('module_id', '=', moduleId),
);

/** The depth is in cm; 0 is the surface. */
export type Sensor = Awaited<ReturnType<typeof sensorsOfModule>>[number];

export const allSensors = preparedQuery(orderedSensors);

export async function sensorsOf(db: CompanyDb, moduleIds: readonly number[]): Promise<Sensor[]> {
  if (moduleIds.length === 0) return [];
  if (moduleIds.length === 1) return sensorsOfModule(db, firstOf(moduleIds));
  return orderedSensors(db).where('module_id', 'in', moduleIds).execute();
}

/** Ids of the soil probes and tensiometers of a parcel, to which its schedules apply. */
export const probesOfParcel = async (db: CompanyDb, parcelId: number): Promise<number[]> =>
  (
    await db
      .selectFrom('modules')
      .select('id')
      .where('parcel_id', '=', parcelId)
      .where('category', 'in', ['SOIL_PROBE', 'TENSIOMETER'])
      .orderBy('id')
      .execute()
  ).map((row) => row.id);

export const modulesOfParcel = async (db: CompanyDb, parcelId: number): Promise<number[]> =>
  (
    await db
      .selectFrom('modules')
      .select('id')
      .where('parcel_id', '=', parcelId)
      .orderBy('id')
      .execute()
  ).map((row) => row.id);

export const allModuleIds = async (db: CompanyDb): Promise<number[]> =>
  (await db.selectFrom('modules').select('id').orderBy('id').execute()).map((row) => row.id);

export interface Parcel {
  readonly id: number;
  readonly name: string;
  readonly type: string | null;
  readonly geometry: GeoJsonOutline | null;
  readonly areaM2: number | null;
}

type ParcelRow = Pick<
  Selectable<CompanyTables['parcels']>,
  'id' | 'name' | 'type' | 'geometry' | 'area_m2'
>;

export const toParcel = ({ id, name, type, geometry, area_m2: areaM2 }: ParcelRow): Parcel => ({
  id,
  name,
  type,
  areaM2,
  geometry: geometry === null ? null : JSON.parse(geometry),
});

export const parcelsAfter = async (
  db: CompanyDb,
  afterId: number,
  limit: number,
): Promise<Parcel[]> =>
  (
    await db
      .selectFrom('parcels')
      .select(['id', 'name', 'type', 'geometry', 'area_m2'])
      .where('id', '>', afterId)
      .orderBy('id')
      .limit(limit)
      .execute()
  ).map(toParcel);

export const parcelExists = async (db: CompanyDb, id: number): Promise<boolean> =>
  (await db.selectFrom('parcels').select('id').where('id', '=', id).executeTakeFirst()) !==
  undefined;

export const parcelAreaM2 = async (db: CompanyDb, id: number): Promise<number | null> =>
  (await db.selectFrom('parcels').select('area_m2').where('id', '=', id).executeTakeFirst())
    ?.area_m2 ?? null;

export const parcelCount = (db: CompanyDb): Promise<number> => rowCount(db.selectFrom('parcels'));

export const parcelNames = preparedQuery((db) =>
  db.selectFrom('parcels').select(['id', 'name', 'type']).orderBy('id'),
);

export const parcelType = preparedQuery((db, id: number) =>
  db.selectFrom('parcels').select('type').where('id', '=', id),
);

export interface Position {
  readonly latitude: number;
  readonly longitude: number;
}

/** The mean position of the modules, or else of the corners of the parcels, in degrees. */
export async function farmPosition(db: CompanyDb): Promise<Position | null> {
  const modules = await db
    .selectFrom('modules')
    .select(['lat', 'lon'])
    .where('lat', 'is not', null)
    .execute();
  const modulePositions = modules.flatMap(({ lat, lon }) =>
    lat === null || lon === null ? [] : [[lon, lat] as const],
  );
  if (modulePositions.length > 0) return meanPosition(modulePositions);

  const parcels = await db
    .selectFrom('parcels')
    .select('geometry')
    .where('geometry', 'is not', null)
    .execute();
  const corners = parcels.flatMap(({ geometry }) => positionsIn(JSON.parse(geometry!).coordinates));

  return corners.length === 0 ? null : meanPosition(corners);
}

type GeoJsonPosition = readonly [longitude: number, latitude: number];

function meanPosition(positions: readonly GeoJsonPosition[]): Position {
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, each) => sum + each, 0) / values.length;

  const longitudes = positions.map(([longitude]) => longitude);
  const crossesDateLine = Math.max(...longitudes) - Math.min(...longitudes) > 180;
  const longitude = mean(
    crossesDateLine ? longitudes.map((each) => (each < 0 ? each + 360 : each)) : longitudes,
  );

  return {
    latitude: mean(positions.map(([, latitude]) => latitude)),
    longitude: longitude > 180 ? longitude - 360 : longitude,
  };
}

function positionsIn(coordinates: unknown): GeoJsonPosition[] {
  if (!Array.isArray(coordinates)) return [];
  if (typeof coordinates[1] === 'number') return [[coordinates[0], coordinates[1]]];
  return coordinates.flatMap(positionsIn);
}

export type Gateway = CamelRow<Selectable<CompanyTables['gateways']>>;

export const gatewayNames = (
  db: CompanyDb,
): Promise<Pick<Gateway, 'id' | 'imei' | 'serialHex'>[]> =>
  db
    .selectFrom('gateways')
    .select(['id', 'imei', 'serial_hex as serialHex'])
    .orderBy('id')
    .execute();

export async function gatewaysById(db: CompanyDb, ids: readonly number[]): Promise<Gateway[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('gateways')
    .selectAll()
    .where('id', 'in', ids)
    .orderBy('id')
    .execute();
  return rows.map(camelRow);
}

export async function gatewayById(db: CompanyDb, id: number): Promise<Gateway | null> {
  const row = await db.selectFrom('gateways').selectAll().where('id', '=', id).executeTakeFirst();
  return row ? camelRow(row) : null;
}

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
