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

/**
 * Does everything before the first write: identifies the caller, reads the arguments, runs a read.
 */
export function prepareCall(run: OperationRun): Promise<PreparedCall> {
  const { operation, request, environment, store } = run;

  // Who calls is known, and no earlier outcome has to be found: most such writes read nothing here.
  const { knownIdentity } = environment;
  if (knownIdentity && isWrite(operation) && request.idempotencyKey === undefined)
    return prepare(run, knownIdentity, { reads: new CallReads(store), place: null });

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
    return await prepare(run, await identify(run, reads), { reads, place });
  } finally {
    reads.endSnapshot();
  }
}

async function identify(
  { environment, operation }: OperationRun,
  reads: CallReads,
): Promise<Identity> {
  try {
    return await reads.ofAll(environment.identify);
  } catch (error) {
    if (error instanceof NoCompanyError && operation.worksWithoutCompany)
      return OWNER_WITHOUT_COMPANY;
    throw error;
  }
}

/** How the call reads before it writes. */
interface Preparation {
  readonly reads: CallReads;
  /** Null if the call did not have to wait for one. */
  readonly place: Share | null;
}

async function prepare(
  run: OperationRun,
  identity: Identity,
  preparation: Preparation,
): Promise<PreparedCall> {
  const { environment, operation, request, now } = run;
  const { reads } = preparation;
  const { caller } = identity;
  authorize(caller, operation);

  const context = createCallContext(environment, identity, { now, reads });
  const record = idempotentCall(run, caller);
  const earlier =
    record && (await reads.ofCompany(caller.companyId, (db) => record.earlierOutcome(db, now)));
  if (earlier) {
    await assertSameCall(run, context, { record, earlier });
    return { kind: 'replay', context, outcome: earlier };
  }

  const runRead = runReadFor(run, context, reads);
  const operationArguments = await request.readArguments({ ...context, runRead });
  if (isWrite(operation) || operation.batch)
    return { kind: 'write', context, operationArguments, record };

  const { isLong, isShared } = operation.load ?? {};
  const longReads = environment.reads?.long;
  if (longReads && isLong?.(operationArguments.input, now)) {
    const count = isShared ? await reads.ofCompany(caller.companyId, changeCount) : null;
    return { kind: 'long', context, operationArguments, changeCount: count, longReads };
  }

  const outcome = await answerRead(run, operation, operationArguments, context, preparation);
  return { kind: 'answered', context, outcome };
}

function idempotentCall(
  { operation, request }: OperationRun,
  caller: Caller,
): IdempotentCall | null {
  if (request.idempotencyKey === undefined || operation.answerIsSecret) return null;
  return new IdempotentCall(operation, caller, request, request.idempotencyKey);
}

/** Runs the reads that the arguments need. */
const runReadFor =
  ({ environment }: OperationRun, context: CallContext, reads: CallReads): RunRead =>
  async (part, fields) => {
    authorize(context.caller, part);
    const partFields = withLang(part, fields, context.lang);
    const partArguments = checkedArguments(part, partFields, context);

    const { body } = await reads.inTransaction(context.caller.companyId, (transaction) =>
      runOperation(environment, transaction, context, part, partArguments, {}),
    );
    return body;
  };

async function answerRead(
  { environment, request }: OperationRun,
  operation: CallOperation,
  operationArguments: OperationArguments,
  context: CallContext,
  { reads, place }: Preparation,
): Promise<RunOutcome> {
  const { caller } = context;
  const shares = environment.reads?.short;

  // If the call had to wait for its place, the code that waited releases it.
  const placeTakenHere = shares && !place ? takePlace(shares, takerOf(caller)) : null;
  try {
    return await reads.inTransaction(caller.companyId, (transaction) =>
      runOperation(environment, transaction, context, operation, operationArguments, request),
    );
  } finally {
    placeTakenHere?.release();
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
