import type { Kysely, SelectQueryBuilder } from 'kysely';
import type { Tables } from './tables.ts';

/** The newest instant in the store: of something that people wrote, or of a reading; in ms. */
export async function newestInstant(db: Kysely<Tables>): Promise<number | null> {
  const { fn } = db;
  const newestChanges = await Promise.all([
    db
      .selectFrom('waterings')
      .select(fn.max<number | null>('created_at').as('at'))
      .executeTakeFirst(),
    db
      .selectFrom('annotations')
      .select(fn.max<number | null>('updated_at').as('at'))
      .executeTakeFirst(),
    db.selectFrom('alerts').select(fn.max<number | null>('updated_at').as('at')).executeTakeFirst(),
  ]);

  const newestReadings = await db
    .selectFrom('sensors')
    // One lookup per sensor by the primary key of the readings, which begins with the company.
    .select((sensor) =>
      sensor
        .selectFrom('readings')
        .whereRef('readings.company_id', '=', 'sensors.company_id')
        .whereRef('readings.sensor_id', '=', 'sensors.id')
        .select((reading) => reading.fn.max<number | null>('at').as('at'))
        .as('at'),
    )
    .execute();

  const instants = [...newestChanges, ...newestReadings].flatMap((row) => row?.at ?? []);
  return instants.length === 0 ? null : instants.reduce((latest, at) => Math.max(latest, at));
}

type ZoneOwner =
  | { readonly kind: 'company'; readonly name: string }
  | { readonly kind: 'schedule'; readonly id: number };

export interface ZoneInUse {
  readonly owner: ZoneOwner;
  /** Null for a company without one, which uses the default. */
  readonly zone: string | null;
}

export async function zonesInUse(db: Kysely<Tables>): Promise<ZoneInUse[]> {
  const companies = await db
    .selectFrom('companies')
    .select(['name', 'timezone'])
    .orderBy('id')
    .execute();

  const schedules = await db
    .selectFrom('schedules')
    .select(['id', 'timezone'])
    .where('is_active', '=', 1)
    .orderBy('id')
    .execute();

  return [
    ...companies.map(
      ({ name, timezone }): ZoneInUse => ({ owner: { kind: 'company', name }, zone: timezone }),
    ),
    ...schedules.map(
      ({ id, timezone }): ZoneInUse => ({ owner: { kind: 'schedule', id }, zone: timezone }),
    ),
  ];
}

export const allLeases = (db: Kysely<Tables>) =>
  db.selectFrom('leases').selectAll().orderBy('name').execute();

export const firingAlertCount = (db: Kysely<Tables>): Promise<number> =>
  rowCount(db.selectFrom('alert_states').where('is_firing', '=', 1));

export const watchedAlertCount = (db: Kysely<Tables>): Promise<number> =>
  rowCount(db.selectFrom('alerts').where('is_active', '=', 1).where('module_id', 'is not', null));

const MAX_ADDRESSES = 20;

/** Some recipients of active alerts; without any, the first OWNER. */
export async function mailAddresses(db: Kysely<Tables>): Promise<string[]> {
  const recipients = await db
    .selectFrom('alert_recipients')
    .innerJoin('alerts', (join) =>
      join
        .onRef('alerts.company_id', '=', 'alert_recipients.company_id')
        .onRef('alerts.id', '=', 'alert_recipients.alert_id'),
    )
    .innerJoin('users', (join) =>
      join
        .onRef('users.company_id', '=', 'alert_recipients.company_id')
        .onRef('users.id', '=', 'alert_recipients.user_id'),
    )
    .select('users.email')
    .distinct()
    .where('alerts.is_active', '=', 1)
    .where('alerts.module_id', 'is not', null)
    .orderBy('users.email')
    .limit(MAX_ADDRESSES)
    .execute();
  if (recipients.length > 0) return recipients.map(({ email }) => email);

  const owners = db
    .selectFrom('users')
    .select('email')
    .where('role', '=', 'OWNER')
    .orderBy('id')
    .limit(1);

  return (await owners.execute()).map(({ email }) => email);
}

export async function rowCount<DB, TB extends keyof DB>(
  query: SelectQueryBuilder<DB, TB, object>,
): Promise<number> {
  const counted = query.select((eb) => eb.fn.countAll().as('count')).$castTo<{ count: number }>();
  return (await counted.executeTakeFirstOrThrow()).count;
}
