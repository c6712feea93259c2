import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Lang } from '../../domain/lang.ts';
import { alertsDue } from '../../store/alerts/alert-states.ts';
import type { CompanyRecord } from '../../store/company/companies.ts';
import { isLeaseWithPrefixHeld, releaseLease, takeLease } from '../../store/leases.ts';
import type { Store } from '../../store/store.ts';
import type { CompanyDb, Tables } from '../../store/tables.ts';
import { computeEvaluation, recordEvaluation } from './alert-evaluation.ts';

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

export interface EvaluationOptions {
  /** ms. */
  readonly now: number;
  /** Language of messages; left out, that of each company's country. */
  readonly lang?: Lang | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Runs a step in a write transaction of its own; null where it may not any more. */
type RunInWrite = <T>(step: (db: CompanyDb) => Promise<T>) => Promise<T | null>;

/**
 * Looks at an alert and records what it found, again where readings came between: the look holds no write lock. Returns how
 * many messages that called for, null where `writing` may not any more.
 */
export async function evaluateAlert(
  store: Store,
  company: CompanyRecord,
  id: string,
  { now, lang }: Omit<EvaluationOptions, 'signal'>,
  writing: RunInWrite,
): Promise<number | null> {
  for (;;) {
    const look = await store.read(company.id, (db) => computeEvaluation({ db, now }, company, id));
    if (look === null) return 0;
    const isRecorded = await writing((db) => recordEvaluation({ db, now }, company, look, lang));
    if (isRecorded !== false) return isRecorded && look.messages.length;
  }
}

/** Looks at every alert of a company that readings or time call to look at, unless an import into it is running. */
export async function evaluateCompanyAlerts(
  store: Store,
  company: CompanyRecord,
  { now, lang, signal }: EvaluationOptions,
): Promise<void> {
  if (await store.readAll((all) => isEvaluationPaused(all, company.id))) return;
  const writing: RunInWrite = (step) => store.write(company.id, step);
  for (const id of await store.read(company.id, (db) => alertsDue(db, now))) {
    if (signal?.aborted) return;
    await evaluateAlert(store, company, id, { now, lang }, writing);
  }
}
