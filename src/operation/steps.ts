import { storeUnavailable } from '../schema/error.ts';
import type { Store } from '../store/store.ts';

/** Work in several short transactions. */
export type Steps = (store: Store) => Promise<unknown>;

/** Thrown by a transaction that cannot run before these steps. It is rolled back, and begun again after them. */
export class StepsRequired extends Error {
  readonly steps: Steps;

  constructor(steps: Steps) {
    super('Other transactions have to run first');
    this.steps = steps;
  }
}

/** Others may cause new work in between. */
const MAX_ATTEMPTS = 10;

export async function withRequiredSteps<T>(store: Store, attempt: () => Promise<T>): Promise<T> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof StepsRequired)) throw error;
      if (attempts === MAX_ATTEMPTS)
        throw storeUnavailable('Planned waterings are still being computed.', 'Repeat the call in a moment.');
      await error.steps(store);
    }
  }
}
