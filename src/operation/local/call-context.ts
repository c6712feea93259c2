import { DEFAULT_LANG, type Lang } from '../../domain/lang.ts';
import type { NameDirectory } from '../../language/summary-context.ts';
import { DEFAULT_TIME_ZONE } from '../../schema/company/company.ts';
import type { WateringSource } from '../../schema/irrigation/watering.ts';
import type { Store } from '../../store/store.ts';
import type { Identity } from '../authorization.ts';
import type { AnyOperation } from '../operation.ts';
import type { CallReads } from './call-reads.ts';
import { companyDirectory, missingListScopes } from './company-directory.ts';

/** What calls share that run on one store. */
export interface OperationSetting {
  readonly store: Store;
  readonly operations: ReadonlyMap<string, AnyOperation>;
  readonly lang?: Lang | undefined;
  /** Default: the one of the caller's identity. */
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
  { operations, lang = DEFAULT_LANG }: Pick<OperationSetting, 'operations' | 'lang'>,
  identity: Identity,
  { now, reads }: { readonly now: number; readonly reads: CallReads },
): CallContext {
  const { caller, company } = identity;
  const directory = companyDirectory({
    lang,
    read: (query) => reads.ofCompany(company.id, query),
    missingScopes: missingListScopes(caller, operations.values()),
  });

  const zone = company.timezone ?? DEFAULT_TIME_ZONE;
  const isZoneDeclared = company.timezone !== null;
  return { ...identity, zone, isZoneDeclared, lang, directory, now };
}

export const sourceOf = (setting: OperationSetting, { source }: CallContext): WateringSource =>
  setting.source ?? source ?? 'api';
