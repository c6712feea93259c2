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
export async function commitWrite(
  run: OperationRun,
  prepared: PreparedWrite,
): Promise<CommittedWrite> {
  const { environment } = run;
  const runUseCase = await prepareUseCase(run, prepared);

  try {
    return await commit(run, prepared, runUseCase, environment.evaluateAlerts);
  } catch (error) {
    if (error instanceof EvaluationFailed) {
      await run.report(error.cause);
      return commit(run, prepared, runUseCase, undefined);
    }
    if (!(error instanceof ConfirmationRequired)) throw error;
    const person = personContext(environment, prepared.context);
    const question = await confirmationQuestion(error.confirmation, person);
    throw confirmationRequiredError(formText(render(question, person)));
  }
}

function commit(
  run: OperationRun,
  prepared: PreparedWrite,
  runUseCase: RunUseCase,
  evaluateAlerts: EvaluateAlerts | undefined,
): Promise<CommittedWrite> {
  const { context } = prepared;
  const store = storeOfTaker(run.environment.store, takerOf(context.caller));
  return withRequiredWork(store, () =>
    inWrite(run, prepared, async (db, all) => {
      const written = await writeOnce(run, prepared, runUseCase, { db, all });
      const hasReadings = run.request.isSmallBatch && !isDryRun(prepared);
      if (written.isReplay || !hasReadings) return written;
      const onAlertsEvaluated = await evaluate(evaluateAlerts, { db, all }, context);
      return { ...written, onAlertsEvaluated };
    }),
  );
}

async function evaluate(
  evaluateAlerts: EvaluateAlerts | undefined,
  transaction: OperationTransaction,
  { company }: CallContext,
): Promise<(() => void) | null> {
  try {
    return (await evaluateAlerts?.(transaction, company)) ?? null;
  } catch (error) {
    throw new EvaluationFailed('The alerts of the readings', { cause: error });
  }
}

/** The earlier stages of a batch are written here. */
async function prepareUseCase(run: OperationRun, prepared: PreparedWrite): Promise<RunUseCase> {
  const { environment, operation, request } = run;
  const { context, operationArguments } = prepared;
  const { input, advisories } = operationArguments;
  if (!operation.batch)
    return ({ all, db, recorder = new RowRecorder() }) => {
      const transaction = { all, db: recordingDb(db, recorder), recorder };
      return runOperation(
        environment,
        transaction,
        context,
        operation,
        operationArguments,
        request,
      );
    };

  const prepareLastStage = (transactions: BatchTransactions) =>
    operation.run(stagedCall(run, prepared, transactions), input);
  const lastStage = request.isSmallBatch
    ? null
    : await prepareLastStage(transactionsOf(run, prepared));
  return async ({ db }) => {
    const writeLastStage = lastStage ?? (await prepareLastStage(within(db)));
    const body = await writeLastStage(db);
    return { body, input, advisories, afterCommit: [], afterRecording: [], undone: null };
  };
}

/** Its transactions use the turns of the caller. */
const storeOf = ({ store }: OperationRun, { context }: PreparedWrite): Store =>
  storeOfTaker(store, takerOf(context.caller));

function stagedCall(
  run: OperationRun,
  prepared: PreparedWrite,
  transactions: BatchTransactions,
): StagedCall {
  const { caller, zone } = prepared.context;
  const store = storeOf(run, prepared);
  return {
    sender: caller.id,
    now: run.now,
    zone,
    ...transactions,
    existsAnywhere: (kind, id) => store.readAll((all) => existsInAnyCompany(all, kind, id)),
  };
}

function transactionsOf(run: OperationRun, prepared: PreparedWrite): BatchTransactions {
  const { context, record } = prepared;
  const store = storeOf(run, prepared);
  return {
    read: (body) => store.read(context.company.id, body),
    write: (body) =>
      inWrite(run, prepared, async (db) => {
        await record?.reserve(db, run.now);
        return body(db);
      }),
  };
}

async function writeOnce(
  run: OperationRun,
  prepared: PreparedWrite,
  runUseCase: RunUseCase,
  { db, all }: OperationTransaction,
): Promise<CommittedWrite> {
  const { operation, request, now, environment } = run;
  const { context, record } = prepared;
  // An equal call may have been answered since this one was prepared.
  const earlier = await record?.earlierOutcome(db, now);
  if (record && earlier) {
    await assertSameCall(run, context, { record, earlier });
    const { at } = earlier;
    return { outcome: earlier, at, isReplay: true, afterCommit: [], onAlertsEvaluated: null };
  }

  const recorder = new RowRecorder();
  const { afterCommit, afterRecording, undone, ...result } = await runUseCase({
    all,
    db,
    recorder,
  });

  const origin = { at: now, caller: context.caller, channel: sourceOf(environment, context) };
  if (isDryRun(prepared)) {
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
const isDryRun = ({ operationArguments, record }: PreparedWrite): boolean =>
  operationArguments.input.dryRun === true && record === null;

type WriteBody<T> = (db: CompanyDb, all: Kysely<Tables>) => Promise<T>;

/**
 * Holds the company's write lock. Rows of other companies are only checked for existence, and a row
 * never changes company.
 */
function inWrite<T>(run: OperationRun, prepared: PreparedWrite, body: WriteBody<T>): Promise<T> {
  const { operation, request } = run;
  const { company, confirm } = prepared.context;
  const store = storeOf(run, prepared);
  if (company === NO_COMPANY) return inNewCompany(run, store, body);

  const runBody = async (transaction: Kysely<Tables>): Promise<T> => {
    const all = run.cancellable(transaction);
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
  return isDryRun(prepared) ? store.readAll(runBody) : store.writeUnscoped(company.id, runBody);
}

const inNewCompany = <T>(run: OperationRun, store: Store, body: WriteBody<T>): Promise<T> =>
  store.writeAll(async (transaction) => {
    if ((await oldestTwoCompanies(transaction)).length > 0) throw new CompanyAppeared();

    const all = run.cancellable(transaction);
    const companyId = await insertCompany(all, { name: NO_COMPANY.name });
    return body(store.scopeToCompany(all, companyId), all);
  });
