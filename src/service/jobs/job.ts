import type { CallTrace } from '../../observe/call-trace.ts';
import type { CallFacts, Surface } from '../../observe/listener.ts';
import { errorCodeOf, observedStore } from '../../observe/observed-store.ts';
import type { Observer } from '../../observe/observer.ts';
import type { Store } from '../../store/store.ts';

export interface Job<T> {
  readonly surface: Extract<Surface, 'tick' | 'mail'>;
  readonly operation: string;
  readonly store: Store;
  readonly observer: Observer;
  run(store: Store, trace: CallTrace): Promise<T>;
  counts(result: T): CallFacts;
  readonly report?: (error: unknown, requestId: string) => Promise<unknown>;
}

export async function runJob<T>({ surface, operation, store, observer, run, counts, report }: Job<T>): Promise<T> {
  const trace = observer.begin({ surface, operation });
  try {
    const result = await run(observedStore(store, trace), trace);
    const facts = counts(result);
    trace.end(null, { facts, isIdle: Object.values(facts).every((count) => count === 0) });
    return result;
  } catch (error) {
    trace.end(errorCodeOf(error));
    await report?.(error, trace.requestId);
    throw error;
  }
}
