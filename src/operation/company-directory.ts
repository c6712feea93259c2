import { otherNames, shownName } from '../domain/labels.ts';
import type { Lang } from '../domain/lang.ts';
import { moduleNames } from '../store/modules.ts';
import { parcelNames } from '../store/parcels.ts';
import type { Store } from '../store/store.ts';
import type { CompanyDb } from '../store/tables.ts';
import { type Directory, remembered, type Withheld } from './directory.ts';
import type { AnyOperation } from './operation.ts';
import { type Caller, mayCall } from './scope.ts';

/** Names read on the handle of the transaction that is open, or in one of their own once it has ended. */
export function companyDirectory(made: {
  store: Store;
  lang: Lang;
  companyId: number;
  open: { readonly db: CompanyDb | null };
  withheld: Withheld;
}): Directory {
  const { store, lang, companyId, open, withheld } = made;
  const reading = <T>(query: (db: CompanyDb) => Promise<T>) =>
    open.db ? query(open.db) : store.read(companyId, query);
  return remembered({
    modules: async () =>
      (await reading(moduleNames)).map((row) => ({
        ...row,
        name: shownName(row, lang),
        otherNames: otherNames(row, lang),
      })),
    parcels: () => reading(parcelNames),
    withheld,
  });
}

/** What a caller may not list: a name it gives is understood, and none is told. */
export function withheldFrom(caller: Caller, operations: ReadonlyMap<string, AnyOperation>): Withheld {
  const lacking = (list: string) => {
    const described = operations.get(list);
    return described === undefined || mayCall(caller, described) ? null : described.scope;
  };
  return { modules: lacking('list_modules'), parcels: lacking('list_parcels') };
}

/** What of a directory its caller may be told. */
export const tellable = (directory: Directory): Directory => ({
  ...directory,
  modules: async () => (directory.withheld?.modules ? [] : directory.modules()),
  parcels: async () => (directory.withheld?.parcels ? [] : directory.parcels()),
});
