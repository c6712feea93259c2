import { AcequiaError, type ErrorReporter, storeUnavailable } from '../../schema/error.ts';
import type { Store } from '../../store/store.ts';

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
  return {
    read: (companyId, body, observer) => store.read(companyId, body, observer).catch(redact),
    write: (companyId, body, observer) => store.write(companyId, body, observer).catch(redact),
    writeUnscoped: (companyId, body, observer) => store.writeUnscoped(companyId, body, observer).catch(redact),
    readAll: (body, observer) => store.readAll(body, observer).catch(redact),
    writeAll: (body, observer) => store.writeAll(body, observer).catch(redact),
    writeUnlocked: (body, observer) => store.writeUnlocked(body, observer).catch(redact),
    scopeToCompany: (db, companyId) => store.scopeToCompany(db, companyId),
    ensurePartitions: (now) => store.ensurePartitions(now),
    close: () => store.close(),
  };
}
