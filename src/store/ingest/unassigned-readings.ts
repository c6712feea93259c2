import type { Kysely, Selectable } from 'kysely';
import { chunksOf, groupBy } from '../../domain/groups.ts';
import { type FieldChoice, fieldType } from '../../domain/ingest/field-choices.ts';
import { preparedListQuery } from '../queries/prepared-query.ts';
import { type CompanyDb, type CompanyTables, type Tables, toFlag } from '../tables.ts';

/** The newest readings of a device are kept, up to this number. */
export const MAX_UNASSIGNED_READINGS = 5_000;

const ROWS_PER_QUERY = 500;

type ReadingRow = Selectable<CompanyTables['device_readings']>;
/** A row as changes record it, without its id. */
export type RecordedReading = Omit<ReadingRow, 'id'>;

/** A reading of a device that is not assigned to a module, stored until it is. */
export interface UnassignedReading {
  readonly device: string;
  readonly at: number;
  /** A measurement of a sensor, "rain", a measure of a weather station, or a field of a message. */
  readonly type: string;
  readonly value: number;
  /** The index in the depths of the device; null if the reading names its depth, or has none. */
  readonly position: number | null;
  readonly depthCm: number | null;
  /** How long the rain fell; null for other readings, and where it is unknown. */
  readonly minutes: number | null;
  /** The rain since midnight. */
  readonly isDayTotal: boolean;
}

export interface StoredReading extends UnassignedReading {
  readonly id: number;
}

export const toUnassignedReading = (row: RecordedReading): UnassignedReading => ({
  device: row.device,
  at: row.at,
  type: row.type,
  value: row.value,
  position: row.position,
  depthCm: row.depth_cm,
  minutes: row.minutes,
  isDayTotal: row.is_day_total === 1,
});

const toStoredReading = (row: ReadingRow): StoredReading => ({
  id: row.id,
  ...toUnassignedReading(row),
});

const toRow = (reading: UnassignedReading): RecordedReading => ({
  device: reading.device,
  at: reading.at,
  type: reading.type,
  value: reading.value,
  position: reading.position,
  depth_cm: reading.depthCm,
  minutes: reading.minutes,
  is_day_total: toFlag(reading.isDayTotal),
});

/** Equal for readings of one sensor, or of one kind of weather. */
const sourceKey = ({ type, position, depthCm, minutes, isDayTotal }: UnassignedReading): string =>
  JSON.stringify([type, position, depthCm, minutes, isDayTotal]);

/** Equal for readings of which only the last one received counts. */
const readingKey = (reading: UnassignedReading): string =>
  JSON.stringify([reading.device, reading.at, sourceKey(reading)]);

const readingsOf = (db: CompanyDb, devices: readonly string[]) =>
  db
    .selectFrom('device_readings')
    .selectAll()
    .where('device', 'in', devices)
    .orderBy('device')
    .orderBy('at')
    .orderBy('type')
    .orderBy('id');

const readingsWithoutFields = preparedListQuery((db, devices: readonly string[], limit: number) =>
  readingsOf(db, devices)
    .where('type', 'not like', `${fieldType('')}%`)
    .limit(limit),
);

/** The devices that have readings here, also assigned ones with fields that nobody chose. */
export async function devicesWithReadings(db: CompanyDb): Promise<ReadonlySet<string>> {
  const rows = await db.selectFrom('device_readings').select('device').distinct().execute();
  return new Set(rows.map(({ device }) => device));
}

/** True also if all of them are fields that nobody chose. */
export async function hasReadingsOfAssigned(db: CompanyDb): Promise<boolean> {
  const device = await db
    .selectFrom('devices')
    .select('name')
    .where('module_id', 'is not', null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('device_readings')
          .select('device_readings.id')
          .whereRef('device_readings.device', '=', 'devices.name'),
      ),
    )
    .limit(1)
    .executeTakeFirst();
  return device !== undefined;
}

export async function unassignedReadings(db: CompanyDb, device: string): Promise<StoredReading[]> {
  const rows = await readingsOf(db, [device]).execute();
  return rows.map(toStoredReading);
}

/**
 * At most `limit` of those that can be written once their devices are assigned, of each device the
 * oldest: of the fields of messages only the chosen ones.
 */
export async function readingsOfDevices(
  db: CompanyDb,
  chosenFields: ReadonlyMap<string, readonly FieldChoice[]>,
  limit: number,
): Promise<StoredReading[]> {
  const readings: StoredReading[] = [];
  for (const chunk of chunksOf([...chosenFields.keys()], ROWS_PER_QUERY)) {
    if (readings.length >= limit) break;
    const rows = await readingsWithoutFields(db, chunk, limit - readings.length);
    readings.push(...rows.map(toStoredReading));
  }

  for (const [device, fields] of chosenFields) {
    if (readings.length >= limit) break;
    if (fields.length === 0) continue;
    const types = fields.map(({ name }) => fieldType(name));
    const rows = await readingsOf(db, [device])
      .where('type', 'in', types)
      .limit(limit - readings.length)
      .execute();
    readings.push(...rows.map(toStoredReading));
  }
  return readings;
}

/** Returns how many readings were new or had another value. */
export async function upsertUnassignedReadings(
  db: CompanyDb,
  readings: readonly UnassignedReading[],
): Promise<number> {
  const byKey = new Map(readings.map((reading) => [readingKey(reading), reading]));
  const byDevice = groupBy(byKey.values(), (reading) => reading.device);
  let changedCount = 0;

  for (const [device, readingsOfDevice] of byDevice) {
    const storedByKey = await storedInPeriodOf(db, device, readingsOfDevice);
    const newReadings: UnassignedReading[] = [];

    for (const reading of readingsOfDevice) {
      const before = storedByKey.get(readingKey(reading));
      if (before === undefined) newReadings.push(reading);
      else if (before.value !== reading.value) {
        await updateValue(db, before.id, reading.value);
        changedCount++;
      }
    }

    for (const chunk of chunksOf(newReadings, ROWS_PER_QUERY))
      await db.insertInto('device_readings').values(chunk.map(toRow)).execute();
    changedCount += newReadings.length;

    await deleteBeyondLimit(db, device);
  }

  return changedCount;
}

/** The stored readings of a device in the period of these, by their keys. */
async function storedInPeriodOf(
  db: CompanyDb,
  device: string,
  readings: readonly UnassignedReading[],
): Promise<Map<string, StoredReading>> {
  let from = Number.POSITIVE_INFINITY;
  let to = Number.NEGATIVE_INFINITY;
  for (const { at } of readings) {
    from = Math.min(from, at);
    to = Math.max(to, at);
  }

  const rows = await db
    .selectFrom('device_readings')
    .selectAll()
    .where('device', '=', device)
    .where('at', '>=', from)
    .where('at', '<=', to)
    .execute();
  return new Map(rows.map(toStoredReading).map((reading) => [readingKey(reading), reading]));
}

const updateValue = (db: CompanyDb, id: number, value: number) =>
  db.updateTable('device_readings').set({ value }).where('id', '=', id).execute();

/** Undefined below the limit. */
const oldestKeptReading = (db: CompanyDb, device: string) =>
  db
    .selectFrom('device_readings')
    .select('at')
    .where('device', '=', device)
    .orderBy('at', 'desc')
    .offset(MAX_UNASSIGNED_READINGS - 1)
    .limit(1)
    .executeTakeFirst();

/** Stores readings of one device again, up to the limit. */
export async function restoreUnassignedReadings(
  db: CompanyDb,
  device: string,
  readings: readonly UnassignedReading[],
): Promise<void> {
  const oldestKept = await oldestKeptReading(db, device);
  const newer = readings.filter(({ at }) => oldestKept === undefined || at >= oldestKept.at);
  await upsertUnassignedReadings(db, newer);
}

async function deleteBeyondLimit(db: CompanyDb, device: string): Promise<void> {
  const oldestKept = await oldestKeptReading(db, device);
  if (oldestKept === undefined) return;

  await db
    .deleteFrom('device_readings')
    .where('device', '=', device)
    .where('at', '<', oldestKept.at)
    .execute();
}

/** Deletes exactly these readings, because others may have arrived since they were read. */
export async function deleteUnassignedReadings(
  db: CompanyDb,
  readings: readonly StoredReading[],
): Promise<void> {
  const ids = readings.map(({ id }) => id);
  for (const chunk of chunksOf(ids, ROWS_PER_QUERY))
    await db.deleteFrom('device_readings').where('id', 'in', chunk).execute();
}

/** The newest reading of each sensor and kind of weather, with the number of its readings. */
export async function newestUnassignedReadings(
  db: CompanyDb,
  device: string,
): Promise<(UnassignedReading & { readonly count: number })[]> {
  const sources = ['type', 'position', 'depth_cm', 'minutes', 'is_day_total'] as const;
  const groups = await db
    .selectFrom('device_readings')
    .select(sources)
    .select((eb) => [eb.fn.max('at').as('at'), eb.fn.countAll<number>().as('count')])
    .where('device', '=', device)
    .groupBy(sources)
    .execute();
  if (groups.length === 0) return [];

  const rows = await db
    .selectFrom('device_readings')
    .selectAll()
    .where('device', '=', device)
    .where('at', 'in', [...new Set(groups.map(({ at }) => at))])
    .orderBy('type')
    .orderBy('position', (position) => position.asc().nullsFirst())
    .orderBy('depth_cm', (depth) => depth.asc().nullsFirst())
    .orderBy('id')
    .execute();
  const readings = new Map(
    rows.map(toUnassignedReading).map((reading) => [readingKey(reading), reading]),
  );

  // A key leaves out the value, hence the 0. A row that was read only because another group has its
  // newest reading at that instant is not the newest of its own group, and gets no count.
  const countByKey = new Map<string, number>();
  for (const { count, ...group } of groups)
    countByKey.set(readingKey(toUnassignedReading({ ...group, device, value: 0 })), count);

  return [...readings].flatMap(([key, reading]) => {
    const count = countByKey.get(key);
    return count === undefined ? [] : [{ ...reading, count }];
  });
}

interface SendingDevice {
  readonly name: string;
  /** The readings of its newest instant. */
  readonly newest: readonly (Pick<UnassignedReading, 'type' | 'value'> & {
    /** In cm. */
    readonly depth: number | null;
  })[];
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
    const newest = await readings
      .select(['type', 'depth_cm as depth', 'value'])
      .where('at', '=', newestAt)
      .orderBy('type')
      .orderBy('depth_cm')
      .execute();
    found.push({ name, newest });
  }

  return found;
}
