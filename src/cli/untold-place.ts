import type { Report } from '../operation/told.ts';
import { AcequiaError, storeUnavailable } from '../schema/error.ts';
import type { Store } from '../store/store.ts';

const TRY_AGAIN = 'Try again in a while.';

/**
 * The same store, whose failures do not tell strangers where it is: that stands in the log, under the reference that they
 * are given.
 */
export function withPlaceUntold(store: Store, report: Report): Store {
  const untold = async (error: unknown): Promise<never> => {
    if (!(error instanceof AcequiaError) || error.code !== 'STORE_UNAVAILABLE') throw error;
    const reference = await report(error);
    throw storeUnavailable(
      `The store of this service cannot be used at present (reference ${reference}).`,
      error.hint ?? TRY_AGAIN,
    );
  };
  return {
    read: (companyId, body, observer) => store.read(companyId, body, observer).catch(untold),
    write: (companyId, body, observer) => store.write(companyId, body, observer).catch(untold),
    writeFor: (companyId, body, observer) => store.writeFor(companyId, body, observer).catch(untold),
    readAll: (body, observer) => store.readAll(body, observer).catch(untold),
    writeAll: (body, observer) => store.writeAll(body, observer).catch(untold),
    writeBeside: (body, observer) => store.writeBeside(body, observer).catch(untold),
    confine: (db, companyId) => store.confine(db, companyId),
    keepAhead: (now) => store.keepAhead(now),
    close: () => store.close(),
  };
}
