import type { Kysely } from 'kysely';
import { observedStore } from '../../observe/observer.ts';
import type { ErrorReporter } from '../../schema/error.ts';
import type { CompanyRow } from '../../store/company/companies.ts';
import { cancellable } from '../../store/scope/company-db.ts';
import type { Store } from '../../store/store.ts';
import type { Tables } from '../../store/tables.ts';
import type { Identify, Identity } from '../authorization.ts';
import type { DeferredWork } from '../call.ts';
import type { AnyOperation } from '../operation.ts';
import type { OperationRequest } from '../operation-runner.ts';
import type { CompanyShares } from '../reads/company-shares.ts';
import type { LongReads } from '../reads/long-reads.ts';
import type { OperationSetting } from './call-context.ts';

/** Keeps the reads of one company from delaying the calls of the others. */
export interface CompanyReads {
  readonly short: CompanyShares;
  readonly long: LongReads;
}

export interface RunSetup extends OperationSetting {
  readonly clock: () => number;
  readonly identify: Identify;
  /** Resolved before the body was read, and confirmed in the transaction of the call. */
  readonly knownIdentity?: Identity | undefined;
  readonly onReadings?: ((company: CompanyRow) => void) | undefined;
  /** Reports a summary that fails after its write succeeded. */
  readonly report?: ErrorReporter | undefined;
  /** Set if many companies are served; default: reads run at once, in the snapshot of the call. */
  readonly reads?: CompanyReads | undefined;
}

/** What the steps of one run share: prepare, run, commit, present. */
export class OperationRun<Operation extends AnyOperation = AnyOperation> {
  readonly setup: RunSetup;
  readonly operation: Operation;
  readonly request: OperationRequest;
  readonly now: number;
  /** Its transactions appear in the trace of the request. */
  readonly store: Store;

  constructor(setup: RunSetup, operation: Operation, request: OperationRequest) {
    this.setup = setup;
    this.operation = operation;
    this.request = request;
    this.now = setup.clock();
    this.store = observedStore(setup.store, request.trace);
  }

  cancellable(transaction: Kysely<Tables>): Kysely<Tables> {
    const { signal } = this.request;
    return signal ? cancellable(transaction, signal) : transaction;
  }

  /** The answer stands, whether this work succeeds or not. */
  async doDeferredWork(work: readonly DeferredWork[]): Promise<void> {
    const { store, report } = this.setup;
    for (const each of work)
      await each(store).catch((error) => report?.(error, this.request.trace?.requestId));
  }

  announceReadings(company: CompanyRow): void {
    if (this.operation.storesReadings) this.setup.onReadings?.(company);
  }
}
