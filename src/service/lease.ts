import type { Kysely } from 'kysely';
import { releaseLease, takeLease } from '../store/leases.ts';
import type { Store } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';

/**
 * Leases expire in real time, even if their holder uses a simulated clock, so that a crashed
 * process blocks nobody.
 */
export interface LeaseClaim {
  readonly name: string;
  readonly holder: string;
  readonly durationMs: number;
}

export class LeaseHeldError extends Error {}

/** Takes or renews a lease; false while another process holds it. */
export function claimLease(
  all: Kysely<Tables>,
  { name, holder, durationMs }: LeaseClaim,
): Promise<boolean> {
  const now = Date.now();
  return takeLease(all, { name, holder, until: now + durationMs }, now);
}

export async function withLease<T>(
  store: Store,
  lease: LeaseClaim,
  work: () => Promise<T>,
): Promise<T> {
  // A lease is one row that belongs to no company, so no company lock is needed.
  if (!(await store.writeUnlocked((all) => claimLease(all, lease)))) throw new LeaseHeldError();
  try {
    return await work();
  } finally {
    await store.writeUnlocked((all) => releaseLease(all, lease));
  }
}
