import type { Kysely, Selectable } from 'kysely';
import { chunksOf, groupBy } from '../../domain/groups.ts';
import type { UnassignedDevice } from '../../domain/ingest/unassigned-devices.ts';
import { preparedListQuery } from '../queries/prepared-query.ts';
import type { CompanyDb, CompanyTables, Tables } from '../tables.ts';

/** Per unassigned device. Older readings are deleted. */
const MAX_UNASSIGNED_READINGS = 5_000;

const ROWS_PER_QUERY = 500;

export type DeviceRecord = Selectable<CompanyTables['devices']>;
export type DeviceStatus = Selectable<CompanyTables['device_status']>;
/** A reading of an unassigned device, stored until the device is assigned. */
export type UnassignedReading = Selectable<CompanyTables['device_readings']>;

export const allDevices = (db: CompanyDb): Promise<DeviceRecord[]> =>
  db.selectFrom('devices').selectAll().orderBy('name').execute();

export async function devicesNamed(
  db: CompanyDb,
  names: readonly string[],
): Promise<DeviceRecord[]> {
  const devices: DeviceRecord[] = [];
  for (const chunk of chunksOf(names, ROWS_PER_QUERY))
    devices.push(...(await devicesInList(db, chunk)));
  return devices;
}

const devicesInList = preparedListQuery((db, names: readonly string[]) =>
  db.selectFrom('devices').selectAll().where('name', 'in', names).orderBy('name'),
);

export const deviceNamed = (db: CompanyDb, name: string): Promise<DeviceRecord | undefined> =>
  db.selectFrom('devices').selectAll().where('name', '=', name).executeTakeFirst();

export async function insertDevice(db: CompanyDb, row: DeviceRecord): Promise<void> {
  await db.insertInto('devices').values(row).execute();
}

export async function updateDeviceAssignment(db: CompanyDb, row: DeviceRecord): Promise<void> {
  const { name, module_id, depths } = row;
  await db.updateTable('devices').set({ module_id, depths }).where('name', '=', name).execute();
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

export async function deleteDevices(db: CompanyDb, names: readonly string[]): Promise<void> {
  for (const chunk of chunksOf(names, ROWS_PER_QUERY)) {
    await db.deleteFrom('device_readings').where('device', 'in', chunk).execute();
    await db.deleteFrom('device_status').where('device', 'in', chunk).execute();
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

export async function statusOfDevices(
  db: CompanyDb,
  names: readonly string[],
): Promise<Map<string, DeviceStatus>> {
  const statusByDevice = new Map<string, DeviceStatus>();
  for (const chunk of chunksOf(names, ROWS_PER_QUERY))
    for (const row of await db
      .selectFrom('device_status')
      .selectAll()
      .where('device', 'in', chunk)
      .execute())
      statusByDevice.set(row.device, row);
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

export async function saveDeviceStatus(db: CompanyDb, row: DeviceStatus): Promise<void> {
  const { device: _, ...columns } = row;
  await db
    .insertInto('device_status')
    .values(row)
    .onConflict((conflict) => conflict.column('device').doUpdateSet(columns))
    .execute();
}

const unassignedReadingsInList = preparedListQuery((db, devices: readonly string[]) =>
  db
    .selectFrom('device_readings')
    .selectAll()
    .where('device', 'in', devices)
    .orderBy('device')
    .orderBy('at')
    .orderBy('type')
    .orderBy('place'),
);

export async function unassignedReadings(
  db: CompanyDb,
  devices: readonly string[],
): Promise<UnassignedReading[]> {
  const readings: UnassignedReading[] = [];
  for (const chunk of chunksOf(devices, ROWS_PER_QUERY))
    for (const reading of await unassignedReadingsInList(db, chunk)) readings.push(reading);
  return readings;
}

/** Returns how many readings were new or had another value. */
export async function upsertUnassignedReadings(
  db: CompanyDb,
  rows: readonly UnassignedReading[],
): Promise<number> {
  const distinct = lastOfEach(rows);
  let changedCount = 0;

  for (const chunk of chunksOf(distinct, ROWS_PER_QUERY)) {
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('device_readings')
      .values(chunk)
      .onConflict((conflict) =>
        conflict
          .columns(['device', 'at', 'type', 'place'])
          .doUpdateSet((eb) => ({ value: eb.ref('excluded.value') }))
          .whereRef('device_readings.value', '!=', 'excluded.value'),
      )
      .executeTakeFirstOrThrow();
    changedCount += Number(numInsertedOrUpdatedRows);
  }

  for (const device of new Set(distinct.map((row) => row.device))) await deleteOldest(db, device);
  return changedCount;
}

/** One upsert cannot write the same row twice. */
const lastOfEach = (rows: readonly UnassignedReading[]): UnassignedReading[] => [
  ...new Map(
    rows.map((row) => [JSON.stringify([row.device, row.at, row.type, row.place]), row]),
  ).values(),
];

async function deleteOldest(db: CompanyDb, device: string): Promise<void> {
  const oldest = await db
    .selectFrom('device_readings')
    .select('at')
    .where('device', '=', device)
    .orderBy('at', 'desc')
    .offset(MAX_UNASSIGNED_READINGS - 1)
    .limit(1)
    .executeTakeFirst();
  if (oldest === undefined) return;

  await db
    .deleteFrom('device_readings')
    .where('device', '=', device)
    .where('at', '<', oldest.at)
    .execute();
}

/** Deletes exactly these readings, because others may have arrived since they were read. */
export async function deleteUnassignedReadings(
  db: CompanyDb,
  rows: readonly UnassignedReading[],
): Promise<void> {
  const groups = groupBy(rows, ({ device, type, place }) => JSON.stringify([device, type, place]));
  for (const group of groups.values()) {
    const { device, type, place } = group[0]!;
    const instants = group.map(({ at }) => at);
    for (const chunk of chunksOf(instants, ROWS_PER_QUERY))
      await db
        .deleteFrom('device_readings')
        .where((eb) => eb.and({ device, type, place }))
        .where('at', 'in', chunk)
        .execute();
  }
}

/** The newest reading of each type and place, with the number of its readings. */
export async function newestUnassignedReadings(
  db: CompanyDb,
  device: string,
): Promise<(UnassignedReading & { readonly count: number })[]> {
  const readings = db.selectFrom('device_readings').where('device', '=', device);
  const groups = await readings
    .select(['type', 'place'])
    .select((eb) => [eb.fn.max('at').as('at'), eb.fn.countAll<number>().as('count')])
    .groupBy(['type', 'place'])
    .execute();
  if (groups.length === 0) return [];

  const newest = await readings
    .selectAll()
    .where('at', 'in', [...new Set(groups.map(({ at }) => at))])
    .orderBy('type')
    .orderBy('place')
    .execute();

  return newest.flatMap((row) => {
    const group = groups.find(
      ({ type, place, at }) => type === row.type && place === row.place && at === row.at,
    );
    return group ? [{ ...row, count: Number(group.count) }] : [];
  });
}

interface SendingDevice {
  readonly name: string;
  /** The readings of its newest instant. */
  readonly newest: readonly Pick<UnassignedReading, 'type' | 'value'>[];
}

/** Unassigned devices of all companies, the most recently seen first. */
export async function unassignedDevices(
  all: Kysely<Tables>,
  limit: number,
): Promise<SendingDevice[]> {
  const devices = await all
    .selectFrom('devices')
    .leftJoin('device_status', (join) =>
      join
        .onRef('device_status.company_id', '=', 'devices.company_id')
        .onRef('device_status.device', '=', 'devices.name'),
    )
    .select(['devices.company_id', 'name'])
    .where('module_id', 'is', null)
    .orderBy('last_seen_at', 'desc')
    .limit(limit)
    .execute();

  const found: SendingDevice[] = [];
  for (const { company_id: companyId, name } of devices) {
    const readings = all
      .selectFrom('device_readings')
      .where('company_id', '=', companyId)
      .where('device', '=', name);
    const newestAt = readings.select((eb) => eb.fn.max('at').as('at'));
    found.push({
      name,
      newest: await readings
        .select(['type', 'value'])
        .where('at', '=', newestAt)
        .orderBy('type')
        .execute(),
    });
  }

  return found;
}

interface PulledDevice {
  readonly provider: string;
  readonly device: string;
}

/** Null if nothing was pulled yet. */
export async function pulledUntil(
  db: CompanyDb,
  { provider, device }: PulledDevice,
): Promise<number | null> {
  const row = await db
    .selectFrom('pull_marks')
    .select('pulled_until')
    .where('provider', '=', provider)
    .where('device', '=', device)
    .executeTakeFirst();
  return row?.pulled_until ?? null;
}

/**
 * Never moves the mark back: of two processes that pull the same device, the slower one changes
 * nothing.
 */
export async function movePullMark(
  db: CompanyDb,
  { provider, device }: PulledDevice,
  until: number,
): Promise<void> {
  await db
    .insertInto('pull_marks')
    .values({ provider, device, pulled_until: until })
    .onConflict((conflict) =>
      conflict
        .columns(['provider', 'device'])
        .doUpdateSet({ pulled_until: until })
        .where('pull_marks.pulled_until', '<', until),
    )
    .execute();
}
