import type { Kysely } from 'kysely';
import type { Tables } from './tables.ts';

/** What a look at the store as a whole needs; over all companies. Instants are in ms. */

/** When the newest row was written or, of readings, taken; null in an empty store. */
export async function newestInstant(db: Kysely<Tables>): Promise<number | null> {
  const { fn } = db;
  const written = await Promise.all([
    db.selectFrom('waterings').select(fn.max<number | null>('created_at').as('at')).executeTakeFirst(),
    db.selectFrom('annotations').select(fn.max<number | null>('updated_at').as('at')).executeTakeFirst(),
    db.selectFrom('alerts').select(fn.max<number | null>('updated_at').as('at')).executeTakeFirst(),
  ]);
  const taken = await db
    .selectFrom('sensors')
    // Looked up at the end of each sensor's own readings, however many there are.
    .select((sensor) =>
      sensor
        .selectFrom('readings')
        .whereRef('readings.sensor_id', '=', 'sensors.id')
        .select((reading) => reading.fn.max<number | null>('at').as('at'))
        .as('at'),
    )
    .execute();
  const known = [...written, ...taken].map((row) => row?.at ?? null).filter((at) => at !== null);
  return known.length === 0 ? null : known.reduce((latest, at) => Math.max(latest, at));
}

/** The zones that local times are read in, with whom they belong to. */
export async function zonesInUse(
  db: Kysely<Tables>,
): Promise<{ owner: 'company' | 'schedule'; name: string; zone: string | null }[]> {
  const companies = await db.selectFrom('companies').select(['name', 'timezone']).orderBy('id').execute();
  const schedules = await db
    .selectFrom('schedules')
    .select(['id', 'timezone'])
    .where('is_active', '=', 1)
    .orderBy('id')
    .execute();
  return [
    ...companies.map(({ name, timezone }) => ({ owner: 'company' as const, name, zone: timezone })),
    ...schedules.map(({ id, timezone }) => ({ owner: 'schedule' as const, name: `#${id}`, zone: timezone })),
  ];
}

/** Who holds what, until when in real time. */
export const allLeases = (db: Kysely<Tables>) => db.selectFrom('leases').selectAll().orderBy('name').execute();

/** How many alerts fire. */
export async function firingAlertCount(db: Kysely<Tables>): Promise<number> {
  const { count } = await db
    .selectFrom('alert_states')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('firing', '=', 1)
    .executeTakeFirstOrThrow();
  return count;
}

/** How many alerts are watched and tell somebody. */
export async function watchedAlertCount(db: Kysely<Tables>): Promise<number> {
  const { count } = await db
    .selectFrom('alerts')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('is_active', '=', 1)
    .where('module_id', 'is not', null)
    .executeTakeFirstOrThrow();
  return count;
}

/** Of more addresses than this not each is asked for. */
const MAX_ADDRESSES = 20;

/** The addresses that mail goes to: of the recipients of alerts that are watched, else of the first OWNER. */
export async function mailAddresses(db: Kysely<Tables>): Promise<string[]> {
  const recipients = await db
    .selectFrom('alert_recipients')
    .innerJoin('alerts', 'alerts.id', 'alert_recipients.alert_id')
    .innerJoin('users', 'users.id', 'alert_recipients.user_id')
    .select('users.email')
    .distinct()
    .where('alerts.is_active', '=', 1)
    .where('alerts.module_id', 'is not', null)
    .orderBy('users.email')
    .limit(MAX_ADDRESSES)
    .execute();
  if (recipients.length > 0) return recipients.map(({ email }) => email);
  const owners = db.selectFrom('users').select('email').where('role', '=', 'OWNER').orderBy('id').limit(1);
  return (await owners.execute()).map(({ email }) => email);
}
