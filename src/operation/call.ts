import type { Updateable } from 'kysely';
import type { JobRound } from '../domain/alerts/job-rounds.ts';
import type { StoreKind } from '../domain/alerts/means-of-notice.ts';
import type { Lang } from '../domain/lang.ts';
import { say } from '../domain/text/say.ts';
import type { CompanyContext } from '../language/summary-context.ts';
import type { Advisory } from '../schema/advisory.ts';
import type { Confirmation } from '../schema/changes/change.ts';
import { StoreUnavailableError, storeUnavailableError, tryAgainAfter } from '../schema/error.ts';
import type { WateringSource } from '../schema/irrigation/watering.ts';
import type { UsedFolder } from '../store/backups/folder-records.ts';
import type { CompanyRow, IdentifiedTable } from '../store/company/companies.ts';
import type { RowImage } from '../store/scope/recorded-rows.ts';
import type { Store } from '../store/store.ts';
import type { CompanyDb, CompanyTable } from '../store/tables.ts';
import type { Caller } from './authorization.ts';

export type OnProgress = (done: number, total: number) => void;

/**
 * The call of a composed operation: without a store, because it may run against a remote service.
 */
export interface ComposedCall extends CompanyContext {
  /** The language of labels and default names. */
  readonly lang: Lang;
  /** Work after the commit may call it too. */
  advise(advisory: Advisory): void;
  readonly onProgress?: OnProgress | undefined;
  /** Lets other calls run; throws once this call is cancelled. */
  yieldOrCancel(): Promise<void>;
}

export interface UndoneChange {
  readonly id: number;
  /** Scope that undoing it needs. */
  readonly scope: string;
  /** It is an undo itself, so that undoing it restores what that took back. */
  readonly isUndo: boolean;
}

export interface Call extends ComposedCall {
  readonly caller: Caller;
  /** The caller's company as it was before the call; NO_COMPANY in an empty store. */
  readonly company: CompanyRow;
  readonly source: WateringSource;
  /** True for a tool, which asks about implausible values that REST takes as specified. */
  readonly isToolCall: boolean;
  readonly db: CompanyDb;
  /** Optional work failed in an earlier attempt, so this one answers without it. */
  readonly skipsOptionalWork: boolean;
  /** Where people open the live page. */
  readonly pageUrl: URL;
  /** True if the caller may be at another computer than the store. */
  readonly isServed: boolean;
  readonly storeKind: StoreKind;
  /** The last rounds of the background jobs, by all processes that use the store. */
  jobRounds(): Promise<readonly JobRound[]>;
  /** The folder on whose copies a process worked last. */
  newestBackupFolder(): Promise<UsedFolder | null>;
  /** `company` as this transaction sees it; null in an empty store. */
  storedCompany(): Promise<RowImage | null>;
  /** Returns false if another company has the new name. */
  saveCompany(changes: Updateable<CompanyTable>): Promise<boolean>;
  /** The company must have no other rows. */
  deleteCompany(): Promise<void>;
  /** Records this call as one that undoes a change. */
  recordUndone(change: UndoneChange): void;
  /**
   * Throws, which rolls the call back, if a person can be asked and has not confirmed it yet. To be
   * called last, when all other refusals have been ruled out. Returns whether a person confirmed it.
   */
  confirm(confirmation: Confirmation): boolean;
  existsAnywhere(kind: IdentifiedTable, id: number | string): Promise<boolean>;
  /**
   * Runs the work after the transaction, also that of a read, and before the answer is returned. Its
   * failure does not change the answer. Parts of composed operations must not call this.
   */
  afterCommit(work: DeferredWork): void;
  /**
   * Runs the work at the end of the transaction, with the id of the change that records the call. Later
   * transactions may add parts to that change, which is therefore recorded even without rows.
   */
  afterRecording(work: (changeId: number) => Promise<void>): void;
}

/**
 * The call of a batch operation, which writes in several short transactions. It validates
 * everything before the first of them.
 */
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

/** Work in several short transactions. Once the signal is aborted it may leave the rest undone. */
export type DeferredWork = (store: Store, signal?: AbortSignal) => Promise<unknown>;

export interface RequiredWork {
  readonly needed: DeferredWork;
  /** The call can be answered without it while the store accepts no writes. */
  readonly isOptional?: boolean;
}

/**
 * Thrown in a transaction that cannot continue before other work is done. The transaction is rolled
 * back, the work is done, and the transaction begins again.
 */
export class WorkRequired extends Error {
  readonly work: RequiredWork;

  constructor(work: RequiredWork) {
    super('Other transactions have to run first');
    this.work = work;
  }
}

/** Finds the work that other transactions have to do first; null if none is pending. */
export type PendingWork = (context: PendingWorkContext) => Promise<RequiredWork | null>;

interface PendingWorkContext extends WriteContext {
  readonly skipsOptionalWork?: boolean;
}

/** Throws WorkRequired in a transaction for which any of it is pending. */
export async function assertNothingPending(
  context: PendingWorkContext,
  works: readonly PendingWork[],
): Promise<void> {
  for (const findWork of works) {
    const work = await findWork(context);
    if (work !== null) throw new WorkRequired(work);
  }
}

/** More than two, because other calls may cause new work between attempts. */
const MAX_ATTEMPTS = 10;
const WORK_RETRY_AFTER_S = 2;

export async function withRequiredWork<T>(
  store: Store,
  attempt: (skipsOptionalWork: boolean) => Promise<T>,
): Promise<T> {
  let hasOptionalWorkFailed = false;
  for (let attempts = 1; ; attempts++) {
    try {
      return await attempt(hasOptionalWorkFailed);
    } catch (error) {
      if (!(error instanceof WorkRequired)) throw error;
      if (attempts === MAX_ATTEMPTS)
        throw storeUnavailableError(
          say`Earlier changes of the company are still being written.`,
          tryAgainAfter(WORK_RETRY_AFTER_S),
          { retryAfterS: WORK_RETRY_AFTER_S },
        );

      const { needed, isOptional = false } = error.work;
      try {
        await needed(store);
      } catch (failure) {
        if (!isOptional || !(failure instanceof StoreUnavailableError)) throw failure;
        hasOptionalWorkFailed = true;
      }
    }
  }
}
