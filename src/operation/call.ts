import type { Updateable } from 'kysely';
import type { Lang } from '../domain/lang.ts';
import type { CompanyContext } from '../language/summary-context.ts';
import type { Advisory } from '../schema/advisory.ts';
import type { Confirmation } from '../schema/changes/change.ts';
import { storeUnavailableError, tryAgainIn } from '../schema/error.ts';
import type { WateringSource } from '../schema/irrigation/watering.ts';
import type { CompanyRow, IdentifiedTable } from '../store/company/companies.ts';
import type { RowImage } from '../store/scope/recorded-rows.ts';
import type { Store } from '../store/store.ts';
import type { CompanyDb, CompanyTable } from '../store/tables.ts';
import type { Caller } from './authorization.ts';

export type OnProgress = (done: number, total: number) => void;

/** Has no store, because it may run against a remote service. */
export interface ComposedCall extends CompanyContext {
  /** The language of labels and default names. */
  readonly lang: Lang;
  advise(advisory: Advisory): void;
  readonly onProgress?: OnProgress | undefined;
  /** Lets other calls run; throws once this call is cancelled. */
  yieldOrCancel(): Promise<void>;
}

export interface UndoneChange {
  readonly id: number;
  /** Scope that undoing it needs. */
  readonly scope: string;
}

export interface Call extends ComposedCall {
  readonly caller: Caller;
  /** As it was before the call; NO_COMPANY in an empty store. */
  readonly company: CompanyRow;
  readonly source: WateringSource;
  readonly db: CompanyDb;
  /** Where people open the live page. */
  readonly pageUrl: URL;
  /** Changes the call's company; false if another company has the new name. */
  saveCompany(changes: Updateable<CompanyTable>): Promise<boolean>;
  /** The call's company in this transaction; null in an empty store. */
  storedCompany(): Promise<RowImage | null>;
  /** Deletes the call's company, which must have no other rows. */
  deleteCompany(): Promise<void>;
  /** Records this call as one that takes back a change. */
  recordUndone(change: UndoneChange): void;
  /**
   * Rolls the call back if a person can be asked and has not confirmed it yet. To be called last.
   */
  confirm(confirmation: Confirmation): void;
  existsAnywhere(kind: IdentifiedTable, id: number | string): Promise<boolean>;
  /**
   * Runs these steps after the transaction, also that of a read, and before the answer. Their
   * failure does not change the answer. A part of a composed operation has no such steps.
   */
  afterCommit(steps: DeferredWork): void;
}

/** False where a composed operation runs against a remote service. */
export const isLocalCall = (call: ComposedCall): call is Call => 'db' in call;

/** A write of any size validates everything before the first of its short transactions. */
export interface StagedCall extends CheckContext {
  /** The id of the caller, or the name of the command that writes to the store. */
  readonly sender: string;
  read<T>(body: (db: CompanyDb) => Promise<T>): Promise<T>;
  /** A transaction before the last one. Its body may run again after a lost connection. */
  write<T>(body: (db: CompanyDb) => Promise<T>): Promise<T>;
  existsAnywhere(kind: IdentifiedTable, id: number | string): Promise<boolean>;
}

/** The last transaction of a staged write. */
export type LastStage<Body> = (db: CompanyDb) => Promise<Body>;

export type WriteContext = Pick<Call, 'db' | 'now'>;

export type CheckContext = Pick<CompanyContext, 'now' | 'zone'>;

/** Work in several short transactions. */
export type DeferredWork = (store: Store) => Promise<unknown>;

interface RequiredWork {
  /** What the transaction needs first. */
  readonly needed: DeferredWork;
  /**
   * All of its kind that the company has left, once another part has turned out to be needed: a
   * question about a farm would otherwise be begun again for each of its probes.
   */
  readonly all: DeferredWork;
}

/**
 * Thrown by a transaction that cannot run before other work is done. It is rolled back, and begun
 * again after it.
 */
export class WorkRequired extends Error {
  readonly work: RequiredWork;

  constructor(needed: DeferredWork, all: DeferredWork = needed) {
    super('Other transactions have to run first');
    this.work = { needed, all };
  }
}

/** Other calls may cause new work between attempts. */
const MAX_ATTEMPTS = 10;
const WORK_RETRY_AFTER_S = 2;

export async function withRequiredWork<T>(store: Store, attempt: () => Promise<T>): Promise<T> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof WorkRequired)) throw error;
      if (attempts === MAX_ATTEMPTS)
        throw storeUnavailableError(
          'Planned waterings are still being computed.',
          tryAgainIn(WORK_RETRY_AFTER_S),
          {
            retryAfterS: WORK_RETRY_AFTER_S,
          },
        );

      await (attempts === 1 ? error.work.needed : error.work.all)(store);
    }
  }
}
