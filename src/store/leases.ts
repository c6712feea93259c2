import type { Kysely } from 'kysely';
import type { Tables } from './tables.ts';

/**
 * Takes or renews a lease; false while another holder has it. A single statement decides and writes, so of several
 * simultaneous requests one succeeds. Instants are real time, in ms.
 */
export async function takeLease(
  db: Kysely<Tables>,
  lease: { name: string; holder: string; until: number },
  now: number,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('leases')
    .values({ name: lease.name, holder: lease.holder, held_until: lease.until })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({ holder: lease.holder, held_until: lease.until })
        .where((eb) => eb.or([eb('leases.holder', '=', lease.holder), eb('leases.held_until', '<=', now)])),
    )
    .executeTakeFirst();
  return Number(numInsertedOrUpdatedRows) > 0;
}

export async function releaseLease(db: Kysely<Tables>, lease: { name: string; holder: string }): Promise<void> {
  await db.deleteFrom('leases').where('name', '=', lease.name).where('holder', '=', lease.holder).execute();
}

export async function isLeaseWithPrefixHeld(db: Kysely<Tables>, prefix: string, now: number): Promise<boolean> {
  const held = await db.selectFrom('leases').select('name').where('held_until', '>', now).execute();
  return held.some(({ name }) => name.startsWith(prefix));
}
