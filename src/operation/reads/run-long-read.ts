import { entryOf } from '../../domain/items.ts';
import { cancellable } from '../../store/scope/company-db.ts';
import type { Store } from '../../store/store.ts';
import { withRequiredWork } from '../call.ts';
import { type CallEnvironment, CallReads, createCallContext } from '../local/call-context.ts';
import { drawPicture } from '../local/present-outcome.ts';
import { runOperation } from '../local/run-operation.ts';
import type { AnyOperation } from '../operation.ts';
import type { LongRead, LongReadAnswer } from './long-reads.ts';

/**
 * Runs a long read in a snapshot of its own. The caller was authorized when its arguments were
 * read.
 */
export async function runLongRead(
  store: Store,
  operations: ReadonlyMap<string, AnyOperation>,
  read: LongRead,
  signal: AbortSignal | undefined,
): Promise<LongReadAnswer> {
  const operation = entryOf(operations, read.operation);
  if (operation.batch) throw new Error(`${operation.name} writes`);

  const { identity, lang, now, input, advisories, pageUrl, storeKind } = read;
  const environment: CallEnvironment = {
    store,
    operations,
    lang,
    source: identity.source,
    pageUrl: () => (pageUrl === undefined ? null : new URL(pageUrl)),
    // Only a service runs reads in other threads.
    isServed: true,
    storeKind,
  };
  const context = createCallContext(environment, identity, { now, reads: new CallReads(store) });

  const answer = await withRequiredWork(store, (skipsOptionalWork) =>
    store.readAll((transaction) => {
      const all = signal ? cancellable(transaction, signal) : transaction;
      const db = store.scopeToCompany(all, identity.company.id);
      const checked = operation.check?.(input, context);
      const operationArguments = { restArguments: {}, input, checked, advisories };
      const scoped = { all, db, skipsOptionalWork };
      return runOperation(environment, scoped, context, operation, operationArguments, { signal });
    }),
  );

  const picture = await drawPicture(answer.body, { environment, operation, context, at: now });
  return { json: JSON.stringify(answer.body), advisories: answer.advisories, picture };
}
