import { DEFAULT_LANG, type Lang } from '../../domain/lang.ts';
import type { NameDirectory } from '../../language/summary-context.ts';
import { DEFAULT_TIME_ZONE } from '../../schema/company/company.ts';
import type { WateringSource } from '../../schema/irrigation/watering.ts';
import type { Store } from '../../store/store.ts';
import type { Identity } from '../authorization.ts';
import type { AnyOperation } from '../operation.ts';
import type { CallReads } from './call-reads.ts';
import { companyDirectory, missingListScopes } from './company-directory.ts';

/** What all calls on one store have in common. */
export interface CallEnvironment {
  readonly store: Store;
  readonly operations: ReadonlyMap<string, AnyOperation>;
  readonly lang?: Lang | undefined;
  /** The channel that waterings are recorded with; default: that of the caller's identity. */
  readonly source?: WateringSource;
  /** Where people open the live page; default: the default address of "acequia serve". */
  readonly pageUrl?: (() => URL | null) | undefined;
}

export interface CallContext extends Identity {
  readonly zone: string;
  readonly isZoneDeclared: boolean;
  readonly lang: Lang;
  readonly directory: NameDirectory;
  readonly now: number;
}

export function createCallContext(
  { operations, lang = DEFAULT_LANG }: Pick<CallEnvironment, 'operations' | 'lang'>,
  identity: Identity,
  { now, reads }: { readonly now: number; readonly reads: CallReads },
): CallContext {
  const { caller, company } = identity;
  const directory = companyDirectory({
    lang,
    read: (query) => reads.ofCompany(company.id, query),
    missingScopes: () => missingListScopes(caller, operations.values()),
  });

  const zone = company.timezone ?? DEFAULT_TIME_ZONE;
  const isZoneDeclared = company.timezone !== null;
  return { ...identity, zone, isZoneDeclared, lang, directory, now };
}

export const sourceOf = (environment: CallEnvironment, { source }: CallContext): WateringSource =>
  environment.source ?? source ?? 'api';
