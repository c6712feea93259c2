import type { Kysely } from 'kysely';
import { yieldOrCancel } from '../domain/event-loop.ts';
import { DEFAULT_LANG, type Lang } from '../domain/lang.ts';
import type { NameDirectory } from '../language/summary-context.ts';
import type { Advisory } from '../schema/advisory.ts';
import { DEFAULT_TIME_ZONE } from '../schema/company/company.ts';
import type { WateringSource } from '../schema/irrigation/watering.ts';
import {
  companyById,
  deleteCompany,
  existsInAnyCompany,
  tryUpdateCompany,
} from '../store/company/companies.ts';
import { batchingDb, companyIdOf } from '../store/scope/company-db.ts';
import type { RowImage } from '../store/scope/recorded-rows.ts';
import { RowRecorder } from '../store/scope/row-recorder.ts';
import type { Store } from '../store/store.ts';
import type { CompanyDb, Tables } from '../store/tables.ts';
import type { OperationArguments } from './arguments/tool-arguments.ts';
import { type Identity, NO_COMPANY } from './authorization.ts';
import type { Call, DeferredWork, UndoneChange } from './call.ts';
import { companyDirectory, missingListScopes } from './company-directory.ts';
import type { StoredOutcome } from './idempotency.ts';
import type { AnyOperation, CallOperation } from './operation.ts';
import { type OperationRequest, runWithParts } from './operation-runner.ts';
import { ConfirmationRequired } from './rest-conventions.ts';

/** What calls share that run on one store. */
export interface OperationSetting {
  readonly store: Store;
  readonly operations: ReadonlyMap<string, AnyOperation>;
  readonly lang?: Lang | undefined;
  /** Default: the one of the caller's identity. */
  readonly source?: WateringSource;
  /** Where people open the live page; default: the default address of "acequia serve". */
  readonly pageUrl?: (() => URL | null) | undefined;
}

export interface OperationTransaction {
  readonly all: Kysely<Tables>;
  /** The same transaction, confined to the company. */
  readonly db: CompanyDb;
  /** Collects the rows that the operation writes; default: one that nobody reads. */
  readonly recorder?: RowRecorder;
}

export interface CallContext extends Identity {
  readonly zone: string;
  readonly isZoneDeclared: boolean;
  readonly lang: Lang;
  readonly directory: NameDirectory;
  readonly now: number;
}

/** The directory reads in the open transaction, or in a new one once that has ended. */
export function createCallContext(
  { operations, lang = DEFAULT_LANG }: Pick<OperationSetting, 'operations' | 'lang'>,
  store: Store,
  identity: Identity,
  {
    now,
    openTransaction = { db: null },
  }: { now: number; openTransaction?: { readonly db: CompanyDb | null } },
): CallContext {
  const { caller, company } = identity;
  const directory = companyDirectory({
    store,
    lang,
    companyId: company.id,
    openTransaction,
    withheld: missingListScopes(caller, operations.values()),
  });

  const zone = company.timezone ?? DEFAULT_TIME_ZONE;
  const isZoneDeclared = company.timezone !== null;
  return { ...identity, zone, isZoneDeclared, lang, directory, now };
}

type RunRequest = Pick<OperationRequest, 'onProgress' | 'signal' | 'needsConfirmation'>;

export interface RunOutcome extends StoredOutcome {
  readonly afterCommit: readonly DeferredWork[];
  readonly undone: UndoneChange | null;
}

export const sourceOf = (setting: OperationSetting, { source }: CallContext): WateringSource =>
  setting.source ?? source ?? 'api';

/** Runs the use case of an operation in an open transaction. */
export async function runOperation(
  setting: OperationSetting,
  { all, db, recorder = new RowRecorder() }: OperationTransaction,
  context: CallContext,
  operation: CallOperation,
  { input, advisories: argumentNotes }: OperationArguments,
  { onProgress, signal, needsConfirmation }: RunRequest,
): Promise<RunOutcome> {
  const advisories: Advisory[] = [...argumentNotes];
  const afterCommit: DeferredWork[] = [];
  let undone: UndoneChange | null = null;

  const companyId = companyIdOf(db);

  const storedCompany = async () =>
    context.company === NO_COMPANY
      ? null
      : (((await companyById(all, companyId)) as RowImage | undefined) ?? null);

  const recordCompany = async () => recorder.recordCompany(companyId, await storedCompany());

  const call: Call = {
    ...context,
    source: sourceOf(setting, context),
    db: operation.parts ? batchingDb(db) : db,
    pageUrl: setting.pageUrl?.() ?? new URL('http://127.0.0.1:8383'),
    advise: (note) => void advisories.push(note),
    onProgress,
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

  const body = await runWithParts(operation, call, input);
  return { body, input, advisories, afterCommit, undone };
}
