import type { Lang } from '../../domain/lang.ts';
import type { CompanyRecord } from '../../store/company/companies.ts';
import type { Store } from '../../store/store.ts';
import { evaluateCompanyAlerts } from './company-alert-evaluation.ts';

/** Looks at the alerts of companies that readings have come for, beside all else that a process does. */
export interface AlertEvaluator {
  /** Looks at once; readings that come while it looks call for another look after it, however many they are. */
  evaluate(company: CompanyRecord): void;
  /** Looks no more; resolves when nothing is being looked at. */
  close(): Promise<void>;
}

export interface AlertEvaluatorOptions {
  readonly store: Store;
  readonly clock: () => number;
  readonly lang?: Lang | undefined;
  /** Hears that a look is over: there may be messages to send. */
  readonly onEvaluated?: (signal: AbortSignal) => void;
  readonly report: (error: unknown) => Promise<unknown>;
}

export function createAlertEvaluator({
  store,
  clock,
  lang,
  onEvaluated,
  report,
}: AlertEvaluatorOptions): AlertEvaluator {
  const stopping = new AbortController();
  const { signal } = stopping;
  /** Companies that are being looked at, and whether another look is called for. */
  const running = new Map<number, { isCalledAgain: boolean; done: Promise<void> }>();

  async function run(company: CompanyRecord): Promise<void> {
    for (;;) {
      await evaluateCompanyAlerts(store, company, { now: clock(), lang, signal }).catch(report);
      onEvaluated?.(signal);
      const state = running.get(company.id)!;
      if (!state.isCalledAgain || signal.aborted) break;
      state.isCalledAgain = false;
    }
    running.delete(company.id);
  }

  return {
    evaluate(company) {
      const state = running.get(company.id);
      if (state) state.isCalledAgain = true;
      else if (!signal.aborted) {
        const evaluation = { isCalledAgain: false, done: Promise.resolve() };
        running.set(company.id, evaluation);
        evaluation.done = run(company);
      }
    },
    async close() {
      stopping.abort();
      await Promise.all([...running.values()].map(({ done }) => done));
    },
  };
}
