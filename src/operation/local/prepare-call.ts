import type { Share, Shares, Taker } from '../../domain/shares/shares.ts';
import { changeCount } from '../../store/changes/change-counts.ts';
import type { OperationArguments } from '../arguments/operation-arguments.ts';
import { checkedArguments } from '../arguments/operation-arguments.ts';
import {
  authorize,
  type Caller,
  type Identity,
  NoCompanyError,
  OWNER_WITHOUT_COMPANY,
  takerOf,
} from '../authorization.ts';
import { withRequiredWork } from '../call.ts';
import type { CallOperation, RunRead } from '../operation.ts';
import { withLang } from '../operation-fields.ts';
import { isWrite } from '../operation-kind.ts';
import type { OperationRequest } from '../operation-runner.ts';
import type { LongReads } from '../reads/long-reads.ts';
import { type EarlierOutcome, IdempotentCall } from '../replay/idempotency.ts';
import { assertSameCall } from '../replay/same-call.ts';
import {
  type CallContext,
  CallReads,
  createCallContext,
  type OperationTransaction,
} from './call-context.ts';
import type { OperationRun } from './operation-run.ts';
import { type RunOutcome, runOperation } from './run-operation.ts';

export interface PreparedLongRead {
  readonly kind: 'long';
  readonly context: CallContext;
  readonly operationArguments: OperationArguments;
  /** Null for an answer that no other caller shares. */
  readonly changeCount: number | null;
  readonly longReads: LongReads;
}

export interface PreparedWrite {
  readonly kind: 'write';
  readonly context: CallContext;
  readonly operationArguments: OperationArguments;
  /** Null if the call has no idempotency key, or its answer is not stored. */
  readonly record: IdempotentCall | null;
}

interface ReplayedCall {
  readonly kind: 'replay';
  readonly context: CallContext;
  readonly outcome: EarlierOutcome;
}

interface AnsweredRead {
  readonly kind: 'answered';
  readonly context: CallContext;
  readonly outcome: RunOutcome;
}

type PreparedCall = ReplayedCall | AnsweredRead | PreparedLongRead | PreparedWrite;

/** Does everything before the first write: identifies the caller, reads the arguments, runs a read. */
export function prepareCall(run: OperationRun): Promise<PreparedCall> {
  const { operation, request, environment, store } = run;

  // Who calls is known, and no earlier outcome has to be found: most such writes read nothing here.
  const { knownIdentity } = environment;
  if (knownIdentity && isWrite(operation) && request.idempotencyKey === undefined)
    return new CallPreparation(run, new CallReads(store), null).prepare(knownIdentity);

  return inShareOfCompany(request, (place) =>
    withRequiredWork(environment.store, (skipsOptionalWork) =>
      store.readAll((all) => prepareInSnapshot(run, { all, skipsOptionalWork }, place)),
    ),
  );
}

async function prepareInSnapshot(
  run: OperationRun,
  { all, ...options }: Pick<OperationTransaction, 'all' | 'skipsOptionalWork'>,
  place: Share | null,
): Promise<PreparedCall> {
  const reads = new CallReads(run.store, run.cancellable(all), options);
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
  readonly #place: Share | null;

  constructor(run: OperationRun, reads: CallReads, place: Share | null) {
    this.#run = run;
    this.#reads = reads;
    this.#place = place;
  }

  async identify(): Promise<Identity> {
    const { environment, operation } = this.#run;
    try {
      return await this.#reads.ofAll(environment.identify);
    } catch (error) {
      if (error instanceof NoCompanyError && operation.worksWithoutCompany)
        return OWNER_WITHOUT_COMPANY;
      throw error;
    }
  }

  async prepare(identity: Identity): Promise<PreparedCall> {
    const { environment, operation, request, now } = this.#run;
    const { caller } = identity;
    authorize(caller, operation);

    const context = createCallContext(environment, identity, { now, reads: this.#reads });
    const record = this.#idempotentCall(caller);
    const earlier = record && (await this.#earlierOutcome(record, caller));
    if (earlier) {
      await assertSameCall(this.#run, context, { record, earlier });
      return { kind: 'replay', context, outcome: earlier };
    }

    const runRead = this.#readsFor(context);
    const operationArguments = await request.readArguments({ ...context, runRead });
    if (isWrite(operation) || operation.batch)
      return { kind: 'write', context, operationArguments, record };

    const longRead = await this.#longRead(operation, operationArguments, context);
    if (longRead) return longRead;

    const outcome = await this.#answer(operation, operationArguments, context);
    return { kind: 'answered', context, outcome };
  }

  #idempotentCall(caller: Caller): IdempotentCall | null {
    const { operation, request } = this.#run;
    if (request.idempotencyKey === undefined || operation.answerIsSecret) return null;
    return new IdempotentCall(operation, caller, request, request.idempotencyKey);
  }

  #earlierOutcome(record: IdempotentCall, { companyId }: Caller) {
    return this.#reads.ofCompany(companyId, (db) => record.earlierOutcome(db, this.#run.now));
  }

  /** Runs the reads that the arguments need. */
  #readsFor(context: CallContext): RunRead {
    const { environment } = this.#run;

    return async (part, fields) => {
      authorize(context.caller, part);
      const partFields = withLang(part, fields, context.lang);
      const partArguments = checkedArguments(part, partFields, context);

      const { body } = await this.#reads.inTransaction(context.caller.companyId, (transaction) =>
        runOperation(environment, transaction, context, part, partArguments, {}),
      );
      return body;
    };
  }

  async #longRead(
    operation: CallOperation,
    operationArguments: OperationArguments,
    context: CallContext,
  ): Promise<PreparedLongRead | null> {
    const longReads = this.#run.environment.reads?.long;
    if (!longReads || !operation.load?.isLong?.(operationArguments.input, this.#run.now))
      return null;

    const count = operation.load.isShared
      ? await this.#reads.ofCompany(context.caller.companyId, changeCount)
      : null;
    return { kind: 'long', context, operationArguments, changeCount: count, longReads };
  }

  async #answer(
    operation: CallOperation,
    operationArguments: OperationArguments,
    context: CallContext,
  ): Promise<RunOutcome> {
    const { environment, request } = this.#run;
    const { companyId } = context.caller;
    const shares = environment.reads?.short;

    // If the call had to wait for its place, the code that waited releases it.
    const placeTakenHere =
      shares && !this.#place ? takePlace(shares, takerOf(context.caller)) : null;
    try {
      return await this.#reads.inTransaction(companyId, (transaction) =>
        runOperation(environment, transaction, context, operation, operationArguments, request),
      );
    } finally {
      placeTakenHere?.release();
    }
  }
}

/** The company has as many reads in progress as it may. */
class NoPlaceFree extends Error {
  readonly shares: Shares;
  readonly taker: Taker;

  constructor(shares: Shares, taker: Taker) {
    super('The company has to wait for a place');
    this.shares = shares;
    this.taker = taker;
  }
}

/** Must run within `inShareOfCompany`. */
export function takePlace(shares: Shares, taker: Taker): Share {
  const place = shares.tryTake(taker);
  if (!place) throw new NoPlaceFree(shares, taker);
  return place;
}

/** Only a read that finds no place waits, and then it begins again: its snapshot would be old. */
export async function inShareOfCompany<T>(
  { signal, trace }: Pick<OperationRequest, 'signal' | 'trace'>,
  attempt: (place: Share | null) => Promise<T>,
): Promise<T> {
  try {
    return await attempt(null);
  } catch (error) {
    if (!(error instanceof NoPlaceFree)) throw error;

    const endWait = trace?.startWait();
    const place = await error.shares.take(error.taker, signal).finally(endWait);
    return attempt(place).finally(() => place.release());
  }
}
