import type { Kysely, Updateable } from 'kysely';
import { yieldOrCancel } from '../../domain/event-loop.ts';
import type { Advisory } from '../../schema/advisory.ts';
import { newestBackupFolder } from '../../store/backups/folder-records.ts';
import {
  companyById,
  deleteCompany,
  existsInAnyCompany,
  tryUpdateCompany,
} from '../../store/company/companies.ts';
import { jobRounds } from '../../store/job-rounds.ts';
import { companyIdOf } from '../../store/scope/company-db.ts';
import type { RowImage } from '../../store/scope/recorded-rows.ts';
import { RowRecorder } from '../../store/scope/row-recorder.ts';
import type { CompanyTable, Tables } from '../../store/tables.ts';
import type { OperationArguments } from '../arguments/operation-arguments.ts';
import { NO_COMPANY } from '../authorization.ts';
import { assertNothingPending, type Call, type DeferredWork, type UndoneChange } from '../call.ts';
import type { CallOperation } from '../operation.ts';
import type { OperationRequest } from '../operation-runner.ts';
import type { StoredOutcome } from '../replay/idempotency.ts';
import { ConfirmationRequired } from '../rest-conventions.ts';
import {
  type CallContext,
  type CallEnvironment,
  type OperationTransaction,
  sourceOf,
} from './call-context.ts';

type RunRequest = Pick<
  OperationRequest,
  'onProgress' | 'signal' | 'trace' | 'needsConfirmation' | 'isConfirmed' | 'isToolCall'
>;

export type RecordingWork = (changeId: number) => Promise<void>;

export interface RunOutcome extends StoredOutcome {
  readonly afterCommit: readonly DeferredWork[];
  readonly afterRecording: readonly RecordingWork[];
  readonly undone: UndoneChange | null;
}

/** Runs the use case of an operation in an open transaction. */
export async function runOperation(
  environment: CallEnvironment,
  { all, db, recorder = new RowRecorder(), skipsOptionalWork = false }: OperationTransaction,
  context: CallContext,
  operation: CallOperation,
  { input, checked, advisories: argumentAdvisories }: OperationArguments,
  {
    onProgress,
    signal,
    trace,
    needsConfirmation,
    isConfirmed = false,
    isToolCall = false,
  }: RunRequest,
): Promise<RunOutcome> {
  const advisories: Advisory[] = [...argumentAdvisories];
  const afterCommit: DeferredWork[] = [];
  const afterRecording: RecordingWork[] = [];
  let undone: UndoneChange | null = null;

  const source = sourceOf(environment, context);
  const call: Call = {
    ...context,
    ...companyAccess(all, companyIdOf(db), context, recorder),
    source,
    isToolCall: isToolCall || source === 'mcp',
    db,
    skipsOptionalWork,
    pageUrl: environment.pageUrl?.() ?? new URL('http://127.0.0.1:8383'),
    isServed: environment.isServed ?? false,
    storeKind: environment.storeKind ?? 'default',
    jobRounds: () => jobRounds(all),
    newestBackupFolder: () => newestBackupFolder(all),
    advise: (advisory) => void advisories.push(advisory),
    onProgress,
    async yieldOrCancel() {
      await yieldOrCancel(signal);
      trace?.mark();
    },
    recordUndone: (change) => {
      undone = change;
    },
    confirm: (confirmation) => {
      if (needsConfirmation) throw new ConfirmationRequired(confirmation);
      return isConfirmed;
    },
    existsAnywhere: (kind, id) => existsInAnyCompany(all, kind, id),
    afterCommit: (work) => void afterCommit.push(work),
    afterRecording: (work) => void afterRecording.push(work),
  };

  await assertNothingPending(call, operation.pendingWork?.(input) ?? []);
  const body = await operation.run(call, input, checked);
  return { body, input, advisories, afterCommit, afterRecording, undone };
}

/**
 * The row of the company stands in no company's scope, so a call changes it in a way of its own.
 */
function companyAccess(
  all: Kysely<Tables>,
  companyId: number,
  { company }: CallContext,
  recorder: RowRecorder,
): Pick<Call, 'storedCompany' | 'saveCompany' | 'deleteCompany'> {
  const storedCompany = async (): Promise<RowImage | null> =>
    company === NO_COMPANY ? null : ((await companyById(all, companyId)) ?? null);

  const recordCompany = async () => recorder.recordCompany(companyId, await storedCompany());

  return {
    storedCompany,
    async saveCompany(changes: Updateable<CompanyTable>) {
      await recordCompany();
      return tryUpdateCompany(all, companyId, changes);
    },
    async deleteCompany() {
      await recordCompany();
      recorder.isCompanyDeleted = true;
      await deleteCompany(all, companyId);
    },
  };
}
