import type { Lang } from '../domain/lang.ts';
import { alertsDue } from '../store/alert-states.ts';
import type { CompanyRecord } from '../store/companies.ts';
import type { Store } from '../store/store.ts';
import type { CompanyDb } from '../store/tables.ts';
import { computeEvaluation, recordEvaluation } from './alert-watch.ts';
import { isEvaluationPaused } from './watch-pause.ts';

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
