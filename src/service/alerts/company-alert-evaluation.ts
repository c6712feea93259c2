import { alertsDue } from '../../store/alerts/alert-states.ts';
import type { CompanyRecord } from '../../store/company/companies.ts';
import type { Store } from '../../store/store.ts';
import type { CompanyDb } from '../../store/tables.ts';
import { computeEvaluation, recordEvaluation } from './alert-evaluation.ts';
import { isEvaluationPaused } from './evaluation-pause.ts';

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
