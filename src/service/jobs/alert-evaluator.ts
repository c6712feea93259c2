import { entryOf } from '../../domain/items.ts';
import type { OperationTransaction } from '../../operation/local/call-context.ts';
import type { CompanyRow } from '../../store/company/companies.ts';
import type { Store } from '../../store/store.ts';

interface AlertEvaluatorOptions {
  readonly store: Store;
  readonly clock: () => number;
  readonly report: (error: unknown) => Promise<unknown>;
  /**
   * `queuedMessages` is null after an evaluation that failed, because some alerts may have queued
   * messages before.
   */
  readonly onEvaluated?: (signal: AbortSignal, queuedMessages: number | null) => void;
}

export function createAlertEvaluator({ store, clock, onEvaluated, report }: AlertEvaluatorOptions) {
  const stopping = new AbortController();
  const { signal } = stopping;
  /** The evaluations under way, by company. */
  const running = new Map<number, { isRequestedAgain: boolean; done: Promise<void> }>();

  async function run(company: CompanyRow): Promise<void> {
    const { evaluateCompanyAlerts } = await import('../alerts/due-evaluations.ts');
    for (;;) {
      const queuedMessages = await evaluateCompanyAlerts(store, company, {
        now: clock(),
        signal,
      }).catch(async (error) => {
        await report(error);
        return null;
      });
      onEvaluated?.(signal, queuedMessages);

      const state = entryOf(running, company.id);
      if (!state.isRequestedAgain || signal.aborted) break;

      state.isRequestedAgain = false;
    }

    running.delete(company.id);
  }

  return {
    /** Calls during an evaluation lead to one more evaluation after it. */
    evaluate(company: CompanyRow) {
      const state = running.get(company.id);
      if (state) state.isRequestedAgain = true;
      else if (!signal.aborted) {
        const evaluation = { isRequestedAgain: false, done: Promise.resolve() };
        running.set(company.id, evaluation);
        evaluation.done = run(company);
      }
    },
    /** As EvaluateAlerts. */
    async evaluateInWrite({ all, db }: OperationTransaction, company: CompanyRow) {
      const { evaluateMarkedAlerts } = await import('../alerts/due-evaluations.ts');
      const queuedMessages = await evaluateMarkedAlerts(all, { db, now: clock() }, company);
      return queuedMessages === null ? null : () => onEvaluated?.(signal, queuedMessages);
    },
    async close() {
      stopping.abort();
      await Promise.all([...running.values()].map(({ done }) => done));
    },
  };
}
