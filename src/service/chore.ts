import type { Facts, Surface } from '../observe/listener.ts';
import { codeOf, observedStore } from '../observe/observed-store.ts';
import type { Observer } from '../observe/observer.ts';
import type { Trail } from '../observe/trail.ts';
import type { Store } from '../store/store.ts';

/** What a process does by itself, followed as a call is. */
export interface Chore<T> {
  readonly surface: Extract<Surface, 'tick' | 'mail'>;
  readonly operation: string;
  readonly store: Store;
  readonly observer: Observer;
  run(store: Store, trail: Trail): Promise<T>;
  /** How much was done of what; nothing where all is 0. */
  counts(done: T): Facts;
  /** Hears of a failure under the chore's id, before it is thrown. */
  readonly report?: (error: unknown, requestId: string) => Promise<unknown>;
}

export async function doChore<T>(chore: Chore<T>): Promise<T> {
  const { surface, operation, store, observer, run, counts, report } = chore;
  const trail = observer.begin({ surface, operation });
  try {
    const done = await run(observedStore(store, trail), trail);
    const facts = counts(done);
    trail.end(null, { facts, isIdle: Object.values(facts).every((count) => count === 0) });
    return done;
  } catch (error) {
    trail.end(codeOf(error));
    await report?.(error, trail.requestId);
    throw error;
  }
}
