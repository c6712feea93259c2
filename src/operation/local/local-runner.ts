import { CancelledError } from '../../domain/event-loop.ts';
import { DEFAULT_LANG, type Lang } from '../../domain/lang.ts';
import {
  type NameDirectory,
  type SummaryContext,
  summaryContextOf,
  visibleDirectory,
} from '../../language/summary-context.ts';
import { type CallTrace, observedStore } from '../../observe/observer.ts';
import type { Store } from '../../store/store.ts';
import { storeOfTaker } from '../../store/store-interface.ts';
import {
  type Identify,
  type Identity,
  mayCall,
  ownerOfOnlyCompany,
  takerOf,
} from '../authorization.ts';
import type { AnyOperation } from '../operation.ts';
import type { OperationResult } from '../operation-result.ts';
import type { OperationRequest, OperationRunner } from '../operation-runner.ts';
import { undoRequest } from '../undo-request.ts';
import { answerLongRead } from './answer-long-read.ts';
import { type CallContext, CallReads, createCallContext } from './call-context.ts';
import { type CommittedWrite, CompanyAppeared, commitWrite } from './commit-write.ts';
import { OperationRun, type RunEnvironment } from './operation-run.ts';
import { type PreparedWrite, prepareCall } from './prepare-call.ts';
import { personLangOf, presentOutcome } from './present-outcome.ts';

export interface LocalRunnerOptions extends Omit<RunEnvironment, 'identify'> {
  /** Default: the owner of the store's only company. */
  readonly identify?: Identify | undefined;
  /** Default: closes the store. */
  close?(): Promise<void>;
}

/** Runs operations on a store. */
export class LocalRunner implements OperationRunner {
  readonly #environment: RunEnvironment;
  readonly #isRestricted: boolean;
  readonly #close: () => Promise<void>;

  constructor({ identify, close, ...options }: LocalRunnerOptions) {
    const { knownIdentity, store } = options;
    this.#environment = {
      ...options,
      identify: knownIdentity
        ? (knownIdentity.confirm ?? (async () => knownIdentity))
        : (identify ?? ownerOfOnlyCompany),
    };
    this.#isRestricted = identify !== undefined || knownIdentity !== undefined;
    this.#close = close ?? (() => store.close());
  }

  get lang(): Lang {
    return this.#environment.lang ?? DEFAULT_LANG;
  }

  async run(operation: AnyOperation, request: OperationRequest): Promise<OperationResult> {
    try {
      return await this.#runOnce(operation, request);
    } catch (error) {
      if (!(error instanceof CompanyAppeared)) throw error;
      return this.#runOnce(operation, request);
    }
  }

  async #runOnce(operation: AnyOperation, request: OperationRequest): Promise<OperationResult> {
    const run = new OperationRun(this.#environment, operation, request);
    const prepared = await prepareCall(run);
    const { context } = prepared;

    switch (prepared.kind) {
      case 'replay': {
        // The process that stored the readings may have ended before it evaluated alerts.
        run.announceReadings(context.company);
        const { at } = prepared.outcome;
        return presentOutcome(run, context, prepared.outcome, { at, isReplay: true });
      }
      case 'answered':
        await run.doDeferredWork(prepared.outcome.afterCommit, context.caller);
        return presentOutcome(run, context, prepared.outcome, { at: run.now, isReplay: false });
      case 'long':
        return answerLongRead(run, prepared);
      case 'write':
        return this.#write(run, prepared);
    }
  }

  async #write(run: OperationRun, prepared: PreparedWrite): Promise<OperationResult> {
    const { context } = prepared;
    const written = await commitWrite(run, prepared);
    const takeBack = this.#takeBackOf(run, prepared, written);

    await this.#doDeferredWork(run, prepared, written, takeBack && run.request.signal);
    if (run.request.signal?.aborted && (await takeBack?.())) throw new CancelledError();
    if (written.onAlertsEvaluated) written.onAlertsEvaluated();
    else run.announceReadings(context.company);

    const contextAfter = await this.#contextAfter(run, context);
    return { ...(await presentOutcome(run, contextAfter, written.outcome, written)), takeBack };
  }

  /** Advisories after the commit belong to the answer of an equal call too. */
  async #doDeferredWork(
    run: OperationRun,
    { context: { caller, company }, record }: PreparedWrite,
    { outcome, afterCommit }: CommittedWrite,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const advisedInWrite = outcome.advisories.length;
    await run.doDeferredWork(afterCommit, caller, signal);
    if (record === null || outcome.advisories.length === advisedInWrite) return;

    const store = storeOfTaker(run.store, takerOf(caller));
    const save = store.write(company.id, (db) => record.save(db, outcome, run.now));
    await save.catch((error) => run.report(error));
  }

  #takeBackOf(
    run: OperationRun,
    { context, record }: PreparedWrite,
    written: CommittedWrite,
  ): OperationResult['takeBack'] {
    const { undo, trace } = run.request;
    const { changeId } = written.outcome;
    if (undo === undefined || changeId == null || written.isReplay) return undefined;

    return async () => {
      try {
        const store = storeOfTaker(run.store, takerOf(context.caller));
        await store.write(context.company.id, async (db) => record?.forget(db));
        await this.run(undo, undoRequest(undo, changeId, trace));
        return true;
      } catch (error) {
        // Such as of a row that others have changed meanwhile: the write stands as a whole.
        await run.report(error);
        await run.doDeferredWork(written.afterCommit, context.caller);
        return false;
      }
    };
  }

  /** The summary of a changed company uses its new time zone. */
  async #contextAfter(
    { operation, store }: OperationRun,
    context: CallContext,
  ): Promise<CallContext> {
    if (!operation.worksWithoutCompany || this.#environment.knownIdentity) return context;

    const identity = await store.readAll(this.#environment.identify);
    return createCallContext(this.#environment, identity, {
      now: context.now,
      reads: new CallReads(store),
    });
  }

  async identity(trace?: CallTrace): Promise<Identity> {
    return this.#identityIn(observedStore(this.#environment.store, trace));
  }

  async personLang(): Promise<Lang> {
    return personLangOf(this.#environment, (await this.identity()).company);
  }

  async directory(trace?: CallTrace): Promise<NameDirectory> {
    return visibleDirectory((await this.#contextIn(trace)).directory);
  }

  async summaryContext(): Promise<SummaryContext> {
    return summaryContextOf(await this.#contextIn(undefined));
  }

  async allowedOperations(all: Iterable<AnyOperation>): Promise<ReadonlySet<string> | null> {
    if (!this.#isRestricted) return null;
    const { caller } = await this.identity();
    return new Set([...all].filter((each) => mayCall(caller, each)).map(({ name }) => name));
  }

  close(): Promise<void> {
    return this.#close();
  }

  async #identityIn(store: Store): Promise<Identity> {
    return this.#environment.knownIdentity ?? store.readAll(this.#environment.identify);
  }

  async #contextIn(trace: CallTrace | undefined): Promise<CallContext> {
    const store = observedStore(this.#environment.store, trace);
    const identity = await this.#identityIn(store);
    return createCallContext(this.#environment, identity, {
      now: this.#environment.clock(),
      reads: new CallReads(store),
    });
  }
}
