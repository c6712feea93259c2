import { aside } from '../domain/text/program-names.ts';
import { say, verbatim } from '../domain/text/say.ts';
import {
  type AcequiaError,
  type ErrorReporter,
  StoreClosedError,
  StoreUnavailableError,
  storeUnavailableError,
  tryAgainAfter,
} from '../schema/error.ts';
import type { Store } from '../store/store.ts';
import { wrappedStore } from '../store/store-interface.ts';

/**
 * A failover takes 10 to 30 s, a restart of the server less. With this delay, clients go on soon
 * after either.
 */
const RETRY_AFTER_S = 5;

/**
 * Where the store is and how to mend it are for the operator, who finds them in the log under the
 * reference. A client reads why the store is not available, whether a change may have been saved,
 * and when to try again.
 */
export const operatorReporter =
  (report: ErrorReporter) =>
  async (error: unknown): Promise<never> => {
    // A request whose client has gone may still run when the service has stopped.
    if (error instanceof StoreClosedError) throw new StoreClosedError('of this service');
    if (!(error instanceof StoreUnavailableError)) throw error;
    throw storeUnavailableForClients(await report(error), error);
  };

export function storeForClients(store: Store, report: ErrorReporter): Store {
  const reportToOperator = operatorReporter(report);
  return wrappedStore(store, (_, run) => run().catch(reportToOperator));
}

export function storeUnavailableForClients(
  reference: string,
  {
    mayBeWritten = false,
    reason,
  }: { readonly mayBeWritten?: boolean; readonly reason?: string | undefined } = {},
): AcequiaError {
  const why = reason === undefined ? null : say`: ${verbatim(reason)}`;
  const message = say`The store of this service is not available at present${why}${aside(say`reference ${verbatim(reference)}`)}.`;
  const hint = mayBeWritten
    ? say`The change may have been saved. ${tryAgainAfter(RETRY_AFTER_S)} ${REPEAT_AFTER_UNKNOWN_OUTCOME}`
    : tryAgainAfter(RETRY_AFTER_S);
  return storeUnavailableError(message, hint, { retryAfterS: RETRY_AFTER_S, mayBeWritten });
}

const REPEAT_AFTER_UNKNOWN_OUTCOME = say`With the same idempotency key it is saved only once; without one, check first whether it was saved.`;
