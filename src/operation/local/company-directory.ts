import type { Lang } from '../../domain/lang.ts';
import { moduleDisplayName, moduleNamesInOtherLangs } from '../../language/default-names.ts';
import {
  type MissingListScopes,
  memoizedDirectory,
  type NameDirectory,
} from '../../language/summary-context.ts';
import type { Scope } from '../../schema/scope.ts';
import { moduleNames } from '../../store/company/modules.ts';
import { parcelNames } from '../../store/company/parcels.ts';
import type { CompanyDb } from '../../store/tables.ts';
import { type Caller, mayCall } from '../authorization.ts';
import type { AnyOperation } from '../operation.ts';

interface CompanyDirectoryOptions {
  readonly lang: Lang;
  missingScopes(): MissingListScopes;
  read<T>(query: (db: CompanyDb) => Promise<T>): Promise<T>;
}

export const companyDirectory = ({
  lang,
  missingScopes,
  read,
}: CompanyDirectoryOptions): NameDirectory =>
  memoizedDirectory({
    modules: async () =>
      (await read(moduleNames)).map((row) => ({
        ...row,
        name: moduleDisplayName(row, lang),
        otherNames: moduleNamesInOtherLangs(row, lang),
      })),
    parcels: () => read(parcelNames),
    get missingScopes() {
      return missingScopes();
    },
  });

/** The scopes that the caller lacks to read the lists of names. */
export function missingListScopes(
  caller: Caller,
  operations: Iterable<AnyOperation>,
): MissingListScopes {
  const missing: { modules: Scope | null; parcels: Scope | null } = {
    modules: null,
    parcels: null,
  };
  for (const each of operations) {
    const names = each.tool?.listsNamesOf;
    if (names !== undefined && !mayCall(caller, each)) missing[names] ??= each.scope;
  }
  return missing;
}
