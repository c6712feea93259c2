import type { Kysely } from 'kysely';
import type { StoreKind } from '../../domain/alerts/means-of-notice.ts';
import { DEFAULT_LANG, type Lang } from '../../domain/lang.ts';
import type { Taker } from '../../domain/shares/shares.ts';
import { type UnitSystem, unitSystemOf } from '../../domain/units.ts';
import { moduleDisplayName, moduleNamesInOtherLangs } from '../../language/default-names.ts';
import {
  type MissingListScopes,
  memoizedDirectory,
  type NameDirectory,
} from '../../language/summary-context.ts';
import { DEFAULT_TIME_ZONE } from '../../schema/company/company.ts';
import type { WateringSource } from '../../schema/irrigation/watering.ts';
import type { Scope } from '../../schema/scope.ts';
import { moduleNames } from '../../store/company/modules.ts';
import { parcelNames } from '../../store/company/parcels.ts';
import type { RowRecorder } from '../../store/scope/row-recorder.ts';
import type { Store } from '../../store/store.ts';
import type { CompanyDb, Tables } from '../../store/tables.ts';
import { type Caller, type Identity, mayCall, takerOf } from '../authorization.ts';
import { withRequiredWork } from '../call.ts';
import type { AnyOperation } from '../operation.ts';

/** The environment that all calls on one store have in common. */
export interface CallEnvironment {
  readonly store: Store;
  readonly operations: ReadonlyMap<string, AnyOperation>;
  readonly lang?: Lang | undefined;
  /** The channel that waterings are recorded with; default: that of the caller's identity. */
  readonly source?: WateringSource;
  /** Where people open the live page; default: the default address of "acequia serve". */
  readonly pageUrl?: (() => URL | null) | undefined;
  /** True if clients may be at another computer than the store; default: false. */
  readonly isServed?: boolean | undefined;
  /** The store of a service; default: the default store. */
  readonly storeKind?: StoreKind | undefined;
  /** See the context of a summary; only where the caller is at the computer of the store. */
  readonly storeOption?: string | undefined;
}

export interface CallContext extends Identity {
  readonly countryCode: string | null;
  readonly zone: string;
  readonly isZoneDeclared: boolean;
  readonly units: UnitSystem;
  readonly lang: Lang;
  readonly directory: NameDirectory;
  readonly now: number;
  readonly storeOption: string | undefined;
}

export function createCallContext(
  {
    operations,
    lang = DEFAULT_LANG,
    storeOption,
  }: Pick<CallEnvironment, 'operations' | 'lang' | 'storeOption'>,
  identity: Identity,
  { now, reads }: { readonly now: number; readonly reads: CallReads },
): CallContext {
  const { caller, company } = identity;
  const directory = companyDirectory({
    taker: takerOf(caller),
    lang,
    read: (query) => reads.ofCompany(company.id, query),
    missingScopes: () => missingListScopes(caller, operations.values()),
  });

  const zone = company.timezone ?? DEFAULT_TIME_ZONE;
  const isZoneDeclared = company.timezone !== null;
  const countryCode = company.country_code;
  const units = unitSystemOf(company.units, countryCode);
  const formats = { countryCode, zone, isZoneDeclared, units, lang };
  return { ...identity, ...formats, directory, now, storeOption };
}

export const sourceOf = (environment: CallEnvironment, { source }: CallContext): WateringSource =>
  environment.source ?? source ?? 'api';

interface CompanyDirectoryOptions {
  readonly taker?: Taker;
  readonly lang: Lang;
  missingScopes(): MissingListScopes;
  read<T>(query: (db: CompanyDb) => Promise<T>): Promise<T>;
}

export const companyDirectory = ({
  taker,
  lang,
  missingScopes,
  read,
}: CompanyDirectoryOptions): NameDirectory =>
  memoizedDirectory({
    taker,
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

export interface OperationTransaction {
  readonly all: Kysely<Tables>;
  /** The same transaction, confined to the company. */
  readonly db: CompanyDb;
  /** Collects the rows that the operation writes; default: one that nobody reads. */
  readonly recorder?: RowRecorder;
  /** See the call; default: false. */
  readonly skipsOptionalWork?: boolean;
}

/** Reads for one call: in its snapshot while that is open, otherwise in a transaction each. */
export class CallReads {
  readonly #store: Store;
  readonly #skipsOptionalWork: boolean;
  #snapshot: Kysely<Tables> | null;
  /** A call is of one company. */
  #companySnapshot: CompanyDb | null = null;

  constructor(
    store: Store,
    snapshot: Kysely<Tables> | null = null,
    { skipsOptionalWork = false }: Pick<OperationTransaction, 'skipsOptionalWork'> = {},
  ) {
    this.#store = store;
    this.#snapshot = snapshot;
    this.#skipsOptionalWork = skipsOptionalWork;
  }

  endSnapshot(): void {
    this.#snapshot = null;
    this.#companySnapshot = null;
  }

  ofAll<T>(query: (all: Kysely<Tables>) => Promise<T>): Promise<T> {
    return this.#snapshot ? query(this.#snapshot) : this.#store.readAll(query);
  }

  ofCompany<T>(companyId: number, query: (db: CompanyDb) => Promise<T>): Promise<T> {
    return this.#snapshot
      ? query(this.#scopedSnapshot(this.#snapshot, companyId))
      : this.#store.read(companyId, query);
  }

  inTransaction<T>(
    companyId: number,
    body: (transaction: OperationTransaction) => Promise<T>,
  ): Promise<T> {
    const all = this.#snapshot;
    if (all) {
      const skipsOptionalWork = this.#skipsOptionalWork;
      return body({ all, db: this.#scopedSnapshot(all, companyId), skipsOptionalWork });
    }

    // In a snapshot the whole call begins again after required work, since this one would be old.
    return withRequiredWork(this.#store, (skipsOptionalWork) =>
      this.#store.readAll((transaction) => {
        const db = this.#store.scopeToCompany(transaction, companyId);
        return body({ all: transaction, db, skipsOptionalWork });
      }),
    );
  }

  #scopedSnapshot(snapshot: Kysely<Tables>, companyId: number): CompanyDb {
    this.#companySnapshot ??= this.#store.scopeToCompany(snapshot, companyId);
    return this.#companySnapshot;
  }
}
