import { AcequiaError, type ErrorReporter, storeUnavailable } from '../../schema/error.ts';
import type { Store } from '../../store/store.ts';
import { wrappedStore } from '../../store/store-interface.ts';

const TRY_AGAIN = 'Try again in a while.';

/** Errors for clients carry only the reference under which the log has the location. */
export function withRedactedLocation(store: Store, report: ErrorReporter): Store {
  const redact = async (error: unknown): Promise<never> => {
    if (!(error instanceof AcequiaError) || error.code !== 'STORE_UNAVAILABLE') throw error;
    const reference = await report(error);
    throw storeUnavailable(
      `The store of this service cannot be used at present (reference ${reference}).`,
      error.hint ?? TRY_AGAIN,
    );
  };
  return wrappedStore(store, (_, run) => run().catch(redact));
}
