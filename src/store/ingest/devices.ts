import type { Kysely, Selectable } from 'kysely';
import type { CompanyDb, CompanyTables, Tables } from '../tables.ts';

/** Of a company. More are counted, but not listed: on a shared broker anything can send. */
export const MAX_UNASSIGNED_DEVICES = 200;
/** Of each device that is not assigned: the newest. */
export const MAX_KEPT_READINGS = 5_000;

export type DeviceRecord = Selectable<CompanyTables['devices']>;
export type KeptReading = Selectable<CompanyTables['device_readings']>;

export const allDevices = (db: CompanyDb): Promise<DeviceRecord[]> =>
  db.selectFrom('devices').selectAll().orderBy('name').execute();

export const deviceNamed = (db: CompanyDb, name: string): Promise<DeviceRecord | undefined> =>
  db.selectFrom('devices').selectAll().where('name', '=', name).executeTakeFirst();

export async function saveDevice(db: CompanyDb, row: DeviceRecord): Promise<void> {
  const { name: _, ...columns } = row;
  await db
    .insertInto('devices')
    .values(row)
    .onConflict((conflict) => conflict.column('name').doUpdateSet(columns))
    .execute();
}

export const keptReadings = (db: CompanyDb, device: string): Promise<KeptReading[]> =>
  db
    .selectFrom('device_readings')
    .selectAll()
    .where('device', '=', device)
    .orderBy('at')
    .orderBy('type')
    .orderBy('place')
    .execute();

const ROWS_PER_QUERY = 500;

export async function keepReadings(db: CompanyDb, rows: readonly KeptReading[]): Promise<void> {
  for (let start = 0; start < rows.length; start += ROWS_PER_QUERY)
    await db
      .insertInto('device_readings')
      .values(rows.slice(start, start + ROWS_PER_QUERY))
      .onConflict((conflict) =>
        conflict.columns(['device', 'at', 'type', 'place']).doUpdateSet((eb) => ({ value: eb.ref('excluded.value') })),
      )
      .execute();
  for (const device of new Set(rows.map((row) => row.device))) await deleteOldest(db, device);
}

async function deleteOldest(db: CompanyDb, device: string): Promise<void> {
  const oldestKept = await db
    .selectFrom('device_readings')
    .select('at')
    .where('device', '=', device)
    .orderBy('at', 'desc')
    .offset(MAX_KEPT_READINGS - 1)
    .limit(1)
    .executeTakeFirst();
  if (oldestKept === undefined) return;
  await db.deleteFrom('device_readings').where('device', '=', device).where('at', '<', oldestKept.at).execute();
}

export async function deleteKeptReadings(db: CompanyDb, rows: readonly KeptReading[]): Promise<void> {
  const { min, max } = Math;
  for (const device of new Set(rows.map((row) => row.device))) {
    const instants = rows.filter((row) => row.device === device).map(({ at }) => at);
    await db
      .deleteFrom('device_readings')
      .where('device', '=', device)
      .where(
        'at',
        '>=',
        instants.reduce((a, b) => min(a, b)),
      )
      .where(
        'at',
        '<=',
        instants.reduce((a, b) => max(a, b)),
      )
      .execute();
  }
}

export interface UnassignedDevice {
  readonly name: string;
  /** Of its newest instant. */
  readonly newest: readonly Pick<KeptReading, 'type' | 'value'>[];
}

/** Of all companies. */
export async function unassignedDevices(all: Kysely<Tables>, limit: number): Promise<UnassignedDevice[]> {
  const devices = await all
    .selectFrom('devices')
    .select(['company_id', 'name'])
    .where('module_id', 'is', null)
    .orderBy('last_seen_at', 'desc')
    .limit(limit)
    .execute();
  const found: UnassignedDevice[] = [];
  for (const { company_id: companyId, name } of devices) {
    const ofDevice = all.selectFrom('device_readings').where('company_id', '=', companyId).where('device', '=', name);
    const newestAt = ofDevice.select((eb) => eb.fn.max('at').as('at'));
    found.push({
      name,
      newest: await ofDevice.select(['type', 'value']).where('at', '=', newestAt).orderBy('type').execute(),
    });
  }
  return found;
}
