import type { Kysely } from 'kysely';
import { changeCount } from '../../store/changes/change-counts.ts';
import type { Tables } from '../../store/tables.ts';
import { validateArguments } from '../arguments/argument-validation.ts';
import type { OperationArguments } from '../arguments/tool-arguments.ts';
import {
  authorize,
  type Caller,
  type Identity,
  NoCompanyError,
  OWNER_WITHOUT_COMPANY,
} from '../authorization.ts';
import { withRequiredWork } from '../call.ts';
import { IdempotentCall, type StoredOutcome } from '../idempotency.ts';
import type { CallOperation, RunRead } from '../operation.ts';
import { withLang } from '../operation-fields.ts';
import { isWrite } from '../operation-kind.ts';
import type { Place } from '../reads/company-shares.ts';
import type { LongReads } from '../reads/long-reads.ts';
import { inShareOfCompany, takePlace } from '../reads/read-places.ts';
import { type CallContext, createCallContext } from './call-context.ts';
import { CallReads } from './call-reads.ts';
import type { OperationRun } from './operation-run.ts';
import { type RunOutcome, runOperation } from './run-operation.ts';

export interface LongStage {
  readonly kind: 'long';
  readonly operationArguments: OperationArguments;
  /** Null for an answer that no other caller shares. */
  readonly changeCount: number | null;
  readonly long: LongReads;
}

export interface WriteStage {
  readonly kind: 'write';
  readonly operationArguments: OperationArguments;
  /** Null if the call has no idempotency key, or its answer is not stored. */
  readonly record: IdempotentCall | null;
}

export interface PreparedCall {
  readonly context: CallContext;
  /** What is left to do. */
  readonly stage:
    | { readonly kind: 'replay'; readonly outcome: StoredOutcome & { readonly at: number } }
    | { readonly kind: 'answered'; readonly outcome: RunOutcome }
    | LongStage
    | WriteStage;
}

/** Does everything before the first write: who calls, with which arguments; a read is answered. */
export function prepareCall(run: OperationRun): Promise<PreparedCall> {
  const { operation, request, setup, store } = run;

  // Such a write reads nothing but what its arguments need, and most need nothing.
  const { knownIdentity } = setup;
  if (knownIdentity && isWrite(operation) && request.idempotencyKey === undefined)
    return new CallPreparation(run, new CallReads(store), null).prepare(knownIdentity);

  return inShareOfCompany(request, (place) =>
    withRequiredWork(setup.store, () =>
      store.readAll((transaction) => prepareInSnapshot(run, transaction, place)),
    ),
  );
}

async function prepareInSnapshot(
  run: OperationRun,
  transaction: Kysely<Tables>,
  place: Place | null,
): Promise<PreparedCall> {
  const reads = new CallReads(run.store, run.cancellable(transaction));
  try {
    const preparation = new CallPreparation(run, reads, place);
    return await preparation.prepare(await preparation.identify());
  } finally {
    reads.endSnapshot();
  }
}

class CallPreparation {
  readonly #run: OperationRun;
  readonly #reads: CallReads;
  readonly #place: Place | null;

  constructor(run: OperationRun, reads: CallReads, place: Place | null) {
    this.#run = run;
    this.#reads = reads;
    this.#place = place;
  }

  async identify(): Promise<Identity> {
    const { setup, operation } = this.#run;
    try {
      return await this.#reads.ofAll(setup.identify);
    } catch (error) {
      if (error instanceof NoCompanyError && operation.worksWithoutCompany)
        return OWNER_WITHOUT_COMPANY;
      throw error;
    }
  }

  async prepare(identity: Identity): Promise<PreparedCall> {
    const { setup, operation, request, now } = this.#run;
    const { caller } = identity;
    authorize(caller, operation);

    const context = createCallContext(setup, identity, { now, reads: this.#reads });
    const record = this.#idempotentCall(caller);
    const earlier = record && (await this.#earlierOutcome(record, caller));
    if (earlier) return { context, stage: { kind: 'replay', outcome: earlier } };

    const runRead = this.#readRunner(context);
    const operationArguments = await request.readArguments({ ...context, runRead });
    if (isWrite(operation) || operation.batch)
      return { context, stage: { kind: 'write', operationArguments, record } };

    const long = await this.#longStage(operation, operationArguments, caller);
    if (long) return { context, stage: long };

    const outcome = await this.#answer(operation, operationArguments, context);
    return { context, stage: { kind: 'answered', outcome } };
  }

  #idempotentCall(caller: Caller): IdempotentCall | null {
    const { operation, request } = this.#run;
    if (request.idempotencyKey === undefined || operation.answerIsSecret) return null;
    return new IdempotentCall(operation, caller, request, request.idempotencyKey);
  }

  #earlierOutcome(record: IdempotentCall, { companyId }: Caller) {
    return this.#reads.ofCompany(companyId, (db) => record.earlierOutcome(db, this.#run.now));
  }

  /** Runs the reads that arguments need, for the same caller. */
  #readRunner(context: CallContext): RunRead {
    const { setup } = this.#run;

    return async (part, fields) => {
      authorize(context.caller, part);
      const input = validateArguments(part, withLang(part, fields, context.lang));
      const partArguments: OperationArguments = { restArguments: {}, input, advisories: [] };

      const { body } = await withRequiredWork(setup.store, () =>
        this.#reads.inTransaction(context.caller.companyId, (transaction) =>
          runOperation(setup, transaction, context, part, partArguments, {}),
        ),
      );
      return body;
    };
  }

  async #longStage(
    operation: CallOperation,
    operationArguments: OperationArguments,
    { companyId }: Caller,
  ): Promise<LongStage | null> {
    const long = this.#run.setup.reads?.long;
    if (!long || !operation.load?.isLong?.(operationArguments.input, this.#run.now)) return null;

    const count = operation.load.isShared
      ? await this.#reads.ofCompany(companyId, changeCount)
      : null;
    return { kind: 'long', operationArguments, changeCount: count, long };
  }

  async #answer(
    operation: CallOperation,
    operationArguments: OperationArguments,
    context: CallContext,
  ): Promise<RunOutcome> {
    const { setup, request } = this.#run;
    const { companyId } = context.caller;

    const ownPlace = this.#place ?? takePlace(setup.reads?.short, companyId);
    try {
      return await this.#reads.inTransaction(companyId, (transaction) =>
        runOperation(setup, transaction, context, operation, operationArguments, request),
      );
    } finally {
      // A place that the call waited for is released where it was taken.
      if (ownPlace !== this.#place) ownPlace?.release();
    }
  }
}
