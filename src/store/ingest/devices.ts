import type { Kysely, Selectable } from 'kysely';
import { chunksOf } from '../../domain/groups.ts';
import type { UnassignedDevice } from '../../domain/ingest/unassigned-devices.ts';
import { preparedListQuery } from '../queries/prepared-query.ts';
import type { CompanyDb, CompanyTables, Tables } from '../tables.ts';

const ROWS_PER_QUERY = 500;

export type DeviceRow = Selectable<CompanyTables['devices']>;
export type DeviceStatus = Selectable<CompanyTables['device_status']>;

export const allDevices = (db: CompanyDb): Promise<DeviceRow[]> =>
  db.selectFrom('devices').selectAll().orderBy('name').execute();

export async function devicesNamed(db: CompanyDb, names: readonly string[]): Promise<DeviceRow[]> {
  const devices: DeviceRow[] = [];
  for (const chunk of chunksOf(names, ROWS_PER_QUERY))
    devices.push(...(await devicesInList(db, chunk)));
  return devices;
}

const devicesInList = preparedListQuery((db, names: readonly string[]) =>
  db.selectFrom('devices').selectAll().where('name', 'in', names).orderBy('name'),
);

export const deviceNamed = (db: CompanyDb, name: string): Promise<DeviceRow | undefined> =>
  db.selectFrom('devices').selectAll().where('name', '=', name).executeTakeFirst();

export async function insertDevice(db: CompanyDb, row: DeviceRow): Promise<void> {
  await db.insertInto('devices').values(row).execute();
}

export async function updateDeviceAssignment(db: CompanyDb, row: DeviceRow): Promise<void> {
  const { name, module_id, depths, fields } = row;
  await db
    .updateTable('devices')
    .set({ module_id, depths, fields })
    .where('name', '=', name)
    .execute();
}

export type DeviceModel = Selectable<CompanyTables['device_models']>;

export const deviceModels = (db: CompanyDb): Promise<DeviceModel[]> =>
  db.selectFrom('device_models').selectAll().execute();

export async function saveDeviceModel(db: CompanyDb, row: DeviceModel): Promise<void> {
  const { model, ...columns } = row;
  const stored = await db
    .selectFrom('device_models')
    .select('model')
    .where('model', '=', model)
    .executeTakeFirst();
  await (stored === undefined
    ? db.insertInto('device_models').values(row)
    : db.updateTable('device_models').set(columns).where('model', '=', model)
  ).execute();
}

/** A device without a status has not sent, so a person must have named it. */
export async function unassignedDevicesOfCompany(db: CompanyDb): Promise<UnassignedDevice[]> {
  const rows = await db
    .selectFrom('devices')
    .leftJoin('device_status', 'device_status.device', 'devices.name')
    .select(['name', 'first_seen_at', 'last_seen_at', 'sender', 'listed_at'])
    .where('module_id', 'is', null)
    .orderBy('name')
    .execute();

  return rows.map((row) => ({
    name: row.name,
    sender: row.sender,
    firstSeenAt: row.first_seen_at,
    lastSeenAt: row.last_seen_at ?? row.first_seen_at,
    isListed: row.last_seen_at === null || row.listed_at !== null,
  }));
}

export async function countUnassignedDevices(db: CompanyDb): Promise<number> {
  const { count } = await db
    .selectFrom('devices')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('module_id', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}

export async function deleteDevices(db: CompanyDb, names: readonly string[]): Promise<void> {
  for (const chunk of chunksOf(names, ROWS_PER_QUERY)) {
    await db.deleteFrom('device_readings').where('device', 'in', chunk).execute();
    await db.deleteFrom('device_status').where('device', 'in', chunk).execute();
    await db.deleteFrom('device_periods').where('device', 'in', chunk).execute();
    await db.deleteFrom('devices').where('name', 'in', chunk).execute();
  }
}

export async function markDevicesListed(
  db: CompanyDb,
  names: readonly string[],
  now: number,
): Promise<void> {
  for (const chunk of chunksOf(names, ROWS_PER_QUERY))
    await db
      .updateTable('device_status')
      .set({ listed_at: now })
      .where('device', 'in', chunk)
      .where('listed_at', 'is', null)
      .execute();
}

export async function forgetSourceOfDevice(db: CompanyDb, name: string): Promise<void> {
  await db.updateTable('device_status').set({ source: null }).where('device', '=', name).execute();
}

export async function statusOfDevices(
  db: CompanyDb,
  names: readonly string[],
): Promise<Map<string, DeviceStatus>> {
  const statusByDevice = new Map<string, DeviceStatus>();
  for (const chunk of chunksOf(names, ROWS_PER_QUERY)) {
    const rows = await db
      .selectFrom('device_status')
      .selectAll()
      .where('device', 'in', chunk)
      .execute();
    for (const row of rows) statusByDevice.set(row.device, row);
  }

  return statusByDevice;
}

export const statusOfModule = (db: CompanyDb, moduleId: number): Promise<DeviceStatus[]> =>
  db
    .selectFrom('devices')
    .innerJoin('device_status', 'device_status.device', 'devices.name')
    .selectAll('device_status')
    .where('devices.module_id', '=', moduleId)
    .orderBy('last_seen_at')
    .execute();

/** The assigned devices of all companies, the longest silent first. */
export const assignedDevicesOfAll = (all: Kysely<Tables>) =>
  all
    .selectFrom('devices')
    .innerJoin('device_status', (join) =>
      join
        .onRef('device_status.company_id', '=', 'devices.company_id')
        .onRef('device_status.device', '=', 'devices.name'),
    )
    .select(['devices.name', 'device_status.last_seen_at as lastSeenAt'])
    .where('devices.module_id', 'is not', null)
    .orderBy('device_status.last_seen_at')
    .orderBy('devices.name')
    .execute();

/** Keeps the newest `limit` of the statuses of devices that have sent no reading yet. */
export async function deleteEarlyStatuses(db: CompanyDb, limit: number): Promise<void> {
  const early = await db
    .selectFrom('device_status')
    .leftJoin('devices', 'devices.name', 'device_status.device')
    .select('device')
    .where('devices.name', 'is', null)
    .orderBy('last_seen_at', 'desc')
    .orderBy('device')
    .execute();
  for (const chunk of chunksOf(early.slice(limit), ROWS_PER_QUERY)) {
    const names = chunk.map(({ device }) => device);
    await db.deleteFrom('device_status').where('device', 'in', names).execute();
  }
}

export async function saveDeviceStatus(db: CompanyDb, row: DeviceStatus): Promise<void> {
  const { device: _, ...columns } = row;
  await db
    .insertInto('device_status')
    .values(row)
    .onConflict((conflict) => conflict.column('device').doUpdateSet(columns))
    .execute();
}
