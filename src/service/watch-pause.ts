import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { isLeaseWithPrefixHeld, releaseLease, takeLease } from '../store/leases.ts';
import type { Store } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';

/** How long an import that says nothing more holds the watch up, in ms of real time; it says so more often than that. */
const PAUSE_LEASE_MS = 30_000;
const RENEW_EVERY_MS = 10_000;

const pauseLeaseName = (companyId: number): string => `import into ${companyId}: `;

/**
 * Runs an import while nothing looks at the company's alerts: half a file may hold one sensor of several, and the whole of
 * it is judged at its end. One that dies holds the watch up no longer than half a minute.
 */
export async function withEvaluationPaused<T>(store: Store, companyId: number, work: () => Promise<T>): Promise<T> {
  const holder = randomUUID();
  const lease = { name: pauseLeaseName(companyId) + holder, holder };
  // In no company's turn: the row is this import's own.
  const renew = () =>
    store.writeUnlocked((all) => takeLease(all, { ...lease, until: Date.now() + PAUSE_LEASE_MS }, Date.now()));
  await renew();
  let renewal: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    renewal = renew().catch(() => undefined);
  }, RENEW_EVERY_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    await renewal;
    await store.writeUnlocked((all) => releaseLease(all, lease));
  }
}

/** Whether an import into a company is running. */
export const isEvaluationPaused = (all: Kysely<Tables>, companyId: number): Promise<boolean> =>
  isLeaseWithPrefixHeld(all, pauseLeaseName(companyId), Date.now());
