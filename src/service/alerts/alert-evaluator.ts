import type { CompanyRecord } from '../../store/company/companies.ts';
import type { Store } from '../../store/store.ts';

export interface AlertEvaluatorOptions {
  readonly store: Store;
  readonly clock: () => number;
  readonly onEvaluated?: (signal: AbortSignal) => void;
  readonly report: (error: unknown) => Promise<unknown>;
}

export function createAlertEvaluator({ store, clock, onEvaluated, report }: AlertEvaluatorOptions) {
  const stopping = new AbortController();
  const { signal } = stopping;
  const running = new Map<number, { isRequestedAgain: boolean; done: Promise<void> }>();

  async function run(company: CompanyRecord): Promise<void> {
    const { evaluateCompanyAlerts } = await import('./company-alert-evaluation.ts');
    for (;;) {
      await evaluateCompanyAlerts(store, company, { now: clock(), signal }).catch(report);
      onEvaluated?.(signal);
      const state = running.get(company.id)!;
      if (!state.isRequestedAgain || signal.aborted) break;
      state.isRequestedAgain = false;
    }
    running.delete(company.id);
  }

  return {
    /** Calls during an evaluation lead to one more evaluation after it. */
    evaluate(company: CompanyRecord) {
      const state = running.get(company.id);
      if (state) state.isRequestedAgain = true;
      else if (!signal.aborted) {
        const evaluation = { isRequestedAgain: false, done: Promise.resolve() };
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
