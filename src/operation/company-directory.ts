import type { Lang } from '../domain/lang.ts';
import { moduleDisplayName, moduleNamesInOtherLangs } from '../language/default-names.ts';
import {
  type MissingListScopes,
  memoizedDirectory,
  type NameDirectory,
} from '../language/summary-context.ts';
import { moduleNames, parcelNames } from '../store/company/places.ts';
import type { Store } from '../store/store.ts';
import type { CompanyDb } from '../store/tables.ts';
import { type Caller, mayCall } from './authorization.ts';
import type { AnyOperation } from './operation.ts';

/** Reads in the open transaction, or in a new one once that has ended. */
export function companyDirectory(options: {
  store: Store;
  lang: Lang;
  companyId: number;
  openTransaction: { readonly db: CompanyDb | null };
  withheld: MissingListScopes;
}): NameDirectory {
  const { store, lang, companyId, openTransaction, withheld } = options;
  const read = <T>(query: (db: CompanyDb) => Promise<T>) =>
    openTransaction.db ? query(openTransaction.db) : store.read(companyId, query);

  return memoizedDirectory({
    modules: async () =>
      (await read(moduleNames)).map((row) => ({
        ...row,
        name: moduleDisplayName(row, lang),
        otherNames: moduleNamesInOtherLangs(row, lang),
      })),
    parcels: () => read(parcelNames),
    withheld,
  });
}

export function missingListScopes(
  caller: Caller,
  operations: Iterable<AnyOperation>,
): MissingListScopes {
  const lists = [...operations].filter((each) => each.listsNamesOf && !mayCall(caller, each));
  const withheldScope = (names: 'modules' | 'parcels') =>
    lists.find((each) => each.listsNamesOf === names)?.scope ?? null;
  return { modules: withheldScope('modules'), parcels: withheldScope('parcels') };
}
