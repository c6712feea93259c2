import type { ExpressionBuilder, Kysely } from 'kysely';
import { MINUTE_MS } from '../domain/periods.ts';
import { preparedGlobalQuery } from './queries/prepared-query.ts';
import type { Tables } from './tables.ts';

/**
 * Longer than any lease plus the difference of two machines' clocks. A lease that ends later is
 * invalid.
 */
export const MAX_LEASE_MS = 10 * MINUTE_MS;

/**
 * Takes a lease that nobody else holds, or renews one; false if another holder has it. A single
 * statement decides and writes, so only one of several simultaneous requests succeeds. `now` is
 * real time.
 */
export async function takeLease(
  db: Kysely<Tables>,
  lease: { name: string; holder: string; until: number },
  now: number,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('leases')
    .values({ name: lease.name, holder: lease.holder, expires_at: lease.until })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({ holder: lease.holder, expires_at: lease.until })
        .where((eb) => eb.or([eb('leases.holder', '=', lease.holder), eb.not(isHeld(eb, now))])),
    )
    .executeTakeFirst();

  return Number(numInsertedOrUpdatedRows) > 0;
}

export async function releaseLease(
  db: Kysely<Tables>,
  lease: { name: string; holder: string },
): Promise<void> {
  await db
    .deleteFrom('leases')
    .where('name', '=', lease.name)
    .where('holder', '=', lease.holder)
    .execute();
}

export async function isLeaseWithPrefixHeld(
  db: Kysely<Tables>,
  prefix: string,
  now: number,
): Promise<boolean> {
  const heldLeases = await leasesUntil(db, now, now + MAX_LEASE_MS);
  return heldLeases.some(({ name }) => name.startsWith(prefix));
}

const isHeld = (
  eb: ExpressionBuilder<Tables, 'leases'>,
  now: number,
  latest = now + MAX_LEASE_MS,
) => eb.and([eb('leases.expires_at', '>', now), eb('leases.expires_at', '<=', latest)]);

const leasesUntil = preparedGlobalQuery((db, now: number, latest: number) =>
  db
    .selectFrom('leases')
    .select('name')
    .where((eb) => isHeld(eb, now, latest)),
);
