import type { Kysely } from 'kysely';
import { throwIfCancelled } from '../domain/event-loop.ts';
import { DEFAULT_LANG } from '../domain/lang.ts';
import { confirmationQuestion } from '../language/changes/confirmation-question.ts';
import { summaryContextOf, visibleDirectory } from '../language/summary-context.ts';
import { type CallTrace, errorCodeOf, observedStore } from '../observe/observer.ts';
import type { ErrorReporter } from '../schema/error.ts';
import { changeCount } from '../store/changes/change-counts.ts';
import {
  type CompanyRecord,
  companyById,
  existsInAnyCompany,
  insertCompany,
  oldestTwoCompanies,
} from '../store/company/companies.ts';
import { cancellable, recordingDb } from '../store/scope/company-db.ts';
import { RowRecorder } from '../store/scope/row-recorder.ts';
import type { Store } from '../store/store.ts';
import type { CompanyDb, Tables } from '../store/tables.ts';
import { validateArguments } from './arguments/argument-validation.ts';
import type { OperationArguments } from './arguments/tool-arguments.ts';
import {
  authorize,
  type Identify,
  type Identity,
  mayCall,
  NO_COMPANY,
  NoCompanyError,
  OWNER_WITHOUT_COMPANY,
  ownerOfOnlyCompany,
} from './authorization.ts';
import { type DeferredWork, type StagedCall, withRequiredWork } from './call.ts';
import { recordChange } from './change-log.ts';
import { type IdempotentCall, idempotentCall, type StoredOutcome } from './idempotency.ts';
import { type AnyOperation, type RunRead, withLang } from './operation.ts';
import { isWrite } from './operation-kind.ts';
import type { OperationRequest, OperationResult, OperationRunner } from './operation-runner.ts';
import { type Presentation, personContext, personLangOf, presentAnswer } from './present.ts';
import type { CompanyShares, Place } from './reads/company-shares.ts';
import type { LongRead, LongReadAnswer, LongReads } from './reads/long-reads.ts';
import { ConfirmationRequired, confirmationRequiredError } from './rest-conventions.ts';
import {
  type CallContext,
  createCallContext,
  type OperationSetting,
  type RunOutcome,
  runOperation,
  sourceOf,
} from './run-operation.ts';

export interface LocalRunnerOptions extends OperationSetting {
  readonly clock: () => number;
  readonly identify?: Identify;
  /** Resolved before the body was read, and confirmed in the transaction of the call. */
  readonly knownIdentity?: Identity;
  /**
   * Called after a replay too: the process that stored the readings may have ended before it
   * evaluated alerts.
   */
  readonly onReadings?: ((company: CompanyRecord) => void) | undefined;
  /** Reports a summary that fails after its write succeeded. */
  readonly report?: ErrorReporter;
  /** Where many companies are served; default: reads run at once, in the snapshot of the call. */
  readonly reads?: CompanyReads | undefined;
}

/** Keeps the reads of one company from delaying the calls of the others. */
export interface CompanyReads {
  readonly short: CompanyShares;
  readonly long: LongReads;
}

export interface LocalRunner extends OperationRunner {
  identity(trace?: CallTrace): Promise<Identity>;
}

export function localRunner(options: LocalRunnerOptions): LocalRunner {
  const { clock, knownIdentity } = options;
  const identify: Identify = knownIdentity
    ? (knownIdentity.confirm ?? (async () => knownIdentity))
    : (options.identify ?? ownerOfOnlyCompany);

  async function run(operation: AnyOperation, request: OperationRequest): Promise<OperationResult> {
    const now = clock();
    const { signal, trace } = request;
    const store = observedStore(options.store, trace);
    const withCancellation = (all: Kysely<Tables>): Kysely<Tables> =>
      signal ? cancellable(all, signal) : all;

    const prepared =
      knownIdentity && isWrite(operation) && request.idempotencyKey === undefined
        ? await prepareKnownWrite(knownIdentity, store, operation, request, now)
        : await inShareOfCompany(request, (place) =>
            withRequiredWork(options.store, () =>
              store.readAll((all) =>
                prepareInSnapshot(withCancellation(all), store, operation, request, { now, place }),
              ),
            ),
          );

    const { context, record, stage } = prepared;
    if (operation.storesReadings && stage.kind === 'replay') options.onReadings?.(context.company);

    const present = (
      answer: StoredOutcome,
      changes: Partial<Presentation> = {},
    ): Promise<OperationResult> =>
      presentAnswer(answer, {
        ...{ setting: options, operation, request, context, at: now, isReplay: false },
        ...{ report: options.report, ...changes },
      });

    if (stage.kind === 'replay')
      return present(stage.answer, { at: stage.answer.at, isReplay: true });

    const runSteps = async (afterCommit: readonly DeferredWork[]): Promise<void> => {
      for (const steps of afterCommit)
        await steps(options.store).catch((error) => options.report?.(error, trace?.requestId));
    };

    if (stage.kind === 'answered') {
      await runSteps(stage.answer.afterCommit);
      return present(stage.answer);
    }

    if (stage.kind === 'long') {
      const { json, advisories, picture } = await answerLongRead(
        stage,
        operation,
        context,
        request,
      );
      const { input } = stage.operationArguments;
      const isPlain = operation.forCaller === undefined && input.detail !== 'concise';
      const body = request.wantsJson && isPlain ? undefined : JSON.parse(json);
      const result = await present({ body, input, advisories }, { picture });
      return body === undefined ? { ...result, json } : result;
    }

    const { company, confirm, zone } = context;

    // Holds the company's write lock. Rows of other companies are only checked for existence, and a
    // row never changes company.
    const write = <T>(body: (db: CompanyDb, all: Kysely<Tables>) => Promise<T>): Promise<T> =>
      company === NO_COMPANY
        ? store.writeAll(async (transaction) => {
            if ((await oldestTwoCompanies(transaction)).length > 0) throw new CompanyAppeared();
            const all = withCancellation(transaction);
            return body(
              store.scopeToCompany(all, await insertCompany(all, { name: NO_COMPANY.name })),
              all,
            );
          })
        : store.writeUnscoped(company.id, async (transaction) => {
            const all = withCancellation(transaction);
            if (confirm) authorize((await confirm(all)).caller, operation);
            return body(store.scopeToCompany(all, company.id), all);
          });

    const { input, advisories } = stage.operationArguments;
    const stagedCall: StagedCall = {
      sender: context.caller.id,
      now,
      zone,
      read: (body) => store.read(company.id, body),
      write: (body) =>
        write(async (db) => {
          await record?.reserve(db, now);
          return body(db);
        }),
      existsAnywhere: (kind, id) => store.readAll((all) => existsInAnyCompany(all, kind, id)),
    };

    const lastStage = operation.batch && (await operation.run(stagedCall, input));

    const answerInWrite = async (db: CompanyDb, all: Kysely<Tables>) => {
      const earlier = await record?.earlierOutcome(db, now);
      if (earlier) return { answer: earlier, at: earlier.at, isReplay: true, afterCommit: [] };

      const recorder = new RowRecorder();
      const { afterCommit, undone, ...result } = operation.batch
        ? { body: await lastStage!(db), input, advisories, afterCommit: [], undone: null }
        : await runOperation(
            options,
            { all, db: recordingDb(db, recorder), recorder },
            context,
            operation,
            stage.operationArguments,
            request,
          );

      const changeId = await recordChange(db, operation, result.body, {
        at: now,
        caller: context.caller,
        channel: sourceOf(options, context),
        undone,
        recorder,
        readCompany: async (id) => (await companyById(all, id)) ?? null,
      });
      const answer = { ...result, changeId };
      if (!recorder.isCompanyDeleted) await record?.save(db, answer, now);
      throwIfCancelled(signal);

      return { answer, at: now, isReplay: false, afterCommit };
    };

    const outcome = await withRequiredWork(options.store, () => write(answerInWrite)).catch(
      async (error) => {
        if (error instanceof CompanyAppeared) return null;
        if (!(error instanceof ConfirmationRequired)) throw error;
        throw confirmationRequiredError(
          await confirmationQuestion(error.confirmation, personContext(options, context)),
        );
      },
    );
    if (outcome === null) return run(operation, request);

    await runSteps(outcome.afterCommit);
    if (operation.storesReadings) options.onReadings?.(company);
    return present(outcome.answer, {
      at: outcome.at,
      isReplay: outcome.isReplay,
      context: await contextAfter(operation, context, store),
    });
  }

  /** Only a read that finds no place waits, and then it begins again: its snapshot would be old. */
  async function inShareOfCompany<T>(
    { signal, trace }: OperationRequest,
    attempt: (place: Place | null) => Promise<T>,
  ): Promise<T> {
    try {
      return await attempt(null);
    } catch (error) {
      if (!(error instanceof NoPlaceFree)) throw error;
      const endWait = trace?.startWait();
      const place = await error.shares.take(error.companyId, signal).finally(endWait);
      return attempt(place).finally(() => place.release());
    }
  }

  function takePlace(companyId: number): Place | null {
    if (!options.reads) return null;
    const place = options.reads.short.tryTake(companyId);
    if (!place) throw new NoPlaceFree(options.reads.short, companyId);
    return place;
  }

  async function answerLongRead(
    { operationArguments: { input, advisories }, changeCount, long }: LongStage,
    { name }: AnyOperation,
    context: CallContext,
    { signal, trace }: OperationRequest,
  ): Promise<LongReadAnswer> {
    const { caller, company, now } = context;
    const { credential: _, ...plainCaller } = caller;
    const source = sourceOf(options, context);
    const read: LongRead = {
      ...{ operation: name, input, advisories, now, changeCount },
      identity: { caller: plainCaller, company, source },
      lang: options.lang,
      pageUrl: options.pageUrl?.()?.href,
    };

    const transaction = trace?.startTransaction('read');
    try {
      const answer = await long.answer(read, {
        signal,
        onPlace: transaction?.onConnectionAcquired,
      });
      transaction?.end(null);
      return answer;
    } catch (error) {
      transaction?.end(errorCodeOf(error));
      throw error;
    }
  }

  /** The summary of a changed company uses its new time zone. */
  async function contextAfter(
    operation: AnyOperation,
    context: CallContext,
    store: Store,
  ): Promise<CallContext> {
    if (!operation.worksWithoutCompany || knownIdentity) return context;
    return createCallContext(options, store, await store.readAll(identify), { now: context.now });
  }

  async function prepareKnownWrite(
    identity: Identity,
    store: Store,
    operation: AnyOperation,
    request: OperationRequest,
    now: number,
  ): Promise<PreparedCall> {
    authorize(identity.caller, operation);
    const context = createCallContext(options, store, identity, { now });

    const runRead: RunRead = (part, fields) =>
      withRequiredWork(options.store, () =>
        store.readAll((all) =>
          readRunner(
            all,
            store.scopeToCompany(all, identity.caller.companyId),
            context,
          )(part, fields),
        ),
      );

    const operationArguments = await request.readArguments({ ...context, runRead });
    return { context, record: null, stage: { kind: 'write', operationArguments } };
  }

  /** Runs everything before the first write in one snapshot. */
  async function prepareInSnapshot(
    all: Kysely<Tables>,
    store: Store,
    operation: AnyOperation,
    request: OperationRequest,
    { now, place }: { readonly now: number; readonly place: Place | null },
  ): Promise<PreparedCall> {
    const identity = await identify(all).catch((error) => {
      if (error instanceof NoCompanyError && operation.worksWithoutCompany)
        return OWNER_WITHOUT_COMPANY;
      throw error;
    });
    const { caller } = identity;
    authorize(caller, operation);

    const db = store.scopeToCompany(all, caller.companyId);
    const openTransaction: { db: CompanyDb | null } = { db };
    try {
      const context = createCallContext(options, store, identity, { now, openTransaction });
      const record =
        request.idempotencyKey === undefined || operation.answerIsSecret
          ? null
          : idempotentCall(operation, caller, request, request.idempotencyKey);
      const earlier = await record?.earlierOutcome(db, now);
      if (earlier) return { context, record, stage: { kind: 'replay', answer: earlier } };

      const runRead = readRunner(all, db, context);
      const operationArguments = await request.readArguments({ ...context, runRead });
      if (isWrite(operation) || operation.batch)
        return { context, record, stage: { kind: 'write', operationArguments } };

      const long = options.reads?.long;
      if (long && operation.isLong?.(operationArguments.input, now)) {
        const count = operation.isShared ? await changeCount(db) : null;
        return {
          context,
          record,
          stage: { kind: 'long', operationArguments, changeCount: count, long },
        };
      }

      const ownPlace = place ?? takePlace(caller.companyId);
      try {
        const answer = await runOperation(
          options,
          { all, db },
          context,
          operation,
          operationArguments,
          request,
        );
        return { context, record, stage: { kind: 'answered', answer } };
      } finally {
        if (ownPlace !== place) ownPlace?.release();
      }
    } finally {
      openTransaction.db = null;
    }
  }

  const readRunner =
    (all: Kysely<Tables>, db: CompanyDb, context: CallContext): RunRead =>
    async (part, fields) => {
      authorize(context.caller, part);
      const input = validateArguments(part, withLang(part, fields, context.lang));
      return (
        await runOperation(
          options,
          { all, db },
          context,
          part,
          { restArguments: {}, input, advisories: [] },
          {},
        )
      ).body;
    };

  const identity = async (trace?: CallTrace): Promise<Identity> =>
    knownIdentity ?? observedStore(options.store, trace).readAll(identify);

  return {
    run,
    identity,
    lang: options.lang ?? DEFAULT_LANG,
    personLang: async () => personLangOf(options, (await identity()).company),
    directory: async (trace) =>
      visibleDirectory(
        createCallContext(options, observedStore(options.store, trace), await identity(trace), {
          now: clock(),
        }).directory,
      ),
    summaryContext: async () =>
      summaryContextOf(
        createCallContext(options, options.store, await identity(), { now: clock() }),
      ),
    async allowedOperations(all) {
      if (!options.identify && !knownIdentity) return null;
      const { caller } = await identity();
      return new Set([...all].filter((each) => mayCall(caller, each)).map(({ name }) => name));
    },
    close: () => options.store.close(),
  };
}

/** Another process created the company of the empty store in the meantime. */
class CompanyAppeared extends Error {}

/** The company has as many reads in progress as it may. */
class NoPlaceFree extends Error {
  readonly shares: CompanyShares;
  readonly companyId: number;

  constructor(shares: CompanyShares, companyId: number) {
    super('The company has to wait for a place');
    this.shares = shares;
    this.companyId = companyId;
  }
}

interface LongStage {
  readonly kind: 'long';
  readonly operationArguments: OperationArguments;
  /** Null for an answer that no other caller shares. */
  readonly changeCount: number | null;
  readonly long: LongReads;
}

interface PreparedCall {
  readonly context: CallContext;
  readonly record: IdempotentCall | null;
  readonly stage:
    | { readonly kind: 'replay'; readonly answer: StoredOutcome & { at: number } }
    | { readonly kind: 'answered'; readonly answer: RunOutcome }
    | LongStage
    | { readonly kind: 'write'; readonly operationArguments: OperationArguments };
}
