import type { CallTrace } from '../../observe/call-trace.ts';
import type { CallFacts, Surface } from '../../observe/listener.ts';
import { errorCodeOf, observedStore } from '../../observe/observed-store.ts';
import type { Observer } from '../../observe/observer.ts';
import type { Store } from '../../store/store.ts';

/** What a process does by itself, followed as a call is. */
export interface Job<T> {
  readonly surface: Extract<Surface, 'tick' | 'mail'>;
  readonly operation: string;
  readonly store: Store;
  readonly observer: Observer;
  run(store: Store, trail: CallTrace): Promise<T>;
  /** How much was done of what; nothing where all is 0. */
  counts(done: T): CallFacts;
  /** Hears of a failure under the chore's id, before it is thrown. */
  readonly report?: (error: unknown, requestId: string) => Promise<unknown>;
}

export async function runJob<T>(job: Job<T>): Promise<T> {
  const { surface, operation, store, observer, run, counts, report } = job;
  const trail = observer.begin({ surface, operation });
  try {
    const result = await run(observedStore(store, trail), trail);
    const facts = counts(result);
    trail.end(null, { facts, isIdle: Object.values(facts).every((count) => count === 0) });
    return result;
  } catch (error) {
    trail.end(errorCodeOf(error));
    await report?.(error, trail.requestId);
    throw error;
  }
}
