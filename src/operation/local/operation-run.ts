import type { Kysely } from 'kysely';
import type { Shares } from '../../domain/shares/shares.ts';
import { observedStore } from '../../observe/observer.ts';
import type { ErrorReporter } from '../../schema/error.ts';
import type { CompanyRow } from '../../store/company/companies.ts';
import { cancellable } from '../../store/scope/company-db.ts';
import type { Store } from '../../store/store.ts';
import { storeOfTaker } from '../../store/store-interface.ts';
import type { Tables } from '../../store/tables.ts';
import { type Caller, type Identify, type Identity, takerOf } from '../authorization.ts';
import type { DeferredWork } from '../call.ts';
import type { AnyOperation } from '../operation.ts';
import type { OperationRequest } from '../operation-runner.ts';
import type { LongReads } from '../reads/long-reads.ts';
import type { CallEnvironment, OperationTransaction } from './call-context.ts';

/** Divides the capacity for reads, so that no company delays the calls of the others. */
export interface CompanyReads {
  readonly short: Shares;
  readonly long: LongReads;
}

/**
 * Evaluates alerts in the transaction that stored their readings. Returns what to do after its
 * commit; null leaves the alerts to `onReadings`.
 */
export type EvaluateAlerts = (
  transaction: OperationTransaction,
  company: CompanyRow,
) => Promise<(() => void) | null>;

export interface RunEnvironment extends CallEnvironment {
  readonly clock: () => number;
  readonly identify: Identify;
  /**
   * Set if the caller was identified before the body of the request was read. Confirmed in the
   * transaction of the call.
   */
  readonly knownIdentity?: Identity | undefined;
  readonly onReadings?: ((company: CompanyRow) => void) | undefined;
  readonly evaluateAlerts?: EvaluateAlerts | undefined;
  /** Reports a summary that fails after its write succeeded. */
  readonly report?: ErrorReporter | undefined;
  /**
   * Set if many companies are served. Without it no read waits, and long ones run like the others.
   */
  readonly reads?: CompanyReads | undefined;
}

/** The state that the steps of one request share: prepare, run, commit, present. */
export class OperationRun<Operation extends AnyOperation = AnyOperation> {
  readonly environment: RunEnvironment;
  readonly operation: Operation;
  readonly request: OperationRequest;
  readonly now: number;
  /** Its transactions appear in the trace of the request. */
  readonly store: Store;

  constructor(environment: RunEnvironment, operation: Operation, request: OperationRequest) {
    this.environment = environment;
    this.operation = operation;
    this.request = request;
    this.now = environment.clock();
    this.store = observedStore(environment.store, request.trace);
  }

  cancellable(transaction: Kysely<Tables>): Kysely<Tables> {
    const { signal } = this.request;
    return signal ? cancellable(transaction, signal) : transaction;
  }

  /** A failure is reported but does not change the answer. */
  async doDeferredWork(
    works: readonly DeferredWork[],
    caller: Caller,
    signal?: AbortSignal,
  ): Promise<void> {
    const store = storeOfTaker(this.environment.store, takerOf(caller));
    for (const work of works) await work(store, signal).catch((error) => this.report(error));
  }

  async report(error: unknown): Promise<void> {
    await this.environment.report?.(error, this.request.trace?.requestId);
  }

  announceReadings(company: CompanyRow): void {
    if (this.operation.storesReadings) this.environment.onReadings?.(company);
  }
}
