import type { Lang } from '../domain/lang.ts';
import { alertsToLookAt } from '../store/alert-states.ts';
import type { Company } from '../store/companies.ts';
import type { Store } from '../store/store.ts';
import type { CompanyDb } from '../store/tables.ts';
import { lookAt, recordLook } from './alert-watch.ts';
import { isWatchPaused } from './watch-pause.ts';

export interface Watch {
  /** ms. */
  readonly now: number;
  /** Language of messages; left out, that of each company's country. */
  readonly lang?: Lang | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Runs a step in a write transaction of its own; null where it may not any more. */
type Writing = <T>(step: (db: CompanyDb) => Promise<T>) => Promise<T | null>;

/**
 * Looks at an alert and records what it found, again where readings came between: the look holds no write lock. Returns how
 * many messages that called for, null where `writing` may not any more.
 */
export async function watchAlert(
  store: Store,
  company: Company,
  id: string,
  { now, lang }: Omit<Watch, 'signal'>,
  writing: Writing,
): Promise<number | null> {
  for (;;) {
    const look = await store.read(company.id, (db) => lookAt({ db, now }, company, id));
    if (look === null) return 0;
    const isRecorded = await writing((db) => recordLook({ db, now }, company, look, lang));
    if (isRecorded !== false) return isRecorded && look.messages.length;
  }
}

/** Looks at every alert of a company that readings or time call to look at, unless an import into it is running. */
export async function watchCompany(store: Store, company: Company, { now, lang, signal }: Watch): Promise<void> {
  if (await store.readAll((all) => isWatchPaused(all, company.id))) return;
  const writing: Writing = (step) => store.write(company.id, step);
  for (const id of await store.read(company.id, (db) => alertsToLookAt(db, now))) {
    if (signal?.aborted) return;
    await watchAlert(store, company, id, { now, lang }, writing);
  }
}
