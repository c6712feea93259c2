import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { isLeaseWithPrefixHeld } from '../../store/leases.ts';
import type { Store } from '../../store/store.ts';
import type { Tables } from '../../store/tables.ts';
import { claimLease, withLease } from '../lease.ts';

const PAUSE_LEASE_MS = 30_000;
const RENEW_EVERY_MS = 10_000;

const pauseLeasePrefix = (companyId: number): string => `import into ${companyId}: `;

/**
 * While a file is being imported, a cycle may have the readings of only some of its sensors, so
 * alerts are not evaluated. An import that crashes delays the evaluation by at most half a minute.
 */
export async function withEvaluationPaused<T>(
  store: Store,
  companyId: number,
  work: () => Promise<T>,
): Promise<T> {
  const holder = randomUUID();
  const lease = { name: pauseLeasePrefix(companyId) + holder, holder, durationMs: PAUSE_LEASE_MS };
  return withLease(store, lease, async () => {
    let renewal: Promise<unknown> = Promise.resolve();
    const timer = setInterval(() => {
      renewal = store.writeUnlocked((all) => claimLease(all, lease)).catch(() => undefined);
    }, RENEW_EVERY_MS);
    try {
      return await work();
    } finally {
      clearInterval(timer);
      await renewal;
    }
  });
}

export const isEvaluationPaused = (all: Kysely<Tables>, companyId: number): Promise<boolean> =>
  isLeaseWithPrefixHeld(all, pauseLeasePrefix(companyId), Date.now());
