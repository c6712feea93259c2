import type { Kysely } from 'kysely';
import { throwIfCancelled } from '../../domain/event-loop.ts';
import { rowsOfText } from '../../domain/shares/daily-rows.ts';
import { confirmationQuestion } from '../../language/changes/confirmation-question.ts';
import { render } from '../../language/text/render.ts';
import { probesVersion } from '../../store/changes/change-counts.ts';
import {
  companyById,
  existsInAnyCompany,
  insertCompany,
  oldestTwoCompanies,
} from '../../store/company/companies.ts';
import { recordingDb } from '../../store/scope/company-db.ts';
import { RowRecorder } from '../../store/scope/row-recorder.ts';
import type { Store } from '../../store/store.ts';
import { storeOfTaker } from '../../store/store-interface.ts';
import type { CompanyDb, Tables } from '../../store/tables.ts';
import { authorize, NO_COMPANY, takerOf } from '../authorization.ts';
import { type DeferredWork, type StagedCall, withRequiredWork } from '../call.ts';
import { countAddedRows } from '../daily-rows.ts';
import { formText } from '../question.ts';
import type { StoredOutcome } from '../replay/idempotency.ts';
import { assertSameCall } from '../replay/same-call.ts';
import { ConfirmationRequired, confirmationRequiredError } from '../rest-conventions.ts';
import { type CallContext, type OperationTransaction, sourceOf } from './call-context.ts';
import type { EvaluateAlerts, OperationRun } from './operation-run.ts';
import type { PreparedWrite } from './prepare-call.ts';
import { personContext } from './present-outcome.ts';
import { recordChange, recordingOfDryRun } from './record-change.ts';
import { type RunOutcome, runOperation } from './run-operation.ts';

/** The store was empty when the call began, and another process has created its company since. */
export class CompanyAppeared extends Error {}

export interface CommittedWrite {
  readonly outcome: StoredOutcome;
  /** When the outcome was made: earlier than the call, if it is a replay. */
  readonly at: number;
  readonly isReplay: boolean;
  readonly afterCommit: readonly DeferredWork[];
  /** Set if the alerts of a small batch were evaluated too: to be called after the commit. */
  readonly onAlertsEvaluated: (() => void) | null;
}

/** The evaluation of alerts failed, which must not keep their readings from being stored. */
class EvaluationFailed extends Error {}

/** Where a batch reads and writes before its last stage. */
type BatchTransactions = Pick<StagedCall, 'read' | 'write'>;

/** A small batch does all of it in one transaction. */
const within = (db: CompanyDb): BatchTransactions => ({
  read: (body) => body(db),
  write: (body) => body(db),
});

/** Runs in the last transaction of a batch, or in the only one. */
type RunUseCase = (transaction: OperationTransaction) => Promise<RunOutcome>;

/** Throws CompanyAppeared if the call has to be run again, for the company that has appeared. */
export const commitWrite = (run: OperationRun, prepared: PreparedWrite): Promise<CommittedWrite> =>
  new WriteCommit(run, prepared).commit();

class WriteCommit {
  readonly #run: OperationRun;
  readonly #context: CallContext;
  readonly #prepared: PreparedWrite;
  /** Its transactions use the turns of the caller. */
  readonly #store: Store;

  constructor(run: OperationRun, prepared: PreparedWrite) {
    const { context } = prepared;
    this.#store = storeOfTaker(run.store, takerOf(context.caller));
    this.#run = run;
    this.#context = context;
    this.#prepared = prepared;
  }

  async commit(): Promise<CommittedWrite> {
    const { environment } = this.#run;
    const runUseCase = await this.#prepareUseCase();

    try {
      return await this.#commitWith(runUseCase, environment.evaluateAlerts);
    } catch (error) {
      if (error instanceof EvaluationFailed) {
        await this.#run.report(error.cause);
        return this.#commitWith(runUseCase, undefined);
      }
      if (!(error instanceof ConfirmationRequired)) throw error;
      const person = personContext(environment, this.#context);
      const question = await confirmationQuestion(error.confirmation, person);
      throw confirmationRequiredError(formText(render(question, person)));
    }
  }

  #commitWith(
    runUseCase: RunUseCase,
    evaluateAlerts: EvaluateAlerts | undefined,
  ): Promise<CommittedWrite> {
    const store = storeOfTaker(this.#run.environment.store, takerOf(this.#context.caller));
    return withRequiredWork(store, () =>
      this.#inWrite(async (db, all) => {
        const written = await this.#writeOnce(runUseCase, db, all);
        const hasReadings = this.#run.request.isSmallBatch && !this.#isDryRun;
        if (written.isReplay || !hasReadings) return written;
        const onAlertsEvaluated = await this.#evaluateAlerts(evaluateAlerts, { db, all });
        return { ...written, onAlertsEvaluated };
      }),
    );
  }

  async #evaluateAlerts(
    evaluateAlerts: EvaluateAlerts | undefined,
    transaction: OperationTransaction,
  ): Promise<(() => void) | null> {
    try {
      return (await evaluateAlerts?.(transaction, this.#context.company)) ?? null;
    } catch (error) {
      throw new EvaluationFailed('The alerts of the readings', { cause: error });
    }
  }

  /** The earlier stages of a batch are written here. */
  async #prepareUseCase(): Promise<RunUseCase> {
    const { environment, operation, request } = this.#run;
    const { operationArguments } = this.#prepared;
    const { input, advisories } = operationArguments;
    if (!operation.batch)
      return ({ all, db, recorder = new RowRecorder() }) => {
        const transaction = { all, db: recordingDb(db, recorder), recorder };
        return runOperation(
          environment,
          transaction,
          this.#context,
          operation,
          operationArguments,
          request,
        );
      };

    const prepareLastStage = (transactions: BatchTransactions) =>
      operation.run(this.#stagedCall(transactions), input);
    const lastStage = request.isSmallBatch ? null : await prepareLastStage(this.#transactions());
    return async ({ db }) => {
      const writeLastStage = lastStage ?? (await prepareLastStage(within(db)));
      const body = await writeLastStage(db);
      return { body, input, advisories, afterCommit: [], afterRecording: [], undone: null };
    };
  }

  #stagedCall(transactions: BatchTransactions): StagedCall {
    const { now } = this.#run;
    const { caller, zone } = this.#context;
    const store = this.#store;
    return {
      sender: caller.id,
      now,
      zone,
      ...transactions,
      existsAnywhere: (kind, id) => store.readAll((all) => existsInAnyCompany(all, kind, id)),
    };
  }

  #transactions(): BatchTransactions {
    const { now } = this.#run;
    return {
      read: (body) => this.#store.read(this.#context.company.id, body),
      write: (body) =>
        this.#inWrite(async (db) => {
          await this.#prepared.record?.reserve(db, now);
          return body(db);
        }),
    };
  }

  async #writeOnce(
    runUseCase: RunUseCase,
    db: CompanyDb,
    all: Kysely<Tables>,
  ): Promise<CommittedWrite> {
    const { operation, request, now, environment } = this.#run;
    const { record } = this.#prepared;
    // An equal call may have been answered since this one was prepared.
    const earlier = await record?.earlierOutcome(db, now);
    if (record && earlier) {
      await assertSameCall(this.#run, this.#context, { record, earlier });
      const { at } = earlier;
      return { outcome: earlier, at, isReplay: true, afterCommit: [], onAlertsEvaluated: null };
    }

    const recorder = new RowRecorder();
    const { afterCommit, afterRecording, undone, ...result } = await runUseCase({
      all,
      db,
      recorder,
    });

    const origin = {
      at: now,
      caller: this.#context.caller,
      channel: sourceOf(environment, this.#context),
    };
    if (this.#isDryRun) {
      const recording = await recordingOfDryRun(db, operation, origin);
      const deferred = recording === null ? afterCommit : [...afterCommit, recording];
      const outcome = { ...result, changeId: null };
      return { outcome, at: now, isReplay: false, afterCommit: deferred, onAlertsEvaluated: null };
    }

    const change = await recordChange(db, operation, result.body, {
      ...origin,
      undone,
      recorder,
      hasMoreRows: afterRecording.length > 0,
      readCompany: async (id) => (await companyById(all, id)) ?? null,
    });
    if (change) for (const work of afterRecording) await work(change.id);
    const outcome = { ...result, changeId: change?.id ?? null };
    if (!recorder.isCompanyDeleted) {
      const storedLength = await record?.save(db, outcome, now);
      const rows =
        (change?.rowCount ?? 0) + (storedLength === undefined ? 0 : rowsOfText(storedLength));
      // Readings and undo are never refused. What an undo took back is written once more.
      const isUndo = undone !== null && !undone.isUndo;
      if (rows > 0 && !operation.batch)
        await countAddedRows({ db, now }, rows, { mayRefuse: !isUndo });
    }
    throwIfCancelled(request.signal);

    return { outcome, at: now, isReplay: false, afterCommit, onAlertsEvaluated: null };
  }

  /** Changes nothing and stores no answer, so that it needs no write lock. */
  get #isDryRun(): boolean {
    const { operationArguments, record } = this.#prepared;
    return operationArguments.input.dryRun === true && record === null;
  }

  /**
   * Holds the company's write lock. Rows of other companies are only checked for existence, and a
   * row never changes company.
   */
  #inWrite<T>(body: (db: CompanyDb, all: Kysely<Tables>) => Promise<T>): Promise<T> {
    const { operation, request } = this.#run;
    const { company, confirm } = this.#context;
    const store = this.#store;
    if (company === NO_COMPANY) return this.#inNewCompany(body);

    const runBody = async (transaction: Kysely<Tables>): Promise<T> => {
      const all = this.#run.cancellable(transaction);
      const db = store.scopeToCompany(all, company.id);
      if (confirm) {
        // The versions are asked for with the key, as a batch needs them first.
        const [identity] = await Promise.all([
          confirm(all),
          request.isSmallBatch && probesVersion(db),
        ]);
        authorize(identity.caller, operation);
      }
      return body(db, all);
    };
    return this.#isDryRun ? store.readAll(runBody) : store.writeUnscoped(company.id, runBody);
  }

  #inNewCompany<T>(body: (db: CompanyDb, all: Kysely<Tables>) => Promise<T>): Promise<T> {
    const store = this.#store;

    return store.writeAll(async (transaction) => {
      if ((await oldestTwoCompanies(transaction)).length > 0) throw new CompanyAppeared();

      const all = this.#run.cancellable(transaction);
      const companyId = await insertCompany(all, { name: NO_COMPANY.name });
      return body(store.scopeToCompany(all, companyId), all);
    });
  }
}
