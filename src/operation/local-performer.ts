import type { Kysely } from 'kysely';
import { throwIfCancelled, yieldOrCancel } from '../domain/event-loop.ts';
import { DEFAULT_LANG, type Lang } from '../domain/lang.ts';
import { describeConfirmation } from '../language/changes/change-summary.ts';
import { langOfCountry } from '../language/index.ts';
import { describeNotes } from '../language/notes.ts';
import type { NameDirectory, SummaryContext } from '../language/summary-context.ts';
import { type CallTrace, observedStore } from '../observe/observer.ts';
import { DEFAULT_TIME_ZONE } from '../schema/company.ts';
import type { ErrorReporter } from '../schema/error.ts';
import type { WateringSource } from '../schema/irrigation/watering.ts';
import type { NoteOrText } from '../schema/note.ts';
import {
  type CompanyRecord,
  companyById,
  deleteCompany,
  existsInAnyCompany,
  insertCompany,
  oldestTwoCompanies,
  tryUpdateCompany,
} from '../store/company/companies.ts';
import { batchingDb, cancellable, companyIdOf, recordingDb } from '../store/scope/company-db.ts';
import type { RowImage } from '../store/scope/recorded-rows.ts';
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
import { type Call, type StagedCall, type Steps, type UndoneChange, withRequiredSteps } from './call.ts';
import { recordChange } from './change-log.ts';
import { companyDirectory, visibleDirectory, withheldListsFor } from './company-directory.ts';
import { type IdempotentCall, idempotentCall, type OperationAnswer } from './idempotency.ts';
import { type AnyOperation, bodyInDetail, type CallOperation, type PerformRead, withLang } from './operation.ts';
import { isWrite } from './operation-kind.ts';
import { type OperationRequest, type OperationResult, type Performer, runWithParts } from './performer.ts';
import { ConfirmationRequired, confirmationRequired } from './rest-conventions.ts';
import { summarizeResult } from './summary.ts';

export interface LocalPerformerOptions {
  readonly store: Store;
  readonly operations: ReadonlyMap<string, AnyOperation>;
  readonly clock: () => number;
  readonly lang?: Lang | undefined;
  readonly source?: WateringSource;
  readonly identify?: Identify;
  /** Resolved before the body was read, and confirmed in the transaction of the call. */
  readonly knownIdentity?: Identity;
  /** Called after a replay too: the process that stored the readings may have ended before it evaluated alerts. */
  readonly onReadings?: ((company: CompanyRecord) => void) | undefined;
  /** Where people open the live page; default: the default address of "acequia serve". */
  readonly pageUrl?: (() => URL | null) | undefined;
  /** Reports a summary that fails after its write succeeded. */
  readonly report?: ErrorReporter;
}

export interface LocalPerformer extends Performer {
  identity(trace?: CallTrace): Promise<Identity>;
}

export function localPerformer(options: LocalPerformerOptions): LocalPerformer {
  const { clock, knownIdentity } = options;
  const identify: Identify = knownIdentity
    ? (knownIdentity.confirm ?? (async () => knownIdentity))
    : (options.identify ?? ownerOfOnlyCompany);

  const lang = options.lang ?? DEFAULT_LANG;
  const personLangOf = (company: CompanyRecord): Lang => options.lang ?? langOfCountry(company.country_code);

  /** Questions and pictures are in the person's language, with the names that answers use. */
  const personContext = <C extends Pick<CallContext, 'company' | 'directory'>>({ company, directory, ...rest }: C) => ({
    ...rest,
    lang: personLangOf(company),
    directory: visibleDirectory(directory),
  });

  const directoryOf = (
    { caller, company }: Identity,
    openTransaction: { readonly db: CompanyDb | null },
    store = options.store,
  ): NameDirectory =>
    companyDirectory({
      store,
      lang,
      companyId: company.id,
      openTransaction,
      withheld: withheldListsFor(caller, options.operations.values()),
    });

  async function perform(operation: AnyOperation, request: OperationRequest): Promise<OperationResult> {
    const now = clock();
    const { signal, trace } = request;
    const store = observedStore(options.store, trace);
    const withCancellation = (all: Kysely<Tables>): Kysely<Tables> => (signal ? cancellable(all, signal) : all);
    const prepared =
      knownIdentity && isWrite(operation) && request.idempotencyKey === undefined
        ? await prepareKnownWrite(knownIdentity, store, operation, request, now)
        : await withRequiredSteps(options.store, () =>
            store.readAll((all) => prepareInSnapshot(withCancellation(all), store, operation, request, now)),
          );
    const { context, record, stage } = prepared;
    if (operation.storesReadings && stage.kind === 'replay') options.onReadings?.(context.company);
    const toResult = async (
      { body, input, notes: facts, changeId }: OperationAnswer,
      at: number,
      isReplay: boolean,
      { company, zone, isZoneDeclared, directory }: CallContext = context,
    ): Promise<OperationResult> => {
      const summaryContext: SummaryContext = { now: at, zone, isZoneDeclared, lang, directory };
      const notes = request.wantsNoteTexts ? describeNotes(facts, summaryContext) : facts;
      const picture = await operation.render?.(body, { ...summaryContext, ...personContext({ company, directory }) });
      const answer = {
        body: bodyInDetail(operation, body, input, summaryContext),
        fullBody: body,
        picture,
        notes,
        isReplay,
        changeId,
      };
      if (request.wantsSummary === false) return { ...answer, summary: '' };
      const summary = await summarizeResult(
        operation,
        { body, input, notes, context: summaryContext },
        options.report,
        trace?.requestId,
      );
      return { ...answer, summary };
    };
    if (stage.kind === 'replay') return toResult(stage.answer, stage.answer.at, true);
    if (stage.kind === 'answered') return toResult(stage.answer, now, false);

    const { company, confirm, zone } = context;
    // Holds the company's write lock. Rows of other companies are only checked for existence, and a row never changes
    // company.
    const write = <T>(body: (db: CompanyDb, all: Kysely<Tables>) => Promise<T>): Promise<T> =>
      company === NO_COMPANY
        ? store.writeAll(async (transaction) => {
            if ((await oldestTwoCompanies(transaction)).length > 0) throw new CompanyAppeared();
            const all = withCancellation(transaction);
            return body(store.scopeToCompany(all, await insertCompany(all, { name: NO_COMPANY.name })), all);
          })
        : store.writeUnscoped(company.id, async (transaction) => {
            const all = withCancellation(transaction);
            if (confirm) authorize((await confirm(all)).caller, operation);
            return body(store.scopeToCompany(all, company.id), all);
          });
    const { input, notes } = stage.operationArguments;
    const stagedCall: StagedCall = {
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
      const earlier = await record?.earlierAnswer(db, now);
      if (earlier) return { answer: earlier, at: earlier.at, isReplay: true, afterCommit: [] };
      const recorder = new RowRecorder();
      const { afterCommit, undone, ...result } = operation.batch
        ? { body: await lastStage!(db), input, notes, afterCommit: [], undone: null }
        : await runOperation(
            { all, db: recordingDb(db, recorder), recorder },
            context,
            operation,
            stage.operationArguments,
            request,
          );
      const changeId = await recordChange(db, operation, result.body, {
        at: now,
        caller: context.caller,
        surface: sourceOf(context),
        undone,
        recorder,
        readCompany: async (id) => (await companyById(all, id)) ?? null,
      });
      const answer = { ...result, changeId };
      if (!recorder.isCompanyDeleted) await record?.save(db, answer, now);
      throwIfCancelled(signal);
      return { answer, at: now, isReplay: false, afterCommit };
    };
    const outcome = await withRequiredSteps(options.store, () => write(answerInWrite)).catch(async (error) => {
      if (error instanceof CompanyAppeared) return null;
      if (!(error instanceof ConfirmationRequired)) throw error;
      throw confirmationRequired(await describeConfirmation(error.confirmation, personContext(context)));
    });
    if (outcome === null) return perform(operation, request);
    for (const steps of outcome.afterCommit)
      await steps(options.store).catch((error) => options.report?.(error, trace?.requestId));
    if (operation.storesReadings) options.onReadings?.(company);
    return toResult(outcome.answer, outcome.at, outcome.isReplay, await contextAfter(operation, context, store));
  }

  /** The summary of a changed company uses its new time zone. */
  async function contextAfter(operation: AnyOperation, context: CallContext, store: Store): Promise<CallContext> {
    if (!operation.worksWithoutCompany || knownIdentity) return context;
    return createCallContext(await store.readAll(identify), { db: null }, store, context.now);
  }

  function createCallContext(
    identity: Identity,
    openTransaction: { readonly db: CompanyDb | null },
    store: Store,
    now: number,
  ): CallContext {
    const { company } = identity;
    const zone = company.timezone ?? DEFAULT_TIME_ZONE;
    const isZoneDeclared = company.timezone !== null;
    const directory = directoryOf(identity, openTransaction, store);
    return { ...identity, zone, isZoneDeclared, lang, directory, now };
  }

  async function prepareKnownWrite(
    identity: Identity,
    store: Store,
    operation: AnyOperation,
    request: OperationRequest,
    now: number,
  ): Promise<PreparedCall> {
    authorize(identity.caller, operation);
    const context = createCallContext(identity, { db: null }, store, now);
    const perform: PerformRead = (part, fields) =>
      withRequiredSteps(options.store, () =>
        store.readAll((all) =>
          performRead(all, store.scopeToCompany(all, identity.caller.companyId), context)(part, fields),
        ),
      );
    const operationArguments = await request.readArguments({ ...context, perform });
    return { context, record: null, stage: { kind: 'write', operationArguments } };
  }

  /** Runs everything before the first write in one snapshot. */
  async function prepareInSnapshot(
    all: Kysely<Tables>,
    store: Store,
    operation: AnyOperation,
    request: OperationRequest,
    now: number,
  ): Promise<PreparedCall> {
    const identity = await identify(all).catch((error) => {
      if (error instanceof NoCompanyError && operation.worksWithoutCompany) return OWNER_WITHOUT_COMPANY;
      throw error;
    });
    const { caller } = identity;
    authorize(caller, operation);
    const db = store.scopeToCompany(all, caller.companyId);
    const openTransaction: { db: CompanyDb | null } = { db };
    try {
      const context = createCallContext(identity, openTransaction, store, now);
      const record =
        request.idempotencyKey === undefined || operation.answersSecret
          ? null
          : idempotentCall(operation, caller, request, request.idempotencyKey);
      const earlier = await record?.earlierAnswer(db, now);
      if (earlier) return { context, record, stage: { kind: 'replay', answer: earlier } };
      const perform = performRead(all, db, context);
      const operationArguments = await request.readArguments({ ...context, perform });
      if (isWrite(operation) || operation.batch)
        return { context, record, stage: { kind: 'write', operationArguments } };
      const answer = await runOperation({ all, db }, context, operation, operationArguments, request);
      return { context, record, stage: { kind: 'answered', answer } };
    } finally {
      openTransaction.db = null;
    }
  }

  const performRead =
    (all: Kysely<Tables>, db: CompanyDb, context: CallContext): PerformRead =>
    async (part, fields) => {
      authorize(context.caller, part);
      const input = validateArguments(part, withLang(part, fields, context.lang));
      return (await runOperation({ all, db }, context, part, { wire: {}, input, notes: [] }, {})).body;
    };

  async function runOperation(
    { all, db, recorder = new RowRecorder() }: OperationTransaction,
    context: CallContext,
    operation: CallOperation,
    { input, notes: argumentNotes }: OperationArguments,
    { onStep, signal, needsConfirmation }: Pick<OperationRequest, 'onStep' | 'signal' | 'needsConfirmation'>,
  ): Promise<OperationAnswer & { readonly afterCommit: readonly Steps[]; readonly undone: UndoneChange | null }> {
    const notes: NoteOrText[] = [...argumentNotes];
    const afterCommit: Steps[] = [];
    let undone: UndoneChange | null = null;
    const companyId = companyIdOf(db);
    const storedCompany = async () =>
      context.company === NO_COMPANY ? null : (((await companyById(all, companyId)) as RowImage | undefined) ?? null);
    const recordCompany = async () => recorder.recordCompany(companyId, await storedCompany());
    const call: Call = {
      ...context,
      source: sourceOf(context),
      db: operation.performs ? batchingDb(db) : db,
      pageUrl: options.pageUrl?.() ?? new URL('http://127.0.0.1:8383'),
      note: (note) => void notes.push(note),
      onStep,
      yieldOrCancel: () => yieldOrCancel(signal),
      async saveCompany(changes) {
        await recordCompany();
        return tryUpdateCompany(all, companyId, changes);
      },
      storedCompany,
      async deleteCompany() {
        await recordCompany();
        recorder.isCompanyDeleted = true;
        await deleteCompany(all, companyId);
      },
      recordUndone: (change) => {
        undone = change;
      },
      confirm: (confirmation) => {
        if (needsConfirmation) throw new ConfirmationRequired(confirmation);
      },
      existsAnywhere: (kind, id) => existsInAnyCompany(all, kind, id),
      afterCommit: (steps) => void afterCommit.push(steps),
    };
    return { body: await runWithParts(operation, call, input), input, notes, afterCommit, undone };
  }

  const sourceOf = ({ source }: CallContext): WateringSource => options.source ?? source ?? 'api';

  const identity = async (trace?: CallTrace): Promise<Identity> =>
    knownIdentity ?? observedStore(options.store, trace).readAll(identify);

  return {
    perform,
    identity,
    lang,
    personLang: async () => personLangOf((await identity()).company),
    directory: async (trace) =>
      visibleDirectory(directoryOf(await identity(trace), { db: null }, observedStore(options.store, trace))),
    summaryContext: async () => createCallContext(await identity(), { db: null }, options.store, clock()),
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

interface PreparedCall {
  readonly context: CallContext;
  readonly record: IdempotentCall | null;
  readonly stage:
    | { readonly kind: 'replay'; readonly answer: OperationAnswer & { at: number } }
    | { readonly kind: 'answered'; readonly answer: OperationAnswer }
    | { readonly kind: 'write'; readonly operationArguments: OperationArguments };
}

interface OperationTransaction {
  readonly all: Kysely<Tables>;
  /** The same transaction, confined to the company. */
  readonly db: CompanyDb;
  /** Collects the rows that the operation writes; default: one that nobody reads. */
  readonly recorder?: RowRecorder;
}

interface CallContext extends Identity {
  readonly zone: string;
  readonly isZoneDeclared: boolean;
  readonly lang: Lang;
  readonly directory: NameDirectory;
  readonly now: number;
}
