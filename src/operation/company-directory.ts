import type { Lang } from '../domain/lang.ts';
import { moduleDisplayName, moduleNamesInOtherLangs } from '../language/default-names.ts';
import { memoizedDirectory, type NameDirectory, type WithheldLists } from '../language/summary-context.ts';
import { moduleNames, parcelNames } from '../store/company/places.ts';
import type { Store } from '../store/store.ts';
import type { CompanyDb } from '../store/tables.ts';
import { type Caller, mayCall } from './authorization.ts';
import type { AnyOperation } from './operation.ts';

/** Names read on the handle of the transaction that is open, or in one of their own once it has ended. */
export function companyDirectory(options: {
  store: Store;
  lang: Lang;
  companyId: number;
  open: { readonly db: CompanyDb | null };
  withheld: WithheldLists;
}): NameDirectory {
  const { store, lang, companyId, open, withheld } = options;
  const reading = <T>(query: (db: CompanyDb) => Promise<T>) =>
    open.db ? query(open.db) : store.read(companyId, query);
  return memoizedDirectory({
    modules: async () =>
      (await reading(moduleNames)).map((row) => ({
        ...row,
        name: moduleDisplayName(row, lang),
        otherNames: moduleNamesInOtherLangs(row, lang),
      })),
    parcels: () => reading(parcelNames),
    withheld,
  });
}

/** What a caller may not list: a name it gives is understood, and none is told. */
export function withheldListsFor(caller: Caller, operations: ReadonlyMap<string, AnyOperation>): WithheldLists {
  const lacking = (list: string) => {
    const operation = operations.get(list);
    return operation === undefined || mayCall(caller, operation) ? null : operation.scope;
  };
  return { modules: lacking('list_modules'), parcels: lacking('list_parcels') };
}

/** What of a directory its caller may be told. */
export const visibleDirectory = (directory: NameDirectory): NameDirectory => ({
  ...directory,
  modules: async () => (directory.withheld?.modules ? [] : directory.modules()),
  parcels: async () => (directory.withheld?.parcels ? [] : directory.parcels()),
});
