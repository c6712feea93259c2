import type { Updateable } from 'kysely';
import type { SummaryContext } from '../language/summary-context.ts';
import type { Confirmation } from '../schema/confirmation.ts';
import type { Note } from '../schema/note.ts';
import type { WateringSource } from '../schema/watering.ts';
import type { CompanyRecord, IdentifiedTable } from '../store/company/companies.ts';
import type { RowImage } from '../store/recorded-rows.ts';
import type { CompanyDb, CompanyRow } from '../store/tables.ts';
import type { Caller } from './authorization.ts';
import type { Steps } from './steps.ts';

export type OnStep = (done: number, total: number) => void;

/** Without a store, because it may run against a remote service. */
export interface ComposedCall extends SummaryContext {
  note(note: Note): void;
  readonly onStep?: OnStep | undefined;
  /** Lets other calls run; throws once this call is cancelled. */
  yieldOrCancel(): Promise<void>;
}

export interface UndoneChange {
  readonly id: number;
  /** Needed to take it back. */
  readonly scope: string;
}

export interface Call extends ComposedCall {
  readonly caller: Caller;
  /** As it was before the call; NO_COMPANY in an empty store. */
  readonly company: CompanyRecord;
  readonly source: WateringSource;
  readonly db: CompanyDb;
  /** Where people open the live page. */
  readonly pageUrl: URL;
  /** Of the call's company; false if another one has that name. */
  saveCompany(changes: Updateable<CompanyRow>): Promise<boolean>;
  /** The call's company in this transaction; null in an empty store. */
  storedCompany(): Promise<RowImage | null>;
  /** The call's company, which has no other rows. */
  deleteCompany(): Promise<void>;
  /** Records this call as one that takes back a change. */
  takesBack(change: UndoneChange): void;
  /** Rolls the call back if a person can be asked and has not confirmed it yet. To be called last. */
  confirm(confirmation: Confirmation): void;
  existsAnywhere(kind: IdentifiedTable, id: number | string): Promise<boolean>;
  /** Runs these steps after the commit and before the answer; their failure does not change the answer. */
  afterCommit(steps: Steps): void;
}

/** False where a composed operation runs against a remote service. */
export const isLocalCall = (call: ComposedCall): call is Call => 'db' in call;

/** For a write of any size: everything is validated before the first of its short transactions. */
export interface StagedCall extends CheckContext {
  read<T>(body: (db: CompanyDb) => Promise<T>): Promise<T>;
  /** A transaction before the last one. Its body may run again after a lost connection. */
  write<T>(body: (db: CompanyDb) => Promise<T>): Promise<T>;
  existsAnywhere(kind: IdentifiedTable, id: number | string): Promise<boolean>;
}

/** The last transaction of a staged write. */
export type LastStage<Body> = (db: CompanyDb) => Promise<Body>;

export type WriteContext = Pick<Call, 'db' | 'now'>;

export type CheckContext = Pick<SummaryContext, 'now' | 'zone'>;
