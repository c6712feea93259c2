import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { alertsDue } from '../../store/alerts/alert-states.ts';
import type { CompanyRecord } from '../../store/company/companies.ts';
import { isLeaseWithPrefixHeld } from '../../store/leases.ts';
import type { Store } from '../../store/store.ts';
import type { CompanyDb, Tables } from '../../store/tables.ts';
import { claimLease, withLease } from '../lease.ts';
import { computeEvaluation, recordEvaluation } from './alert-evaluation.ts';

const PAUSE_LEASE_MS = 30_000;
const RENEW_EVERY_MS = 10_000;

const pauseLeaseName = (companyId: number): string => `import into ${companyId}: `;

/** Half a file may hold one sensor of several. A crashed import delays evaluation by at most half a minute. */
export async function withEvaluationPaused<T>(store: Store, companyId: number, work: () => Promise<T>): Promise<T> {
  const holder = randomUUID();
  const lease = { name: pauseLeaseName(companyId) + holder, holder, durationMs: PAUSE_LEASE_MS };
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
  isLeaseWithPrefixHeld(all, pauseLeaseName(companyId), Date.now());

export interface EvaluationOptions {
  readonly now: number;
  readonly signal?: AbortSignal | undefined;
}

export type RunInWrite = <T>(step: (db: CompanyDb) => Promise<T>) => Promise<T>;

/** Evaluates without a write lock, and again if readings arrived before the result was recorded. */
export async function evaluateAlert(
  store: Store,
  company: CompanyRecord,
  id: string,
  now: number,
  write: RunInWrite,
): Promise<number> {
  for (;;) {
    const evaluation = await store.read(company.id, (db) => computeEvaluation({ db, now }, company, id));
    if (evaluation === null) return 0;
    if (await write((db) => recordEvaluation({ db, now }, company, evaluation))) return evaluation.messages.length;
  }
}

export async function evaluateCompanyAlerts(
  store: Store,
  company: CompanyRecord,
  { now, signal }: EvaluationOptions,
): Promise<void> {
  if (await store.readAll((all) => isEvaluationPaused(all, company.id))) return;
  const write: RunInWrite = (step) => store.write(company.id, step);
  for (const id of await store.read(company.id, (db) => alertsDue(db, now))) {
    if (signal?.aborted) return;
    await evaluateAlert(store, company, id, now, write);
  }
}
