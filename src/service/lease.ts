import type { Kysely } from 'kysely';
import { releaseLease, takeLease } from '../store/leases.ts';
import type { Store } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';

/** Leases run out in real time, whatever clock their holder works by: a process that dies must not block the others. */
export interface LeaseClaim {
  readonly name: string;
  /** Names this process among those that may hold the lease. */
  readonly holder: string;
  readonly durationMs: number;
}

export class LeaseHeldError extends Error {}

/** Takes or renews a lease; false while another holds it. */
export function claimLease(all: Kysely<Tables>, { name, holder, durationMs }: LeaseClaim): Promise<boolean> {
  const now = Date.now();
  return takeLease(all, { name, holder, until: now + durationMs }, now);
}

/** Runs `work` under a lease, and gives the lease back however `work` ends. Throws LeaseHeldError while another holds it. */
export async function withLease<T>(store: Store, lease: LeaseClaim, work: () => Promise<T>): Promise<T> {
  // A lease is one row, which belongs to no company: no company's lock is needed.
  if (!(await store.writeUnlocked((all) => claimLease(all, lease)))) throw new LeaseHeldError();
  try {
    return await work();
  } finally {
    await store.writeUnlocked((all) => releaseLease(all, lease));
  }
}
