import type { Lang } from '../domain/lang.ts';
import type { Company } from '../store/companies.ts';
import type { Store } from '../store/store.ts';
import { watchCompany } from './watch.ts';

/** Looks at the alerts of companies that readings have come for, beside all else that a process does. */
export interface Lookout {
  /** Looks at once; readings that come while it looks call for another look after it, however many they are. */
  look(company: Company): void;
  /** Looks no more; resolves when nothing is being looked at. */
  end(): Promise<void>;
}

export interface LookoutOptions {
  readonly store: Store;
  readonly clock: () => number;
  readonly lang?: Lang | undefined;
  /** Hears that a look is over: there may be messages to send. */
  readonly onLooked?: (signal: AbortSignal) => void;
  readonly report: (error: unknown) => Promise<unknown>;
}

export function lookoutOf({ store, clock, lang, onLooked, report }: LookoutOptions): Lookout {
  const stopping = new AbortController();
  const { signal } = stopping;
  /** Companies that are being looked at, and whether another look is called for. */
  const looking = new Map<number, { isCalledAgain: boolean; done: Promise<void> }>();

  async function watch(company: Company): Promise<void> {
    for (;;) {
      await watchCompany(store, company, { now: clock(), lang, signal }).catch(report);
      onLooked?.(signal);
      const state = looking.get(company.id)!;
      if (!state.isCalledAgain || signal.aborted) break;
      state.isCalledAgain = false;
    }
    looking.delete(company.id);
  }

  return {
    look(company) {
      const state = looking.get(company.id);
      if (state) state.isCalledAgain = true;
      else if (!signal.aborted) {
        const begun = { isCalledAgain: false, done: Promise.resolve() };
        looking.set(company.id, begun);
        begun.done = watch(company);
      }
    },
    async end() {
      stopping.abort();
      await Promise.all([...looking.values()].map(({ done }) => done));
    },
  };
}
